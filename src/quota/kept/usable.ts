// A balance in memory is one object that everybody works on; it is put away only while nobody does,
// so that there are never two of it to spend from.
import { GatewayError } from "../../core/errors.ts";

export interface Usable {
  /** Open reservations and grants under way. */
  uses: number;
  /** Put away: whoever still has it must ask for it anew. */
  isForgotten: boolean;
  /** Part of what is held here that the book has not, and is not about to have. */
  unwrittenMicros: number;
}

export function assertUsable({ isForgotten }: Usable): void {
  if (isForgotten) throw new GatewayError("overloaded", { retryAfterSeconds: 1 });
}
