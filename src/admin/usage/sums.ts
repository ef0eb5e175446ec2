// Sums of what was used, as they go over the wire.
import { eachMeasure, type ChannelMeasure, type Measure } from "../../observe/rollup/rollup.ts";
import type { UsageSums } from "./contract.ts";

export function toSums(read: (measure: Measure) => number | undefined): UsageSums {
  const {
    media_ms,
    micros,
    cost_micros: _cost,
    ...sums
  } = eachMeasure((measure) => read(measure) ?? 0);
  return { ...sums, seconds: media_ms / 1000, micros };
}

/** Cost and margin, for operators alone. */
export type ShowMargin = (
  read: (measure: "micros" | "cost_micros") => number | undefined,
) => Partial<Pick<UsageSums, "cost_micros" | "margin_micros">>;

/** Nothing of it is shown to those whose usage it is. */
export const noMargin: ShowMargin = () => ({});

export const toMargin: ShowMargin = (read) => {
  const [charged, cost] = [read("micros") ?? 0, read("cost_micros") ?? 0];
  return { cost_micros: cost, margin_micros: charged - cost };
};

export function toAttempts(read: (measure: ChannelMeasure) => number | undefined) {
  return { attempts: read("attempts") ?? 0, attempt_failures: read("attempt_failures") ?? 0 };
}
