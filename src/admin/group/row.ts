// A group between the wire and its row.
import { groupDefaults, type GroupInput } from "../../config/entities.ts";
import { multiplierPpm } from "../../config/fields.ts";
import type { GroupRow } from "../../identity/groups/queries.ts";
import type { GroupView } from "./contract.ts";

const partsPerOne = 1_000_000;

export function toRow(input: GroupInput, declared: 0 | 1): GroupRow {
  return {
    name: input.name,
    multiplier_ppm: multiplierPpm(input.multiplier ?? groupDefaults.multiplier),
    prefer: input.prefer ?? groupDefaults.prefer,
    requests_per_minute: input.requests_per_minute ?? null,
    tokens_per_minute: input.tokens_per_minute ?? null,
    concurrency: input.concurrency ?? null,
    declared,
  };
}

export function toView(row: GroupRow): GroupView {
  return {
    name: row.name,
    multiplier: row.multiplier_ppm / partsPerOne,
    prefer: row.prefer,
    requests_per_minute: row.requests_per_minute,
    tokens_per_minute: row.tokens_per_minute,
    concurrency: row.concurrency,
    declared: row.declared === 1,
  };
}
