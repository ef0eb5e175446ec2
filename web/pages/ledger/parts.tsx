// Looks of ledger lines wherever they stand.
import type { LedgerView, OwnLedgerView } from "../../../src/admin/contract.ts";
import { clock, exactMoney, moment } from "../../core/format.ts";
import type { Tone } from "../../kit/badge.tsx";

/** Fields that only admins are told are not in a member's own. */
export type Entry = OwnLedgerView & Partial<Pick<LedgerView, "loss_micros" | "account" | "actor">>;

export const kindTones: Readonly<Record<Entry["kind"], Tone>> = {
  grant: "good",
  post: "none",
  void: "accent",
};

export function Moment({ at }: { at: number }) {
  return (
    <span class="number" title={moment(at, "full")}>
      {`${moment(at, "day")} ${clock(at, "second")}`}
    </span>
  );
}

/** Amount with the sign of its effect on the balance: a charge takes away. */
export function signedMoney({ kind, micros }: Entry): string {
  if (kind === "grant") return micros > 0 ? `+${exactMoney(micros)}` : exactMoney(micros);
  return exactMoney(micros === 0 ? 0 : -micros);
}
