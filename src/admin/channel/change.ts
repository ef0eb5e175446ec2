// Changes some fields of a channel; what it becomes is judged as a whole, like a new one.
import type { ChannelInput } from "../../config/entities.ts";
import { channelChecker } from "../../config/entity-rules.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { Seal } from "../../core/seal.ts";
import {
  findChannel,
  openProxy,
  readKeysOf,
  writeChannel,
  type ChannelRow,
} from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { noting } from "../audit/entry.ts";
import type { ChannelView } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import { existing, mergePatch, orConflict, readChannelId, type OnOne } from "../input.ts";
import type { ChannelNeeds } from "./needs.ts";
import { noteOf } from "./note.ts";
import { keyTexts, toInput, toKeyRows, toRow } from "./row.ts";
import { toView } from "./view.ts";

export async function changeChannel(
  needs: ChannelNeeds,
  operator: Operator,
  { id, body }: OnOne,
): Promise<ChannelView> {
  const { seal, clock } = needs;
  return await inTurn(needs, "channels", async () => {
    const before = existing(await findChannel(needs.database, readChannelId(id)));
    const proxy = readProxy(seal, before, body);
    const { input, hasKeys } = parseChange(before, proxy, body);
    if (!hasKeys) assertSameWay(before, input, proxy);
    const row = toRow(seal, input, { ...before, updated_at_ms: clock.nowMs() });
    const keys = hasKeys ? toKeyRows(seal, row.id, keyTexts(input)) : null;
    const changes = noteOf(before, row, keys);
    const note = { action: "channel.change", target: row.id, changes } as const;
    const { store, database } = noting(needs, operator, note);
    await orConflict(
      writeChannel(store, database, row, keys),
      "There is already a channel of that name.",
    );
    await needs.reload.channels();
    return toView(needs, row, keys ?? (await readKeysOf(needs.database, row.id)));
  });
}

interface Change {
  input: ChannelInput;
  hasKeys: boolean;
}

/** The proxy that stays unless the body names another. */
function readProxy(seal: Seal, before: ChannelRow, body: JsonObject): string | null {
  const proxy = openProxy(seal, before);
  if (proxy !== null || before.proxy === null || "proxy" in body) return proxy;
  throw invalid("proxy", "was sealed with another secret: name it again, or null");
}

function parseChange(before: ChannelRow, proxy: string | null, body: JsonObject): Change {
  const current = proxy === null ? toInput(before) : { ...toInput(before), proxy };
  const merged = mergePatch(current, body);
  const hasKeys = "key" in merged || "keys" in merged;
  // The stored keys stay sealed; a stand-in satisfies the rule that a channel has one.
  const whole = hasKeys ? merged : { ...merged, key: "unchanged" };
  return { input: parseWith(channelChecker, whole), hasKeys };
}

/** Stored keys go only where they were meant to go: whoever moves a channel must know its key. */
function assertSameWay(before: ChannelRow, input: ChannelInput, proxy: string | null): void {
  const isSame =
    input.base_url === before.base_url &&
    (input.proxy ?? null) === proxy &&
    (input.allow_private === true) === (before.allow_private === 1);
  if (isSame) return;
  throw new GatewayError("invalid_request", {
    param: "key",
    message: "key is required again when base_url, proxy or allow_private changes",
  });
}
