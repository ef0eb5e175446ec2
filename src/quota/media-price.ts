// Prices of media: by the second, by the image or by the call, refined by rules.
import type { ListedPrice, MediaRule } from "../catalogue/model.ts";
import { assert } from "../core/assert.ts";
import {
  cost,
  micros,
  microsMax,
  multiplyPrice,
  picos,
  zeroMicros,
  type Micros,
  type Picos,
} from "../core/money.ts";
import type { ImageTokens } from "./image-tokens.ts";

/** Facts that a price rule may ask about. */
export interface MediaFacts {
  size: string | null;
  quality: string | null;
  resolution: string | null;
  tier: string | null;
}

export interface MediaPrice extends MediaAmounts {
  /** Its vendor's list price, by which channels' costs go; absent where nobody knows. */
  list?: MediaAmounts;
}

export interface MediaAmounts {
  secondMicros: Micros;
  imageMicros: Micros;
  /** Charged once for each job. */
  callMicros: Micros;
  /** Token price of images that are charged by the vendor's count. */
  tokens?: TokenPrice;
}

export interface TokenPrice {
  input: Picos;
  output: Picos;
  /** No image has a price of its own, for where the vendor counts nothing. */
  isOnly: boolean;
}

/** Null when nothing of the price speaks of this kind of media. */
export function snapshotMedia(
  listed: ListedPrice,
  facts: MediaFacts,
  { kind, multiplierPpm }: { kind: "image" | "video"; multiplierPpm: number },
): MediaAmounts | null {
  const rule = listed.rules?.find((one) => holds(one, facts));
  const second = rule?.secondMicros ?? listed.secondMicros;
  const image = rule?.imageMicros ?? listed.imageMicros;
  const call = rule?.callMicros ?? listed.callMicros;
  const perUnit = kind === "video" ? second : image;
  const tokens = kind === "video" ? null : tokenPrice(listed, multiplierPpm, image === null);
  if (perUnit === null && call === null && !tokens) return null;
  const at = (amount: number | null) => multiplyPrice(micros(amount ?? 0), multiplierPpm);
  const amounts = { secondMicros: at(second), imageMicros: at(image), callMicros: at(call) };
  return tokens ? { ...amounts, tokens } : amounts;
}

/** The price as the ledger keeps it: what is charged by. */
export function mediaPriceText({ list: _list, ...charged }: MediaPrice): string {
  return JSON.stringify(charged);
}

/** Both have to be named: half a price is none. */
function tokenPrice(
  { inputMicrosPerMillion: input, outputMicrosPerMillion: output }: ListedPrice,
  multiplierPpm: number,
  isOnly: boolean,
): TokenPrice | null {
  if (input === null || output === null) return null;
  const at = (amount: number) => multiplyPrice(picos(amount), multiplierPpm);
  return { input: at(input), output: at(output), isOnly };
}

/** The count of images, and the most tokens that each can take. */
interface ImageAmount {
  images: number;
  most: ImageTokens;
}

/** The most that the images can cost. */
export function imageHold(price: MediaAmounts, { images, most }: ImageAmount): Micros {
  const each = imagesCost(price, images);
  if (!price.tokens) return each;
  return micros(Math.max(each, tokensCost(price, price.tokens, times(most, images))));
}

/**
 * The cost of images that came: by the vendor's count where tokens have a price, by the image
 * otherwise, and by the most that it can be where there is neither. Images that did not come cost
 * nothing.
 */
export function imageCost(
  price: MediaAmounts,
  { images, most }: ImageAmount,
  usage: ImageTokens | null,
): Micros {
  if (images === 0) return zeroMicros;
  const { tokens } = price;
  const counted = usage ?? (tokens?.isOnly ? times(most, images) : null);
  return tokens && counted ? tokensCost(price, tokens, counted) : imagesCost(price, images);
}

function times({ inputTokens, outputTokens }: ImageTokens, images: number): ImageTokens {
  return { inputTokens: inputTokens * images, outputTokens: outputTokens * images };
}

function imagesCost({ imageMicros, callMicros }: MediaAmounts, images: number): Micros {
  assert(Number.isSafeInteger(images) && images >= 0, `not a number of images: ${images}`);
  return bounded(BigInt(images) * BigInt(imageMicros) + BigInt(callMicros));
}

function tokensCost(
  { callMicros }: MediaAmounts,
  { input, output }: TokenPrice,
  { inputTokens, outputTokens }: ImageTokens,
): Micros {
  const lines = [
    { units: inputTokens, price: input },
    { units: outputTokens, price: output },
  ];
  return bounded(BigInt(cost(lines)) + BigInt(callMicros));
}

function bounded(total: bigint): Micros {
  return total > BigInt(microsMax) ? microsMax : micros(Number(total));
}

const millisPerSecond = 1000;

/** A part of a second is charged as what it is, and a part of a micro as a whole one. */
export function videoCost({ secondMicros, callMicros }: MediaAmounts, seconds: number): Micros {
  assert(Number.isFinite(seconds) && seconds >= 0, `not a length in seconds: ${seconds}`);
  const millis = BigInt(Math.round(seconds * millisPerSecond));
  const product = millis * BigInt(secondMicros);
  const whole = (product + BigInt(millisPerSecond - 1)) / BigInt(millisPerSecond);
  return bounded(whole + BigInt(callMicros));
}

function holds(rule: MediaRule, facts: MediaFacts): boolean {
  return (
    matches(rule.size, facts.size) &&
    matches(rule.quality, facts.quality) &&
    matches(rule.resolution, facts.resolution) &&
    matches(rule.tier, facts.tier)
  );
}

function matches(wanted: string | undefined, actual: string | null): boolean {
  return wanted === undefined || wanted.toLowerCase() === actual?.toLowerCase();
}
