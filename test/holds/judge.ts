// The verdict on a case: refused, or held for at least its worst bill.
import { drive } from "./drive.ts";
import type { HoldCase } from "./generate/cases.ts";
import { worstBill } from "./meter/worst-bill.ts";

export type Verdict =
  | { kind: "refused"; param: string | null; code: string }
  | { kind: "covered"; heldMicros: number; billMicros: number }
  | { kind: "short"; heldMicros: number; billMicros: number | null; why: string };

export function judge(holdCase: HoldCase): Verdict {
  const outcome = drive(holdCase);
  if (outcome.kind === "refused") return outcome;
  const heldMicros = outcome.micros;
  const bill = worstBill(outcome.sent);
  if (bill.kind === "forbidden")
    return { kind: "short", heldMicros, billMicros: null, why: bill.why };
  const { micros: billMicros } = bill;
  if (heldMicros >= billMicros) return { kind: "covered", heldMicros, billMicros };
  return { kind: "short", heldMicros, billMicros, why: bill.why.join("; ") };
}
