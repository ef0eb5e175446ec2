// Sums of what was used, as they go over the wire.
import type { ChannelMeasure, Measure } from "../../observe/rollup/rollup.ts";
import type { UsageSums } from "./contract.ts";

export function toSums(read: (measure: Measure) => number | undefined): UsageSums {
  const sum = (measure: Measure) => read(measure) ?? 0;
  return {
    requests: sum("requests"),
    failures: sum("failures"),
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    cache_read_tokens: sum("cache_read_tokens"),
    cache_write_tokens: sum("cache_write_tokens"),
    reasoning_tokens: sum("reasoning_tokens"),
    images: sum("images"),
    seconds: sum("media_ms") / 1000,
    micros: sum("micros"),
  };
}

export function toAttempts(read: (measure: ChannelMeasure) => number | undefined) {
  return { attempts: read("attempts") ?? 0, attempt_failures: read("attempt_failures") ?? 0 };
}
