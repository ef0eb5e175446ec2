// The rows of the ledger's batches, from what was decided.
import type { AccountId, KeyId } from "../core/ids.ts";
import type { Micros } from "../core/money.ts";
import type { EntryTable } from "../store/schema.ts";
import type { RowOf } from "../store/step.ts";
import { capsText, type CapBalance, type CapLimit } from "./cap.ts";
import type { EarlyLoss } from "./losses.ts";
import { holdStep, type capRowStep } from "./queries.ts";

export type HoldRow = RowOf<typeof holdStep>;

/** A hold: its amount, its owner and its work. */
export interface Hold {
  /** The request's id: one reservation for each. */
  id: string;
  account: { id: AccountId };
  key: { id: KeyId };
  caps: readonly { id: string }[];
  group: string;
  model: string;
  micros: Micros;
  price: string;
}

export type Close = Pick<EntryTable, "kind" | "micros" | "loss_micros"> &
  Partial<Pick<EntryTable, "usage" | "reason">>;

export function toHoldRow(hold: Hold, nowMs: number): HoldRow {
  return {
    id: hold.id,
    account_id: hold.account.id,
    key_id: hold.key.id,
    group_name: hold.group,
    model: hold.model,
    micros: hold.micros,
    price: hold.price,
    created_at_ms: nowMs,
    caps: capsText(hold.caps),
  };
}

export function toCloseRow(hold: Hold & EarlyLoss, close: Close, nowMs: number): EntryTable {
  return {
    id: hold.id,
    kind: close.kind,
    account_id: hold.account.id,
    key_id: hold.key.id,
    group_name: hold.group,
    model: hold.model,
    held_micros: hold.micros,
    micros: close.micros,
    loss_micros: close.loss_micros + hold.lostMicros,
    price: hold.price,
    usage: close.usage ?? null,
    reason: close.reason ?? null,
    actor: null,
    at_ms: nowMs,
    caps: capsText(hold.caps),
  };
}

/** The void of a hold whose process died: its vendor may charge for all of it. */
export function toRecoveredRow(hold: HoldRow, nowMs: number): EntryTable {
  return {
    id: hold.id,
    kind: "void",
    account_id: hold.account_id,
    key_id: hold.key_id,
    group_name: hold.group_name,
    model: hold.model,
    held_micros: hold.micros,
    micros: 0,
    loss_micros: hold.micros,
    price: hold.price,
    usage: null,
    reason: "recovered",
    actor: null,
    at_ms: nowMs,
    caps: hold.caps,
  };
}

export interface GrantFacts {
  id: string;
  account: { id: AccountId };
  reason: string;
  actor: string;
}

export function toGrantRow(grant: GrantFacts, moved: Micros, nowMs: number): EntryTable {
  return {
    id: grant.id,
    kind: "grant",
    account_id: grant.account.id,
    key_id: null,
    group_name: null,
    model: null,
    held_micros: 0,
    micros: moved,
    loss_micros: 0,
    price: null,
    usage: null,
    reason: grant.reason,
    actor: grant.actor,
    at_ms: nowMs,
    caps: null,
  };
}

export function toCapRow(cap: CapBalance): RowOf<typeof capRowStep> {
  return {
    id: cap.id,
    budget_id: cap.budgetId,
    account_id: cap.accountId,
    subject_id: cap.subjectId,
    mode: cap.mode,
    opened_at_ms: cap.openedAtMs,
    closes_at_ms: cap.closesAtMs,
    limit_micros: cap.limitMicros,
    ...toLimitColumns(cap.limitParts),
  };
}

export function toLimitColumns(parts: CapLimit | null) {
  return {
    budget_micros: parts?.budgetMicros ?? null,
    carried_micros: parts?.carriedMicros ?? null,
    raised_micros: parts?.raisedMicros ?? null,
  };
}

/** A hold of its cells. */
export function holdOf(cells: readonly (string | number | null)[]): HoldRow {
  const named = Object.fromEntries(holdStep.columns.map((column, at) => [column, cells[at]]));
  return named as unknown as HoldRow;
}
