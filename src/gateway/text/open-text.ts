// Everything that is decided before the first upstream is called: who may serve the request, what
// it can cost at most, and the hold on that money.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Affinity, ConversationPin } from "../../distribution/affinity.ts";
import type { Channel, ChannelSettings } from "../../distribution/channel.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { knownOutputTokensMax } from "../../catalogue/output-limits.ts";
import { unaskedSearchesOf, unaskedTokensOf } from "../../catalogue/rules/unasked.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Origins } from "../../distribution/origins.ts";
import { cheapest, fastest } from "../../distribution/prefer.ts";
import { findImageFamily, modelsBehind } from "../../families/index.ts";
import type { Format, TextRequest } from "../../formats/format.ts";
import { writtenBytes } from "../../formats/kit/written-bytes.ts";
import type { Surcharge } from "../../formats/surcharge.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Wallet } from "../../quota/balance.ts";
import type { Balances } from "../../quota/balances.ts";
import { boundText, type BoundRules, type RequestBound } from "../../quota/estimate.ts";
import type { Ask, Reservation } from "../../quota/ledger.ts";
import { textHold, type PriceSnapshot } from "../../quota/price.ts";
import type { Prices } from "../../quota/prices.ts";
import { tokensAmple, WalletFit } from "../../quota/wallet-fit.ts";
import { upstreams } from "../../upstreams/index.ts";
import type { Candidates } from "../attempt.ts";
import { findChannels, type Bounded } from "./find-channels.ts";
import { changesBound } from "./mend/mend-bound.ts";
import { convertedTokensMin } from "./plan-text.ts";
import { findSurcharges, heldSurcharges, withSurcharges } from "./surcharges.ts";
import type { TextInput, TextJob } from "./text-job.ts";
import { convertedTo, wireOf } from "./wires.ts";

export interface OpenTextNeeds {
  channels: Channels;
  origins: Origins;
  prices: Prices;
  catalogue: Catalogue;
  balances: Balances;
  bounds: BoundRules;
  affinity: Affinity;
}

/** What a price is found by. */
export interface PriceAsk extends Pick<TextInput, "format" | "body" | "bodyBytes" | "wireHeaders"> {
  call: { caller: Pick<Caller, "multiplierPpm"> };
}

/** Channels that may serve the request, and its price. */
export function findText(needs: OpenTextNeeds, input: TextInput, request: TextRequest): PricedText {
  const { caller } = input.call;
  const serving = findChannels(needs.channels, { caller, format: input.format }, request.model);
  return priceText(needs, input, request, serving);
}

/** Throws the 503 of a model without a price. */
export function priceText(
  needs: Pick<OpenTextNeeds, "prices">,
  input: PriceAsk,
  request: TextRequest,
  serving: readonly Channel[],
): PricedText {
  const askedFor = findSurcharges(input);
  if (askedFor.length > 0)
    return priceSurcharged(needs, input, { request, serving, asked: askedFor });
  const drawing = input.format.drawingFacts && priceDrawing(needs, input, { request, serving });
  if (drawing) return drawing;
  const price = needs.prices.snapshot(request.model, input.call.caller.multiplierPpm);
  return { request, serving, price };
}

/**
 * A model of images that is asked in its vendor's text format, by which its pictures can be counted
 * only where they pass as they are. Null of all others.
 */
function priceDrawing(
  { prices }: Pick<OpenTextNeeds, "prices">,
  { format, body, call }: PriceAsk,
  { request, serving }: Omit<PricedText, "price">,
): PricedText | null {
  if (!format.drawingFacts || !findImageFamily(request.model)) return null;
  const native = serving.filter(({ settings }) => wireOf(settings, format)?.isNative);
  const names = [request.model, ...modelsBehind(request.model)];
  const terms = { multiplierPpm: call.caller.multiplierPpm, held: request.choices };
  const price = native.length > 0 && prices.drawn(names, format.drawingFacts(body), terms);
  return price ? { request: { ...request, draws: true }, serving: native, price } : null;
}

interface PricedText {
  request: TextRequest;
  serving: readonly Channel[];
  price: PriceSnapshot;
}

type Surcharged = Omit<PricedText, "price"> & { asked: readonly Surcharge[] };

function priceSurcharged(
  needs: Pick<OpenTextNeeds, "prices">,
  { format, call }: PriceAsk,
  { request, serving, asked: askedFor }: Surcharged,
): PricedText {
  const foreign = (settings: ChannelSettings) => convertedTo(settings, format);
  const held = heldSurcharges(askedFor, request, { serving, foreign });
  const price = needs.prices.surcharged(request.model, call.caller.multiplierPpm, held);
  return { request: withSurcharges(request, askedFor, price.surcharges), serving, price };
}

/** What a hold is decided by. */
export interface Grounds {
  input: TextInput;
  priced: PricedText;
  wallet: Wallet;
  bounded: Bounded | null;
  conversation: ConversationPin | null;
}

/** Money that was held, and the ask by which it was. */
export interface HeldText {
  hold: TextHold;
  reservation: Reservation;
}

/** Hold that is asked for, with the bound it is for and the rule by which less may be taken. */
export interface TextHold extends Ask {
  bound: RequestBound;
  shrink: WalletFit | undefined;
}

/** With `isAmple` nothing is held for less than an ample answer. */
export function textHoldOf(grounds: Grounds, bound: RequestBound, isAmple: boolean): TextHold {
  const { input, priced, wallet } = grounds;
  const { request, price } = priced;
  const { format, call } = input;
  return {
    id: call.scope.requestId,
    account: wallet.account,
    key: wallet.key,
    group: call.caller.group,
    model: request.model,
    micros: textHold(price, bound),
    price: price.text,
    lower: format.boundField,
    shrink: shrinkOf(grounds, bound, isAmple),
    whereabouts: call,
    bound,
  };
}

/** A request that names no bound is not refused for the most that the model might say. */
function shrinkOf(
  { input, priced: { request, price, serving } }: Grounds,
  bound: RequestBound,
  isAmple: boolean,
): WalletFit | undefined {
  if (request.outputTokensMax !== null || input.action !== "generate") return undefined;
  const isSent = () => !serving.some(({ settings }) => isUnbounded(settings));
  const fit = { price, bound, choices: request.choices, isSent };
  return new WalletFit(isAmple ? { ...fit, tokensLeast: tokensAmple } : fit);
}

/** An operator may have taken the bound away on a channel. */
function isUnbounded({ parametersSet, parametersRemoved }: ChannelSettings): boolean {
  return changesBound([...Object.keys(parametersSet), ...parametersRemoved]);
}

export function toJob(
  { prices }: Pick<OpenTextNeeds, "prices">,
  grounds: Grounds,
  { hold, reservation }: HeldText,
): TextJob {
  const { input, priced, bounded, conversation } = grounds;
  const { request, serving, price } = priced;
  const { shrink } = hold;
  const isLess = shrink !== undefined && reservation.micros < hold.micros;
  const bound = isLess ? shrink.boundOf(reservation.micros) : hold.bound;
  const { format, call } = input;
  const origin = bounded?.origin ?? null;
  const candidates: Candidates = {
    accountId: call.caller.accountId,
    namesObjects:
      request.readsMore === true ||
      (request.readings ?? 0) > 0 ||
      request.origins.required !== null,
    channels: bounded?.channels ?? serving,
    favours: ({ settings }) => wireOf(settings, format)?.isNative === true,
    origin: origin && serving.includes(origin.channel) ? origin : null,
    prefer: preferenceOf(prices, call.caller.prefer, grounds),
    conversation,
  };
  return { input, request, candidates, price, reservation, bound };
}

/** Absent where the weights of channels decide. */
function preferenceOf(
  prices: Prices,
  prefer: Caller["prefer"],
  { priced: { request, price } }: Grounds,
): Candidates["prefer"] {
  if (prefer === undefined || prefer === "weight") return undefined;
  if (prefer === "speed") return (tier) => fastest(tier, request.model);
  const surcharges = price.surcharges.map(({ surcharge }) => surcharge);
  const costOf = ({ settings }: Channel) => {
    const { input, output } = prices.cost(request.model, settings.cost, { surcharges });
    return input * inputPerOutput + output;
  };
  return (tier) => cheapest(tier, costOf);
}

/** Prompts are longer than their answers. */
const inputPerOutput = 4;

/** The most that the request can use on any of the channels. */
export function boundRequest(
  { prices, catalogue, bounds }: Pick<OpenTextNeeds, "prices" | "catalogue" | "bounds">,
  { format, body, bodyBytes }: PriceAsk,
  request: TextRequest,
  serving: readonly Channel[],
): RequestBound {
  const mayConvert = !allSpeak(serving, format);
  const mayFetch = request.hasOpenAddress === true && mayConvert && anyFetches(serving, format);
  const outputTokensMin = mayConvert ? convertedTokensMin : (format.outputBound?.tokensMin ?? 0);
  const { model } = request;
  const declared = prices.outputTokensMax(model);
  const modelTokensMax = declared ?? knownTokensMax(model, serving);
  const sentBytes = bodyBytes + (mayConvert ? addedBy(format, body, request) : 0);
  const sent = { bodyBytes: sentBytes, mayConvert, outputTokensMin, modelTokensMax };
  const read = mayFetch ? { ...request, readsMore: true } : request;
  const bound = boundText(read, catalogue.find(model), sent, bounds);
  if (declared !== null) bound.declaredTokensMax = declared;
  const unseenTokens = unseenBy(serving, model);
  if (unseenTokens > 0) bound.inputTokensMax += unseenTokens;
  const searchesMax = searchesBy(serving, model);
  if (searchesMax > 0) bound.searchesMax = searchesMax * request.choices;
  const thoughtTokensMax = thoughtsBeside(serving, body, request);
  if (thoughtTokensMax > 0) bound.thoughtTokensMax = thoughtTokensMax * request.choices;
  return bound;
}

/** Bytes that a conversion would add; one that is refused adds nothing. */
function addedBy({ client }: Format, body: JsonObject, request: TextRequest): number {
  if (!client) return 0;
  try {
    return writtenBytes(client, body, request);
  } catch (error) {
    if (error instanceof GatewayError) return 0;
    throw error;
  }
}

/** The most that is thought beside one answer, where a vendor does not count it to its bound. */
function thoughtsBeside(
  serving: readonly Channel[],
  body: JsonObject,
  { model, outputTokensMax }: TextRequest,
): number {
  let most = 0;
  for (const channel of serving) {
    const { type, baseUrl } = channel.settings;
    const facet = upstreams[type]?.text;
    if (!facet?.thoughtTokensMax) continue;
    const answerTokensMax = outputTokensMax ?? 0;
    const ask = { baseUrl, model: channel.upstreamModel(model), answerTokensMax };
    most = Math.max(most, facet.thoughtTokensMax(body, ask));
  }
  return most;
}

function searchesBy(serving: readonly Channel[], model: string): number {
  let most = 0;
  for (const channel of serving) {
    most = Math.max(most, unaskedSearchesOf(channel.upstreamModel(model)));
  }
  return most;
}

/** The most that is read where the client cannot see it: what a vendor or its model puts before. */
function unseenBy(serving: readonly Channel[], model: string): number {
  let most = 0;
  for (const channel of serving) {
    const searched = unaskedTokensOf(channel.upstreamModel(model));
    most = Math.max(most, searched + channel.settings.hiddenPromptTokens);
  }
  return most;
}

/** The most over the models that channels have behind the name; null where none is known. */
function knownTokensMax(model: string, serving: readonly Channel[]): number | null {
  const own = knownOutputTokensMax(model);
  let most: number | null = null;
  for (const channel of serving) {
    const behind = channel.upstreamModel(model);
    const known = behind === model ? own : (knownOutputTokensMax(behind) ?? own);
    if (known !== null && (most === null || known > most)) most = known;
  }
  return most;
}

/** Some channel gets it in a wire by which any file may be fetched. */
function anyFetches(channels: readonly Channel[], format: Format): boolean {
  return channels.some(({ settings }) => convertedTo(settings, format)?.fetchesAnything === true);
}

function allSpeak(channels: readonly Channel[], format: Format): boolean {
  for (const { settings } of channels) if (!wireOf(settings, format)?.isNative) return false;
  return true;
}
