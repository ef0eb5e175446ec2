// What is about to be written of channels, decided before it is: one, or many at once, which are
// all written or none.
import type { ChannelInput } from "../../config/entities.ts";
import { channelChecker } from "../../config/entity-rules.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { Seal } from "../../core/seal.ts";
import {
  deletesOfChannel,
  openProxy,
  readKeysOf,
  writesOfChannel,
  type ChannelKeyRow,
  type ChannelRow,
} from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { commitTogether } from "../../store/database.ts";
import { entryQuery, type Note } from "../audit/entry.ts";
import type { ChannelView } from "../contract.ts";
import { mergePatch, orConflict } from "../input.ts";
import type { ChannelNeeds } from "./needs.ts";
import { noteOf } from "./note.ts";
import { keyTexts, toInput, toKeyRows, toRow } from "./row.ts";
import { toView } from "./view.ts";

export interface ChannelWrite {
  row: ChannelRow;
  /** Null: those that it has stay. */
  keys: ChannelKeyRow[] | null;
  note: Note;
}

export function planNew({ ids, clock, seal }: ChannelNeeds, body: JsonObject): ChannelWrite {
  const input = parseWith(channelChecker, body);
  const id = ids.channel();
  const nowMs = clock.nowMs();
  const moments = { created_at_ms: nowMs, updated_at_ms: nowMs };
  const row = toRow(seal, input, { id, declared: 0, ...moments });
  const keys = toKeyRows(seal, id, keyTexts(input));
  return {
    row,
    keys,
    note: { action: "channel.create", target: id, changes: noteOf(null, row, keys) },
  };
}

/** Some fields; what it becomes is judged as a whole, like a new one. */
export function planChange(
  { clock, seal }: ChannelNeeds,
  before: ChannelRow,
  body: JsonObject,
): ChannelWrite {
  const proxy = readProxy(seal, before, body);
  const { input, hasKeys } = parseChange(before, proxy, body);
  if (!hasKeys) assertSameWay(before, input, proxy);
  const row = toRow(seal, input, { ...before, updated_at_ms: clock.nowMs() });
  const keys = hasKeys ? toKeyRows(seal, row.id, keyTexts(input)) : null;
  const changes = noteOf(before, row, keys);
  return { row, keys, note: { action: "channel.change", target: row.id, changes } };
}

/** All in one commit, each with its own entry; memory is brought up to it before the answer. */
export async function commitChannels(
  needs: ChannelNeeds,
  operator: Operator,
  writes: readonly ChannelWrite[],
  removed: readonly ChannelRow[] = [],
): Promise<ChannelView[]> {
  const { database, store } = needs;
  const queries = [
    ...removed.flatMap(({ id, name }) => [
      ...deletesOfChannel(database, id),
      entryQuery(needs, operator, { action: "channel.remove", target: id, changes: { name } }),
    ]),
    ...writes.flatMap(({ row, keys, note }) => [
      ...writesOfChannel(database, row, keys),
      entryQuery(needs, operator, note),
    ]),
  ];
  if (queries.length === 0) return [];
  await orConflict(commitTogether(store, queries), "There is already a channel of that name.");
  await needs.reload.channels();
  const views = writes.map(async ({ row, keys }) =>
    toView(needs, row, keys ?? (await readKeysOf(database, row.id))),
  );
  return await Promise.all(views);
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
