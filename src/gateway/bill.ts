// The charge of an answer, and what whole answers say of it.
import { plainDollars, zeroMicros, type Micros } from "../core/money.ts";

/** The charge of a request, and how much less that is than without what the cache read. */
export interface Bill {
  charged: Micros;
  saved: Micros;
}

export const noBill: Bill = { charged: zeroMicros, saved: zeroMicros };

/** Tell it in the answer's headers, in US dollars. */
export function tellBill(headers: Record<string, string>, { charged, saved }: Bill): void {
  headers["x-sluice-cost-usd"] = plainDollars(charged);
  if (saved !== 0) headers["x-sluice-cache-saved-usd"] = plainDollars(saved);
}
