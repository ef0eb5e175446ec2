// Planned writes of channels, decided beforehand: one, or many at once, which are all written or
// none.
import { hiddenValue, type ChannelInput } from "../../config/entities.ts";
import { channelChecker } from "../../config/entity-rules.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ChannelAuthor } from "../../core/pass/credential-rules.ts";
import {
  hostlessFields,
  vendorFieldNames,
  type VendorFields,
} from "../../core/pass/vendor-fields.ts";
import { parseWith } from "../../core/schema.ts";
import type { Seal } from "../../core/seal.ts";
import { openHeaders } from "../../distribution/channel-headers.ts";
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
import { mergePatch, orConflict } from "../input.ts";
import type { ChannelPatch } from "./input-contract.ts";
import type { ChannelView } from "./contract.ts";
import type { ChannelNeeds } from "./needs.ts";
import { noteOf } from "./note.ts";
import { assertReach, authorOf, identityNote } from "./reach.ts";
import { keyTexts, toInput, toKeyRows, toRow } from "./row.ts";
import { toView } from "./view.ts";

export interface ChannelWrite {
  row: ChannelRow;
  /** Null: those that it has stay. */
  keys: ChannelKeyRow[] | null;
  note: Note;
}

export function planNew(
  { ids, clock, seal }: ChannelNeeds,
  author: ChannelAuthor,
  input: ChannelInput,
): ChannelWrite {
  assertReach(input, author);
  const id = ids.channel();
  const nowMs = clock.nowMs();
  const moments = { created_at_ms: nowMs, updated_at_ms: nowMs };
  const row = toRow(seal, input, { id, declared: 0, author, ...moments });
  const keys = toKeyRows(seal, id, keyTexts(input));
  const changes = { ...noteOf(null, row, keys), ...identityNote(input) };
  return { row, keys, note: { action: "channel.create", target: id, changes } };
}

/** Some fields; what it becomes is judged as a whole, like a new one. */
export function planChange(
  { clock, seal, operator }: ChannelNeeds & { operator: Operator },
  before: ChannelRow,
  body: ChannelPatch,
): ChannelWrite {
  const proxy = readProxy(seal, before, body);
  const headers = readHeaders(seal, before, body);
  const { input, hasKeys } = parseChange({ before, proxy, headers }, body);
  if (!isSameWay(before, input, proxy)) {
    if (!hasKeys) throw toldAgain("key");
    if (hasKeptHeaders(headers, body)) throw toldAgain("headers");
  }
  // Without a new way and without new keys nothing reaches further than it did.
  const author = hasKeys ? authorOf(operator) : before.author;
  if (hasKeys) assertReach(input, author);
  const row = toRow(seal, input, { ...before, author, updated_at_ms: clock.nowMs() });
  const keys = hasKeys ? toKeyRows(seal, row.id, keyTexts(input)) : null;
  const changes = { ...noteOf(before, row, keys), ...(hasKeys && identityNote(input)) };
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
function readProxy(seal: Seal, before: ChannelRow, body: ChannelPatch): string | null {
  const proxy = openProxy(seal, before);
  if (proxy !== null || before.proxy === null || "proxy" in body) return proxy;
  throw invalid("proxy", "was sealed with another secret: name it again, or null");
}

/** The headers of a channel that is there, opened. */
export function storedHeaders(seal: Seal, row: ChannelRow): Record<string, string> {
  const headers = openHeaders(seal, row);
  if (headers) return headers;
  throw invalid("headers", "were sealed with another secret: name them again, or null");
}

/** Those that stay unless the body names others; what it names as hidden is what it was. */
function readHeaders(
  seal: Seal,
  before: ChannelRow,
  { headers: named }: ChannelPatch,
): Record<string, string> | null {
  if (named === undefined) return storedHeaders(seal, before);
  if (named === null) return null;
  const stored = openHeaders(seal, before) ?? {};
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [
      name,
      value === hiddenValue ? (stored[name.toLowerCase()] ?? value) : value,
    ]),
  );
}

/** Whether some value is one that the body does not say. */
function hasKeptHeaders(headers: Kept["headers"], { headers: named }: ChannelPatch): boolean {
  return Object.entries(headers ?? {}).some(([name, value]) => named?.[name] !== value);
}

interface Kept {
  before: ChannelRow;
  proxy: string | null;
  headers: Record<string, string> | null;
}

function parseChange({ before, proxy, headers }: Kept, body: ChannelPatch): Change {
  const current = proxy === null ? toInput(before) : { ...toInput(before), proxy };
  const merged: JsonObject = mergePatch(current, { ...body, headers });
  const hasKeys = "key" in merged || "keys" in merged;
  // The stored keys stay sealed; a stand-in satisfies the rule that a channel has one.
  const whole = hasKeys ? merged : { ...merged, key: "unchanged" };
  return { input: parseWith(channelChecker, whole), hasKeys };
}

/** Stored keys and headers go only where they were meant to go: who moves a channel knows them. */
function isSameWay(before: ChannelRow, input: ChannelInput, proxy: string | null): boolean {
  const fieldsBefore: VendorFields = before.vendor === null ? {} : JSON.parse(before.vendor);
  return (
    input.type === before.type &&
    input.base_url === before.base_url &&
    (input.proxy ?? null) === proxy &&
    hostFields.every((name) => input.vendor?.[name] === fieldsBefore[name]) &&
    (input.allow_private === true) === (before.allow_private === 1)
  );
}

const hostFields = vendorFieldNames.filter((name) => !hostlessFields.includes(name));

function toldAgain(param: "key" | "headers"): GatewayError {
  const is = param === "key" ? "is" : "are";
  const ofVendor = hostFields.map((name) => `vendor.${name}`).join(" or ");
  const ways = `type, base_url, proxy, allow_private, ${ofVendor}`;
  const message = `${param} ${is} required again when ${ways} changes`;
  return new GatewayError("invalid_request", { param, message });
}
