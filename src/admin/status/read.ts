// How the gateway is doing, and what keeps it from taking paid work.
import type { Clock } from "../../core/clock.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Ledger } from "../../quota/ledger.ts";
import type { StatusView } from "../contract.ts";

export interface StatusNeeds {
  channels: Channels;
  clock: Clock;
  ledger: Ledger;
  version: string;
  /** By the monotonic clock. */
  startedAtMs: number;
  /** What keeps the gateway from taking paid work; empty when nothing does. */
  obstacles(): string[];
  shared: {
    /** Null where there is no Redis. */
    link: { isUp: boolean } | null;
    liveNodes(): number;
  };
}

export async function readStatus(needs: StatusNeeds): Promise<StatusView> {
  const { channels, clock, ledger, version, startedAtMs } = needs;
  const nowMs = clock.monotonicMs();
  const obstacles = needs.obstacles();
  return {
    version,
    uptime_seconds: Math.floor((nowMs - startedAtMs) / 1000),
    channels: {
      enabled: channels.all.length,
      ejected: channels.all.filter(({ health }) => health.isOut(nowMs)).length,
    },
    journal: { queue: ledger.queueLength, oldest_ms: Math.round(ledger.oldestMs) },
    accepts_paid_work: obstacles.length === 0,
    obstacles,
    limits: { by: keeperOf(needs.shared.link), nodes: needs.shared.liveNodes() },
  };
}

function keeperOf(link: { isUp: boolean } | null): StatusView["limits"]["by"] {
  if (link === null) return "node";
  return link.isUp ? "redis" : "share";
}
