// An answer that is thrown away although its vendor counted it: nobody pays for it, so that it is
// booked as a loss, on the account it was for and the channel it came from.
import type { WasteBudget } from "../../distribution/waste-budget.ts";
import type { Observed } from "../../formats/format.ts";
import type { Ledger } from "../../quota/ledger.ts";
import { clampUsage } from "../../quota/plausible.ts";
import { textCost } from "../../quota/price.ts";
import type { TextJob } from "./text-job.ts";

export interface WasteNeeds {
  ledger: Ledger;
  wastes: WasteBudget;
}

/** Called while the request is still at the channel that it is lost on. */
export function noteWaste(
  { ledger, wastes }: WasteNeeds,
  { input, price, bound, reservation }: TextJob,
  { usage }: Pick<Observed, "usage">,
): void {
  if (!usage || usage.inputTokens + usage.outputTokens === 0) return;
  ledger.losses.addEarly(reservation, textCost(price, clampUsage(usage, bound)));
  wastes.spend(input.call.caller.accountId);
}
