// Faults of the server, in the few words that the rest of the program tells apart. The server says
// it by SQLSTATE; without one, the way to it is lost.
import { StoreError, type StoreFaultKind } from "../store.ts";

/** State that our own functions raise where a row did not change as it must. */
export const conflictState = "SL409";

/** Raised by nobody: the commit was undone because of others, and may be tried again. */
const passing = new Set(["40001", "40P01"]);
/** A plan that was made before a table got a new column. */
const stalePlan = "0A000";

export class PostgresError extends StoreError {
  readonly state: string | null;

  constructor(kind: StoreFaultKind, message: string, state: string | null) {
    super(kind, message);
    this.state = state;
  }

  /** Nobody knows what became of what was sent last. */
  get isLost(): boolean {
    return this.state === null || /^(?:08|57P)/.test(this.state);
  }

  get isPassing(): boolean {
    return this.state !== null && passing.has(this.state);
  }

  get isStale(): boolean {
    return this.state === stalePlan;
  }
}

export function toPostgresError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (!(error instanceof Error)) return new PostgresError("other", String(error), null);
  const state = "errno" in error && typeof error.errno === "string" ? error.errno : null;
  return new PostgresError(faultKind(state), error.message, state);
}

function faultKind(state: string | null): StoreFaultKind {
  if (state === null) return "io";
  if (state === conflictState) return "conflict";
  if (state.startsWith("23")) return "constraint";
  if (state.startsWith("53")) return "full";
  return /^(?:08|25006|40|57|58)/.test(state) ? "io" : "other";
}
