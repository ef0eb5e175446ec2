// Statuses that may mean the key, or only this request: what it names, or how much it asks for.
import type { Fault } from "../upstream.ts";

/** Null where the status says nothing of the kind. */
export function suspectFault(status: number, message: string): Fault | null {
  if (status !== 402 && status !== 403) return null;
  return { blame: "suspect", isOfCredit: status === 402, message };
}
