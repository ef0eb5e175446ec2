// Status of the gateway, and what keeps it from taking paid work.
import type { Clock } from "../../core/clock.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Ledger } from "../../quota/ledger.ts";
import type { Operator } from "../../identity/caller.ts";
import { findExtent } from "../../observe/listing/queries.ts";
import { readLog, type LogReader } from "../../store/log.ts";
import type { StatusView } from "./contract.ts";
import { toSeconds } from "../input.ts";

export interface StatusNeeds {
  channels: Channels;
  clock: Clock;
  ledger: Ledger;
  version: string;
  /** Start by the monotonic clock. */
  startedAtMs: number;
  /** Obstacles to taking paid work; empty when there is none. */
  obstacles(): string[];
  shared: {
    /** Null where there is no Redis. */
    link: { isUp: boolean } | null;
    liveNodes(): number;
  };
  store: LogReader;
  vitals(): Vitals;
}

/** Facts that only the process knows of itself. */
export interface Vitals extends Pick<
  ProcessView,
  "memory" | "streams" | "requests_open" | "loop_lag_ms" | "disk"
> {
  recordsDropped: number;
  verified: { atMs: number; isGood: boolean } | null;
  backedUpAtMs: number | null;
}

type ProcessView = NonNullable<StatusView["process"]>;

export async function readStatus(needs: StatusNeeds, operator: Operator): Promise<StatusView> {
  const { channels, clock, ledger, version, startedAtMs } = needs;
  const nowMs = clock.monotonicMs();
  const obstacles = needs.obstacles();
  return {
    version,
    uptime_seconds: Math.floor((nowMs - startedAtMs) / 1000),
    channels: countChannels(channels.all, nowMs),
    journal: { queue: ledger.queueLength, oldest_ms: Math.round(ledger.oldestMs) },
    accepts_paid_work: obstacles.length === 0,
    obstacles,
    limits: { by: keeperOf(needs.shared.link), nodes: needs.shared.liveNodes() },
    ...(operator.may.has("settings.read") && { process: await readProcess(needs) }),
  };
}

/** Those of the operator, as the list of channels has them, and the sandbox's apart. */
function countChannels(all: Channels["all"], nowMs: number): StatusView["channels"] {
  const own = all.filter(({ settings }) => !settings.keepsKeys);
  return {
    enabled: own.length,
    ejected: own.filter(({ health }) => health.isOut(nowMs)).length,
    sandbox: all.length - own.length,
  };
}

async function readProcess({ store, vitals }: StatusNeeds): Promise<ProcessView> {
  const { recordsDropped, verified, backedUpAtMs, ...shown } = vitals();
  const [log] = await readLog(store, findExtent);
  return {
    ...shown,
    log: { rows: log?.rows ?? 0, dropped: recordsDropped },
    last_verify: verified && { at: toSeconds(verified.atMs), ok: verified.isGood },
    last_backup_at: backedUpAtMs === null ? null : toSeconds(backedUpAtMs),
  };
}

function keeperOf(link: { isUp: boolean } | null): StatusView["limits"]["by"] {
  if (link === null) return "node";
  return link.isUp ? "redis" : "share";
}
