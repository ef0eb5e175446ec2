// Makes a channel. Its keys are sealed before they reach the disk.
import { channelChecker } from "../../config/entity-rules.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import { writeChannel } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { noting } from "../audit/entry.ts";
import type { ChannelView } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import { orConflict } from "../input.ts";
import type { ChannelNeeds } from "./needs.ts";
import { noteOf } from "./note.ts";
import { keyTexts, toKeyRows, toRow } from "./row.ts";
import { toView } from "./view.ts";

export async function createChannel(
  needs: ChannelNeeds,
  operator: Operator,
  body: JsonObject,
): Promise<ChannelView> {
  const input = parseWith(channelChecker, body);
  const id = needs.ids.channel();
  const nowMs = needs.clock.nowMs();
  const row = toRow(needs.seal, input, {
    id,
    declared: 0,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
  });
  const keys = toKeyRows(needs.seal, id, keyTexts(input));
  return await inTurn(needs, "channels", async () => {
    const note = {
      action: "channel.create",
      target: id,
      changes: noteOf(null, row, keys),
    } as const;
    const { store, database } = noting(needs, operator, note);
    await orConflict(
      writeChannel(store, database, row, keys),
      "There is already a channel of that name.",
    );
    await needs.reload.channels();
    return toView(needs, row, keys);
  });
}
