// One measured pass: a load process against one target, with the target's CPU and memory around it.
import { readOutput, startScript } from "../children.ts";
import type { LoadPlan, LoadResult } from "../load-plan.ts";
import type { Options } from "../options.ts";
import { readCpuMicros, readRssBytes, watchRss } from "./process-usage.ts";
import type { Target } from "../targets/target.ts";
import { requestAsk, shortStreamAsk, streamAsk, type Ask } from "./workload.ts";

export const passNames = ["request", "stream", "requestFirstByte", "streamFirstByte"] as const;
export type PassName = (typeof passNames)[number];

export interface Measure extends LoadResult {
  readonly cpuMicrosPerRequest: number;
  readonly rssBytesPeak: number;
  readonly rssBytesAfter: number;
}

export type Work = Ask &
  Pick<LoadPlan, "connections" | "seconds"> &
  Partial<Pick<LoadPlan, "requestsMax" | "holdSeconds" | "keys">>;

// 16 streams of 60 chunks, 2 ms apart, leave every target idle time: chunks then pass one by one,
// while a saturated proxy would find several waiting at once and look cheaper a chunk.
const streamConnections = 16;
const afterworkMs = 150;

export function planPass(name: PassName, options: Options): Work {
  const { seconds, connections } = options;
  switch (name) {
    case "request":
      return { ...requestAsk, connections, seconds };
    case "stream":
      return { ...streamAsk, connections: streamConnections, seconds };
    case "requestFirstByte":
      return { ...requestAsk, connections: 1, seconds: 1 };
    case "streamFirstByte":
      return { ...shortStreamAsk, connections: 1, seconds: 1 };
  }
}

export async function measure(
  { port, headers, pid }: Pick<Target, "port" | "headers" | "pid">,
  work: Work,
): Promise<Measure> {
  const plan: LoadPlan = { port, headers, requestsMax: 10_000_000, ...work };
  const cpuBefore = readCpuMicros(pid);
  const memory = watchRss(pid);
  try {
    const output = await readOutput(startScript("load.ts", [JSON.stringify(plan)]));
    // Work that a target puts off until after the answer (log rows, settlement) is part of its
    // price.
    await Bun.sleep(afterworkMs);
    const result = JSON.parse(output) as LoadResult;
    const cpuMicros = readCpuMicros(pid) - cpuBefore;
    return {
      ...result,
      cpuMicrosPerRequest: cpuMicros / Math.max(1, result.count),
      rssBytesPeak: memory.stop(),
      rssBytesAfter: readRssBytes(pid),
    };
  } finally {
    memory.stop();
  }
}
