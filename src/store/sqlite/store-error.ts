// Faults of the engine, in the few words that the rest of the program tells apart.
import { StoreError, type StoreFaultKind } from "../store.ts";

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (!(error instanceof Error)) return new StoreError("other", String(error));
  return new StoreError(faultKind("code" in error ? String(error.code) : ""), error.message);
}

function faultKind(code: string): StoreFaultKind {
  if (code.startsWith("SQLITE_CONSTRAINT")) return "constraint";
  if (code.startsWith("SQLITE_FULL") || code === "ENOSPC" || code === "EFBIG") return "full";
  if (/^(?:SQLITE_IOERR|SQLITE_READONLY|EIO|EROFS)/.test(code)) return "io";
  return "other";
}
