// A channel that is there by its id, or one that is about to be made by its fields.
import { channelChecker } from "../../config/entity-rules.ts";
import { invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { ChannelSettings } from "../../distribution/channel.ts";
import { readSettingsOf, toSettings } from "../../distribution/queries.ts";
import { existing, readChannelId } from "../input.ts";
import type { ChannelNeeds } from "./needs.ts";
import { keyTexts, toKeyRows, toRow } from "./row.ts";

export async function readSavedOrDraft(
  needs: ChannelNeeds,
  body: JsonObject,
): Promise<ChannelSettings> {
  const { id, ...fields } = body;
  if (typeof id === "string") {
    return existing(await readSettingsOf(needs.database, needs.seal, readChannelId(id)));
  }
  if (id !== undefined) throw invalid("id", "must be a channel's id");
  return toDraft(needs, fields);
}

/** Nothing of it is written. */
export function toDraft(
  { ids, seal }: Pick<ChannelNeeds, "ids" | "seal">,
  fields: JsonObject,
): ChannelSettings {
  const draft = parseWith(channelChecker, { name: "draft", models: ["draft"], ...fields });
  const channelId = ids.channel();
  const moments = { created_at_ms: 0, updated_at_ms: 0 };
  const row = toRow(seal, draft, { id: channelId, declared: 0, ...moments });
  return toSettings(row, toKeyRows(seal, channelId, keyTexts(draft)), seal);
}
