// The charge of an answer, and what whole answers say of it.
import { dollarText, zeroMicros, type Micros } from "../core/money.ts";

/** The charge of a request, and how much less that is than without what the cache read. */
export interface Bill {
  charged: Micros;
  saved: Micros;
}

export const noBill: Bill = { charged: zeroMicros, saved: zeroMicros };

/** Headers that tell it, in US dollars. */
export function billHeaders({ charged, saved }: Bill): Readonly<Record<string, string>> {
  const cost = { "x-sluice-cost-usd": plainDollars(charged) };
  return saved === 0 ? cost : { ...cost, "x-sluice-cache-saved-usd": plainDollars(saved) };
}

function plainDollars(amount: Micros): string {
  return dollarText(amount).slice(1);
}
