import { channelChecker } from "../../config/entity-rules.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import { writeChannel } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { noting } from "../audit/entry.ts";
import type { ChannelView } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import { orConflict } from "../input.ts";
import { reloadChannels, type ControlParts } from "../parts.ts";
import { noteOf } from "./note.ts";
import { keyTexts, toKeyRows, toRow } from "./row.ts";
import { toView } from "./view.ts";

export async function createChannel(
  parts: ControlParts,
  operator: Operator,
  body: JsonObject,
): Promise<ChannelView> {
  const input = parseWith(channelChecker, body);
  const id = parts.ids.channel();
  const nowMs = parts.clock.nowMs();
  const row = toRow(parts.seal, input, {
    id,
    declared: 0,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
  });
  const keys = toKeyRows(parts.seal, id, keyTexts(input));
  return await inTurn(parts, "channels", async () => {
    const note = {
      action: "channel.create",
      target: id,
      changes: noteOf(null, row, keys),
    } as const;
    const { store, database } = noting(parts, operator, note);
    await orConflict(
      writeChannel(store, database, row, keys),
      "There is already a channel of that name.",
    );
    await reloadChannels(parts);
    return toView(parts, row, keys);
  });
}
