// A number within a schema's bounds.
import type { Json, JsonObject } from "../../src/core/json.ts";

interface Bounds {
  low: number;
  high: number;
  isLowOpen: boolean;
  isHighOpen: boolean;
}

export function writeNumber(schema: JsonObject, isInteger: boolean): number {
  const bounds = readBounds(schema);
  const step = stepOf(schema["multipleOf"], isInteger);
  return step === null ? between(bounds) : onStep(bounds, step);
}

function readBounds(schema: JsonObject): Bounds {
  const low = numeric(schema["minimum"], Number.NEGATIVE_INFINITY);
  const high = numeric(schema["maximum"], Number.POSITIVE_INFINITY);
  const openLow = numeric(schema["exclusiveMinimum"], Number.NEGATIVE_INFINITY);
  const openHigh = numeric(schema["exclusiveMaximum"], Number.POSITIVE_INFINITY);
  return {
    low: Math.max(low, openLow),
    high: Math.min(high, openHigh),
    isLowOpen: openLow >= low && openLow !== Number.NEGATIVE_INFINITY,
    isHighOpen: openHigh <= high && openHigh !== Number.POSITIVE_INFINITY,
  };
}

function stepOf(multiple: Json | undefined, isInteger: boolean): number | null {
  const given = typeof multiple === "number" && multiple > 0 ? multiple : null;
  if (!isInteger) return given;
  return given !== null && Number.isInteger(given) ? given : 1;
}

function between({ low, high }: Bounds): number {
  if (Number.isFinite(low) && Number.isFinite(high)) return low + (high - low) / 2;
  if (Number.isFinite(low)) return low + 1;
  return Number.isFinite(high) ? high - 1 : 1.5;
}

function onStep({ low, high, isLowOpen, isHighOpen }: Bounds, step: number): number {
  if (Number.isFinite(low)) {
    const first = Math.ceil(low / step) * step;
    return isLowOpen && first === low ? first + step : first;
  }
  if (!Number.isFinite(high)) return step;
  const last = Math.floor(high / step) * step;
  return isHighOpen && last === high ? last - step : last;
}

function numeric(value: Json | undefined, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}
