// The gateway's sight of a run: the usage log of the agent's key, and every answer that it gave
// besides, also to what no usage log has.
import type { Gateway } from "../harness/gateway.ts";

export interface LogRow {
  route: string;
  model: string;
  channel: string | null;
  status: number;
  outcome: string;
  micros: number;
}

/** A line of the request log. */
export interface Answered {
  method: string;
  path: string;
  status: number;
  outcome: string;
}

const logMsMax = 5000;

/** Rows are written a moment after the answer. */
export async function readLog(gateway: Gateway, keyId: string, count: number): Promise<LogRow[]> {
  const deadlineMs = performance.now() + logMsMax;
  for (;;) {
    const path = `/api/log?key=${keyId}&page_size=100`;
    const { items } = await gateway.control<{ items: LogRow[] }>("GET", path);
    if (items.length >= count || performance.now() > deadlineMs) return items;
    await Bun.sleep(50);
  }
}

/** Answers that it gave after it had written so much, but for those of the control plane. */
export function answeredSince(gateway: Gateway, characters: number): Answered[] {
  return gateway.output
    .slice(characters)
    .split("\n")
    .filter((line) => line.includes('"request"'))
    .map((line) => JSON.parse(line) as Answered)
    .filter(({ path }) => !path.startsWith("/api/"));
}

export function isRefused({ status, outcome }: Pick<Answered, "status" | "outcome">): boolean {
  return status >= 400 || outcome !== "ok";
}
