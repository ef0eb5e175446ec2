// Prices: what a model costs a group, snapshotted when a request is admitted.
import type { ListedPrice } from "../catalogue/model.ts";
import { hourWritePercent, type LongContext, type TokenFactor } from "../catalogue/surcharges.ts";
import {
  cost,
  micros,
  microsMax,
  multiplyPrice,
  picos,
  zeroMicros,
  type Line,
  type Micros,
  type Picos,
} from "../core/money.ts";
import { spokenTokens, type SurchargeKind } from "../formats/surcharge.ts";
import type { Usage } from "../formats/usage.ts";
import {
  calledTools,
  callsHold,
  givenFactors,
  heldFactors,
  type PricedSurcharge,
  type SentSurcharges,
} from "./surcharge-price.ts";
import { surchargeText } from "./surcharge-text.ts";

/** The price of a text model with the group's multiplier in it, per token. */
interface TextPrice {
  input: Picos;
  output: Picos;
  cacheRead: Picos;
  cacheWrite: Picos;
  cacheWriteHour: Picos;
  audioInput: Picos;
  /** Price of spoken output. */
  audioOutput: Picos;
}

export interface PriceSnapshot extends TextPrice {
  /** True by its list, whatever the group's multiplier makes of it. */
  isCacheCheaper: boolean;
  /** For each search that the vendor makes unasked and counts. */
  searchMicros: Micros;
  /** Charged once for each request. */
  callMicros: Micros;
  /** Price of each picture in the answer of a model that draws, and the count that is held for. */
  images?: { micros: Micros; held: number };
  /** The model that the reply names, where it is not the one that was asked for. */
  answeredBy?: string;
  /** It is that of a virtual model, whichever member serves. */
  isOfName?: true;
  longContext: LongContext | null;
  /** Those that the request asks for and that have a price. */
  surcharges: readonly PricedSurcharge[];
  /** The snapshot as it stands on the reservation. */
  text: string;
}

const partsPerPercent = 10_000;

export function snapshotPrice(
  listed: ListedPrice,
  multiplierPpm: number,
  extra: Pick<PriceSnapshot, "longContext" | "surcharges"> = {
    longContext: listed.longContext ?? null,
    surcharges: [],
  },
): PriceSnapshot {
  const at = (microsPerMillion: number | null, otherwise: Picos) =>
    microsPerMillion === null ? otherwise : multiplyPrice(picos(microsPerMillion), multiplierPpm);
  const input = at(listed.inputMicrosPerMillion, picos(0));
  const output = at(listed.outputMicrosPerMillion, picos(0));
  const hourWrite = multiplyPrice(input, hourWritePercent * partsPerPercent);
  const price = {
    input,
    output,
    cacheRead: at(listed.cacheReadMicrosPerMillion, input),
    cacheWrite: at(listed.cacheWriteMicrosPerMillion, input),
    cacheWriteHour: at(listed.cacheWriteHourMicrosPerMillion, hourWrite),
    audioInput: at(listed.audioInputMicrosPerMillion, input),
    audioOutput: at(listed.audioOutputMicrosPerMillion, output),
    isCacheCheaper: isCacheCheaper(listed),
    searchMicros: multiplyPrice(micros(listed.toolMicros?.["web_search"] ?? 0), multiplierPpm),
    callMicros: multiplyPrice(micros(listed.callMicros ?? 0), multiplierPpm),
    ...extra,
  };
  const { cacheRead, cacheWrite, callMicros } = price;
  const plain = [input, output, cacheRead, cacheWrite, callMicros].join("/");
  return { ...price, text: plain + surchargeText(price, price.cacheWriteHour !== hourWrite) };
}

function isCacheCheaper({
  inputMicrosPerMillion: input,
  cacheReadMicrosPerMillion: read,
}: ListedPrice): boolean {
  return input !== null && read !== null && read < input;
}

/** The cost of a text reply. Cached input is charged at its own price instead of the input's. */
export function textCost(
  price: PriceSnapshot,
  usage: Usage,
  sent: SentSurcharges | null = null,
): Micros {
  const cacheRead = Math.min(usage.cacheReadTokens, usage.inputTokens);
  const cacheWrite = Math.min(usage.cacheWriteTokens, usage.inputTokens - cacheRead);
  const fresh = usage.inputTokens - cacheRead - cacheWrite + (usage.fetchedTokens ?? 0);
  const spoken = Math.min(usage.audioInputTokens ?? 0, fresh);
  const input: Line[] = [{ units: fresh - spoken, price: price.input }];
  if (spoken !== 0) input.push({ units: spoken, price: price.audioInput });
  if (cacheRead !== 0) input.push({ units: cacheRead, price: price.cacheRead });
  if (isPlain(price, usage)) {
    if (cacheWrite !== 0) input.push({ units: cacheWrite, price: price.cacheWrite });
    input.push({ units: usage.outputTokens, price: price.output });
    return plus(price.callMicros + drawnCost(price, sent) + searchCost(price, usage), input);
  }
  const { hourTokens, audioTokens } = apart(usage, cacheWrite, sent);
  input.push({ units: cacheWrite - hourTokens, price: price.cacheWrite });
  input.push({ units: hourTokens, price: price.cacheWriteHour });
  const output = [
    { units: usage.outputTokens - audioTokens, price: price.output },
    { units: audioTokens, price: price.audioOutput },
  ];
  const factors = factorsOf(price, usage, sent);
  const calls = callsCost(price, sent) + drawnCost(price, sent) + searchCost(price, usage);
  return plus(price.callMicros + calls, dearer(input, output, factors));
}

/** The saving against a cost in which the cache's part had been read anew. */
export function cacheSaving(
  price: PriceSnapshot,
  { usage, sent }: { usage: Usage; sent: SentSurcharges },
  cost: Micros,
): Micros {
  if (usage.cacheReadTokens === 0) return zeroMicros;
  const anew = textCost(price, { ...usage, cacheReadTokens: 0 }, sent);
  return micros(Math.max(anew - cost, 0));
}

function searchCost({ searchMicros }: PriceSnapshot, { searches = 0 }: Usage): number {
  return searches * searchMicros;
}

function searchHold({ searchMicros }: PriceSnapshot, { searchesMax = 0 }: TextBound): number {
  return searchesMax * searchMicros;
}

function drawnCost({ images }: PriceSnapshot, sent: SentSurcharges | null): number {
  return images ? images.micros * (sent?.images ?? 0) : 0;
}

/** Most requests cost their tokens and nothing more. */
function isPlain({ longContext, surcharges }: PriceSnapshot, usage: Usage): boolean {
  return !longContext && surcharges.length === 0 && !usage.cacheWriteHourTokens;
}

/** Tokens that were asked for and are not told apart were all of that kind. */
function apart(usage: Usage, cacheWrite: number, sent: SentSurcharges | null) {
  const isAsked = (kind: SurchargeKind) => sent?.sent.some((one) => one.kind === kind) ?? false;
  const hour = usage.cacheWriteHourTokens ?? (isAsked("cache_1h") ? cacheWrite : 0);
  const audio = isAsked("audio") ? (sent?.use?.countOf(spokenTokens) ?? usage.outputTokens) : 0;
  return {
    hourTokens: Math.min(hour, cacheWrite),
    audioTokens: Math.min(audio, usage.outputTokens),
  };
}

/** Factors of the tokens, by what the reply tells. */
function factorsOf(
  { longContext, surcharges }: PriceSnapshot,
  usage: Usage,
  sent: SentSurcharges | null,
): TokenFactor[] {
  const isLong =
    longContext && usage.inputTokens + (usage.fetchedTokens ?? 0) > longContext.aboveTokens;
  const givenFactor = sent
    ? givenFactors(surcharges, sent).flatMap(({ factor }) => factor ?? [])
    : [];
  return isLong ? [longContext, ...givenFactor] : givenFactor;
}

function callsCost({ surcharges }: PriceSnapshot, sent: SentSurcharges | null): number {
  if (!sent) return 0;
  return calledTools(surcharges, sent).reduce(
    (sum, { priced, calls }) => sum + priced.callMicros * calls,
    0,
  );
}

export interface TextBound {
  inputTokensMax: number;
  /** Less of the input than it can have at most, where it was counted; only the hold goes by it. */
  heldTokensMax?: number;
  /** Part of the input that is read elsewhere, and may be spoken. */
  keptTokensMax?: number;
  outputTokensMax: number;
  /** Thoughts that a vendor bounds apart from the answer. */
  thoughtTokensMax?: number;
  /** Searches that the model makes unasked. */
  searchesMax?: number;
}

/** The most that a request can cost: every token at its dearest price, every call made. */
export function textHold(price: PriceSnapshot, bound: TextBound): Micros {
  if (price.longContext || price.surcharges.length > 0) return surchargedHold(price, bound);
  const drawn = price.images ? price.images.micros * price.images.held : 0;
  const lines: Line[] = [
    ...heldInput(bound, { dearest: dearestInput(price), spoken: price.audioInput }),
    { units: madeTokensMax(bound), price: price.output },
  ];
  return plus(price.callMicros + drawn + searchHold(price, bound), lines);
}

function madeTokensMax({ outputTokensMax, thoughtTokensMax = 0 }: TextBound): number {
  return outputTokensMax + thoughtTokensMax;
}

/**
 * Sound that is part of the body has far fewer tokens than the bytes that it is held for; what is
 * read elsewhere may be nothing but sound.
 */
function heldInput(
  { inputTokensMax, heldTokensMax = inputTokensMax, keptTokensMax = 0 }: TextBound,
  { dearest, spoken }: { dearest: number; spoken: number },
): Line[] {
  if (keptTokensMax === 0 || spoken <= dearest) {
    return [{ units: heldTokensMax, price: picos(dearest) }];
  }
  return [
    { units: heldTokensMax - keptTokensMax, price: picos(dearest) },
    { units: keptTokensMax, price: picos(spoken) },
  ];
}

function dearestInput({ input, cacheRead, cacheWrite }: TextPrice): number {
  return Math.max(input, cacheRead, cacheWrite);
}

function surchargedHold(price: PriceSnapshot, bound: TextBound): Micros {
  const { longContext, surcharges } = price;
  const isAsked = (kind: SurchargeKind) =>
    surcharges.some(({ surcharge }) => surcharge.kind === kind);
  const hour = isAsked("cache_1h") ? price.cacheWriteHour : 0;
  const dearest = Math.max(dearestInput(price), hour);
  const spoken = isAsked("audio") ? price.audioOutput : 0;
  const factors = heldFactors(surcharges);
  const { inputTokensMax, heldTokensMax = inputTokensMax } = bound;
  if (longContext && heldTokensMax > longContext.aboveTokens) factors.push(longContext);
  const lines = dearer(
    heldInput(bound, { dearest, spoken: price.audioInput }),
    [{ units: madeTokensMax(bound), price: picos(Math.max(price.output, spoken)) }],
    factors,
  );
  return plus(price.callMicros + callsHold(surcharges) + searchHold(price, bound), lines);
}

function dearer(
  input: readonly Line[],
  output: readonly Line[],
  factors: readonly TokenFactor[],
): Line[] {
  if (factors.length === 0) return [...input, ...output];
  const times = (line: Line, percents: readonly number[]) => ({
    units: line.units,
    price: percents.reduce<Picos>(
      (price, percent) => multiplyPrice(price, percent * partsPerPercent),
      line.price,
    ),
  });
  const inputPercents = factors.map(({ inputPercent }) => inputPercent);
  const outputPercents = factors.map(({ outputPercent }) => outputPercent);
  return [
    ...input.map((line) => times(line, inputPercents)),
    ...output.map((line) => times(line, outputPercents)),
  ];
}

function plus(callMicros: number, lines: readonly Line[]): Micros {
  return micros(Math.min(callMicros + cost(lines), microsMax));
}
