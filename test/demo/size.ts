// Size of a month: some 6,000 requests, which take a minute or two.
import type { MonthAsk } from "./month.ts";

export function monthOf(seed: string): Pick<MonthAsk, "seed" | "days" | "share"> {
  return { seed, days: 30, share: 0.6 };
}
