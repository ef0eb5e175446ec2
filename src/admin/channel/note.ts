// A channel's note for the audit log: never a key or a proxy, and of its headers and of the fields
// that it sets only the names, for their values may be secrets.
import { isObject, type JsonObject } from "../../core/json.ts";
import { headerNames } from "../../distribution/channel-headers.ts";
import type { ChannelKeyRow, ChannelRow } from "../../distribution/queries.ts";
import { changesOf } from "../audit/changes.ts";
import { toInput } from "./row.ts";

const hidden = ["headers", "parameters", "proxy"] as const;

/** `keys` are the new ones; null where the old ones stay. */
export function noteOf(
  before: ChannelRow | null,
  after: ChannelRow,
  keys: readonly ChannelKeyRow[] | null,
): JsonObject {
  const rewritten = before ? hidden.filter((name) => before[name] !== after[name]) : [];
  return {
    ...changesOf(before && factsOf(before), factsOf(after)),
    ...(keys !== null && { new_keys: keys.length }),
    ...(rewritten.length > 0 && { rewritten }),
  };
}

function factsOf(row: ChannelRow): JsonObject {
  const { parameters, ...facts } = toInput(row);
  const { set = {}, remove = [] } = isObject(parameters) ? parameters : {};
  return {
    ...facts,
    headers: headerNames(row),
    parameters: { set: isObject(set) ? Object.keys(set) : [], remove },
  };
}
