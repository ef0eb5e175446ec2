// Prices of images that are larger or better made than usual, in percent of the usual price.
import { noPrice, type ListedPrice, type MediaRule } from "./model.ts";

const hundred = 100;
const byQuality: readonly [quality: string, percent: number][] = [
  ["low", 50],
  ["high", 200],
  ["hd", 200],
  ["xhigh", 300],
  ["max", 400],
];
const byResolution: readonly [resolution: string, percent: number][] = [
  ["2k", 150],
  ["4k", 250],
];

/** Both where both are said, since only the first rule that fits counts. */
export function gradedPrice(imageMicros: number): ListedPrice {
  const both = byQuality.flatMap(([quality, better]) =>
    byResolution.map(([resolution, larger]) =>
      rule({ quality, resolution }, share(share(imageMicros, better), larger)),
    ),
  );
  const better = byQuality.map(([quality, percent]) =>
    rule({ quality }, share(imageMicros, percent)),
  );
  const larger = byResolution.map(([resolution, percent]) =>
    rule({ resolution }, share(imageMicros, percent)),
  );
  return { ...noPrice, imageMicros, rules: [...both, ...better, ...larger] };
}

/** Another price for the largest alone. */
export function largestPrice(imageMicros: number, largestMicros: number): ListedPrice {
  return { ...noPrice, imageMicros, rules: [rule({ resolution: "4k" }, largestMicros)] };
}

function share(micros: number, percent: number): number {
  return Math.ceil((micros * percent) / hundred);
}

function rule(conditions: Pick<MediaRule, "quality" | "resolution">, imageMicros: number) {
  return { ...conditions, imageMicros, secondMicros: null, callMicros: null };
}
