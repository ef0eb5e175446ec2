// Vitals of the process: what admins are told of it.
import { statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Vitals } from "../admin/status/read.ts";
import type { Config } from "../config/config.ts";
import { backupMarkFile } from "../store/backup-mark.ts";
import type { Base } from "./base.ts";
import type { Control } from "./control.ts";
import type { ProcessWatch } from "./watch.ts";

interface VitalNeeds {
  base: Base;
  control: Control;
  watch: ProcessWatch;
}

export function readVitals(
  { limits, dataFolder }: Config,
  { base, control, watch }: VitalNeeds,
): Vitals {
  const { blocks, bavail, bsize } = statfsSync(dataFolder);
  const marked = statSync(join(dataFolder, backupMarkFile), { throwIfNoEntry: false });
  return {
    memory: { used_bytes: process.memoryUsage().rss, most_bytes: limits.memoryBytesMax },
    streams: {
      open: watch.streams.size,
      most: limits.streamsMax,
      read_on: watch.readOn.size + watch.madeOn.size,
    },
    requests_open: control.openCalls.size,
    loop_lag_ms: Math.round(watch.loopLag.meanSeconds() * 10_000) / 10,
    disk: { free_bytes: bavail * bsize, size_bytes: blocks * bsize },
    recordsDropped: control.ledger.recordsDropped + base.lostRecords(),
    verified: lastVerified(base, control),
    backedUpAtMs: marked ? Math.round(marked.mtimeMs) : null,
  };
}

/** The latest verification, by the check at the start or by whoever asked since. */
function lastVerified({ verified }: Base, { books: { last } }: Control): Vitals["verified"] {
  if (!last || (verified && verified.atMs > last.atMs)) return verified;
  return { atMs: last.atMs, isGood: last.violations.length === 0 };
}
