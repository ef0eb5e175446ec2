import type { Operator } from "../../identity/caller.ts";
import type { StatusView } from "../contract.ts";
import type { ControlParts } from "../parts.ts";

/** What the control plane does not know of itself. */
export interface StatusFacts {
  version: string;
  /** What keeps the gateway from taking paid work; empty when nothing does. */
  obstacles(): string[];
}

export async function readStatus(
  { channels, clock, ledger }: ControlParts,
  _operator: Operator,
  { facts, startedAtMs }: { facts: StatusFacts; startedAtMs: number },
): Promise<StatusView> {
  const nowMs = clock.monotonicMs();
  const obstacles = facts.obstacles();
  return {
    version: facts.version,
    uptime_seconds: Math.floor((nowMs - startedAtMs) / 1000),
    channels: {
      enabled: channels.all.length,
      ejected: channels.all.filter(({ health }) => health.isOut(nowMs)).length,
    },
    journal: { queue: ledger.queueLength, oldest_ms: Math.round(ledger.oldestMs) },
    accepts_paid_work: obstacles.length === 0,
    obstacles,
  };
}
