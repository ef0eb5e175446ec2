// A channel that is there by its id, or one that is about to be made by its fields.
import type { ChannelSettings } from "../../distribution/channel.ts";
import { readSettingsOf, toSettings } from "../../distribution/queries.ts";
import { existing, readChannelId } from "../input.ts";
import { draftFields, type ChannelDraft } from "./input-contract.ts";
import type { ChannelNeeds } from "./needs.ts";
import { keyTexts, toKeyRows, toRow } from "./row.ts";

export async function readSavedOrDraft(
  needs: ChannelNeeds,
  body: { id: string } | ChannelDraft,
): Promise<ChannelSettings> {
  if (!("id" in body)) return toDraft(needs, body);
  return existing(await readSettingsOf(needs.database, needs.seal, readChannelId(body.id)));
}

/** Nothing of it is written. */
export function toDraft(
  { ids, seal }: Pick<ChannelNeeds, "ids" | "seal">,
  fields: ChannelDraft,
): ChannelSettings {
  const draft = { ...draftFields, ...fields };
  const channelId = ids.channel();
  const moments = { created_at_ms: 0, updated_at_ms: 0 };
  const row = toRow(seal, draft, { id: channelId, declared: 0, ...moments });
  return toSettings(row, toKeyRows(seal, channelId, keyTexts(draft)), seal);
}
