// Sums of what was used, as they go over the wire.
import { eachMeasure, type ChannelMeasure, type Measure } from "../../observe/rollup/rollup.ts";
import type { UsageSums } from "./contract.ts";

export function toSums(read: (measure: Measure) => number | undefined): UsageSums {
  const { media_ms, micros, ...sums } = eachMeasure((measure) => read(measure) ?? 0);
  return { ...sums, seconds: media_ms / 1000, micros };
}

export function toAttempts(read: (measure: ChannelMeasure) => number | undefined) {
  return { attempts: read("attempts") ?? 0, attempt_failures: read("attempt_failures") ?? 0 };
}
