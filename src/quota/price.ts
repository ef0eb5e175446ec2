// Prices: what a model costs a group, snapshotted when a request is admitted.
import type { ListedPrice } from "../catalogue/model.ts";
import {
  cost,
  micros,
  microsMax,
  multiplyPrice,
  picos,
  type Line,
  type Micros,
  type Picos,
} from "../core/money.ts";
import type { Usage } from "../formats/usage.ts";

/** The price of a text model with the group's multiplier in it, per token. */
interface TextPrice {
  input: Picos;
  output: Picos;
  cacheRead: Picos;
  cacheWrite: Picos;
}

export interface PriceSnapshot extends TextPrice {
  /** Charged once for each request. */
  callMicros: Micros;
  /** The snapshot as it stands on the reservation. */
  text: string;
}

export function snapshotPrice(listed: ListedPrice, multiplierPpm: number): PriceSnapshot {
  const input = at(listed.inputMicrosPerMillion ?? 0, multiplierPpm);
  const output = at(listed.outputMicrosPerMillion ?? 0, multiplierPpm);
  const cacheRead =
    listed.cacheReadMicrosPerMillion === null
      ? input
      : at(listed.cacheReadMicrosPerMillion, multiplierPpm);
  const cacheWrite =
    listed.cacheWriteMicrosPerMillion === null
      ? input
      : at(listed.cacheWriteMicrosPerMillion, multiplierPpm);
  const callMicros = multiplyPrice(micros(listed.callMicros ?? 0), multiplierPpm);
  const text = [input, output, cacheRead, cacheWrite, callMicros].join("/");
  return { input, output, cacheRead, cacheWrite, callMicros, text };
}

function at(microsPerMillion: number, multiplierPpm: number): Picos {
  return multiplyPrice(picos(microsPerMillion), multiplierPpm);
}

/** What a text reply costs. Cached input is charged at its own price instead of the input's. */
export function textCost(price: PriceSnapshot, usage: Usage): Micros {
  const cacheRead = Math.min(usage.cacheReadTokens, usage.inputTokens);
  const cacheWrite = Math.min(usage.cacheWriteTokens, usage.inputTokens - cacheRead);
  return plus(price.callMicros, [
    {
      units: usage.inputTokens - cacheRead - cacheWrite + (usage.fetchedTokens ?? 0),
      price: price.input,
    },
    { units: cacheRead, price: price.cacheRead },
    { units: cacheWrite, price: price.cacheWrite },
    { units: usage.outputTokens, price: price.output },
  ]);
}

export interface TextBound {
  inputTokensMax: number;
  outputTokensMax: number;
}

/** The most that a request can cost: every input token at its dearest price. */
export function textHold(price: PriceSnapshot, bound: TextBound): Micros {
  const dearest = Math.max(price.input, price.cacheRead, price.cacheWrite);
  return plus(price.callMicros, [
    { units: bound.inputTokensMax, price: picos(dearest) },
    { units: bound.outputTokensMax, price: price.output },
  ]);
}

function plus(callMicros: Micros, lines: readonly Line[]): Micros {
  return micros(Math.min(callMicros + cost(lines), microsMax));
}
