// Lets go of kept media by age and by total size, the oldest first.
import type { Clock } from "../core/clock.ts";
import { readMediaId, type MediaStorage } from "./storage.ts";

interface RetentionRules {
  storage: MediaStorage;
  clock: Clock;
  retentionMs: number;
  /** Null for no limit. */
  bytesMax: number | null;
}

/** Number of files removed. */
export async function expireMedia(rules: RetentionRules): Promise<number> {
  const { storage, clock, retentionMs, bytesMax } = rules;
  const leastMs = clock.nowMs() - retentionMs;
  const entries = [];
  let total = 0;
  for await (const { id, bytes } of storage.list()) {
    const keptAtMs = readMediaId(id)?.keptAtMs;
    if (keptAtMs === undefined) continue;
    entries.push({ id, bytes, keptAtMs });
    total += bytes;
  }
  entries.sort((first, second) => first.keptAtMs - second.keptAtMs);
  let removed = 0;
  for (const { id, bytes, keptAtMs } of entries) {
    if (keptAtMs >= leastMs && total <= (bytesMax ?? total)) break;
    await storage.remove(id);
    total -= bytes;
    removed++;
  }
  return removed;
}
