// A channel that is there by its id, or one that is about to be made by its fields.
import type { ChannelAuthor } from "../../core/pass/credential-rules.ts";
import type { ChannelSettings } from "../../distribution/channel.ts";
import { readSettingsOf, toSettings } from "../../distribution/queries.ts";
import { existing, readChannelId } from "../input.ts";
import { draftFields, type ChannelDraft } from "./input-contract.ts";
import type { ChannelNeeds } from "./needs.ts";
import { assertReach } from "./reach.ts";
import { keyTexts, toKeyRows, toRow } from "./row.ts";

export async function readSavedOrDraft(
  needs: ChannelNeeds,
  author: ChannelAuthor,
  body: { id: string } | ChannelDraft,
): Promise<ChannelSettings> {
  if (!("id" in body)) return toDraft(needs, author, body);
  return existing(await readSettingsOf(needs.database, needs.seal, readChannelId(body.id)));
}

/** Nothing of it is written. */
export function toDraft(
  { ids, seal }: Pick<ChannelNeeds, "ids" | "seal">,
  author: ChannelAuthor,
  fields: ChannelDraft,
): ChannelSettings {
  const draft = { ...draftFields, ...fields };
  assertReach(draft, author);
  const channelId = ids.channel();
  const moments = { created_at_ms: 0, updated_at_ms: 0 };
  const row = toRow(seal, draft, { id: channelId, declared: 0, author, ...moments });
  return toSettings(row, toKeyRows(seal, channelId, keyTexts(draft)), seal);
}
