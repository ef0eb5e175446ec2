// Everything that is decided before the first upstream is called: who may serve the request, what
// it can cost at most, and the hold on that money.
import type { JsonObject } from "../../core/json.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Micros } from "../../core/money.ts";
import type { Channel, ChannelSettings } from "../../distribution/channel.ts";
import { knownOutputTokensMax } from "../../catalogue/output-limits.ts";
import { unaskedSearchesOf, unaskedTokensOf } from "../../catalogue/rules/unasked.ts";
import type { Format, TextRequest } from "../../formats/format.ts";
import type { Wallet } from "../../quota/balance.ts";
import { boundText, type RequestBound } from "../../quota/estimate.ts";
import type { Reservation, Shrink } from "../../quota/ledger.ts";
import { textHold, type PriceSnapshot } from "../../quota/price.ts";
import { WalletFit } from "../../quota/wallet-fit.ts";
import { upstreams } from "../../upstreams/index.ts";
import type { Candidates } from "../attempt.ts";
import type { Member } from "./chain/chain.ts";
import { findChain, type FoundText } from "./chain/find-chain.ts";
import {
  boundWithin,
  ChainFit,
  dearestOf,
  type MemberHold,
  type TextHold,
} from "./chain/hold-chain.ts";
import type { PricedText, TextLeg } from "./chain/text-leg.ts";
import { findChannels, isAllowed, type Bounded } from "./find-channels.ts";
import { changesBound } from "./mend/mend-bound.ts";
import { convertedTokensMin } from "./plan-text.ts";
import { priceText, type OpenTextNeeds, type PriceAsk } from "./price-text.ts";
import type { TextInput, TextJob } from "./text-job.ts";
import { convertedTo, wireOf } from "./wires.ts";

/** Channels that may serve the request, and its price. */
export function findText(needs: OpenTextNeeds, input: TextInput, request: TextRequest): FoundText {
  const { caller } = input.call;
  const virtual = needs.virtualModels.find(request.model, caller.group);
  if (virtual && isAllowed(caller, virtual.name))
    return findChain(needs, input, { request, virtual });
  const serving = findChannels(needs.channels, { caller, format: input.format }, request.model);
  return priceText(needs, input, request, serving);
}

/** What a hold is decided by. */
export interface Grounds {
  input: TextInput;
  priced: FoundText;
  wallet: Wallet;
  bounded: Bounded | null;
}

export function holdFor(needs: OpenTextNeeds, grounds: Grounds): TextHold {
  const { input, priced, bounded } = grounds;
  const { chain } = priced;
  if (chain) {
    if (bounded) chain.bind(bounded.channels, bounded.origin);
    return holdMembers(grounds, holdsOf(needs, input, chain.open));
  }
  const { request, serving, price } = priced;
  const bound = boundRequest(needs, input, request, serving);
  const fit = shrinkOf(input, priced, bound);
  return askFor(grounds, { price, bound, micros: textHold(price, bound), fit, shrink: fit });
}

interface Held {
  price: PriceSnapshot;
  bound: RequestBound;
  micros: Micros;
  fit: WalletFit | undefined;
  shrink: Shrink | undefined;
}

function askFor({ input, wallet }: Grounds, { price, bound, micros, fit, shrink }: Held): TextHold {
  const { format, call } = input;
  return {
    id: call.scope.requestId,
    account: wallet.account,
    key: wallet.key,
    group: call.caller.group,
    model: call.model,
    micros,
    price: price.text,
    lower: format.boundField,
    shrink,
    whereabouts: call,
    bound,
    fit,
  };
}

function holdsOf(needs: OpenTextNeeds, input: TextInput, members: readonly Member[]): MemberHold[] {
  return members.flatMap((member) => {
    const { priced } = member;
    if (!priced) return [];
    const { price } = priced;
    const bound = boundRequest(needs, input, priced.request, priced.serving);
    const shrink = shrinkOf(input, priced, bound);
    return [{ member, price, bound, micros: textHold(price, bound), shrink }];
  });
}

/** Held at the dearest of them, so that whichever serves is covered. */
export function holdMembers(grounds: Grounds, members: readonly MemberHold[]): TextHold {
  const dearest = dearestOf(members);
  if (!dearest) throw new GatewayError("model_not_found");
  const { price, bound, micros } = dearest;
  const shrink = dearest.shrink && new ChainFit(members);
  return { ...askFor(grounds, { price, bound, micros, fit: undefined, shrink }), members };
}

/** A request that names no bound is not refused for the most that the model might say. */
function shrinkOf(
  input: TextInput,
  { request, price, serving }: PricedText,
  bound: RequestBound,
): WalletFit | undefined {
  if (request.outputTokensMax !== null || input.action !== "generate") return undefined;
  const isSent = () => !serving.some(({ settings }) => isUnbounded(settings));
  return new WalletFit({ price, bound, choices: request.choices, isSent });
}

/** An operator may have taken the bound away on a channel. */
function isUnbounded({ parametersSet, parametersRemoved }: ChannelSettings): boolean {
  return changesBound([...Object.keys(parametersSet), ...parametersRemoved]);
}

export function toJob(grounds: Grounds, wanted: TextHold, reservation: Reservation): TextJob {
  const { input, priced } = grounds;
  const { chain } = priced;
  if (chain) {
    const leg = chain.run((member, onward) => {
      const held = wanted.members?.find((one) => one.member === member);
      if (!held || !member.priced) throw new GatewayError("model_not_found");
      const bound = boundWithin(held, reservation.micros);
      const { model } = member.link;
      return legOf(grounds, member.priced, bound, { onward, model });
    });
    return { input, reservation, chain, ...leg };
  }
  const { fit } = wanted;
  const isLess = fit !== undefined && reservation.micros < wanted.micros;
  const bound = isLess ? fit.boundOf(reservation.micros) : wanted.bound;
  return { input, reservation, ...legOf(grounds, priced, bound) };
}

function legOf(
  { input, bounded }: Grounds,
  { request, serving, price }: PricedText,
  bound: RequestBound,
  member?: Pick<Candidates, "onward" | "model">,
): TextLeg {
  const { format, call } = input;
  const origin = bounded?.origin ?? null;
  const candidates: Candidates = {
    accountId: call.caller.accountId,
    namesObjects:
      request.readsMore === true ||
      (request.readings ?? 0) > 0 ||
      request.origins.required !== null,
    channels: channelsOf(bounded, serving, member !== undefined),
    favours: ({ settings }) => wireOf(settings, format)?.isNative === true,
    origin: origin && serving.includes(origin.channel) ? origin : null,
    ...member,
  };
  return { request, candidates, price, bound };
}

/** Of a chain's member those alone that serve it. */
function channelsOf(
  bounded: Bounded | null,
  serving: readonly Channel[],
  isMember: boolean,
): readonly Channel[] {
  if (!bounded) return serving;
  const { channels } = bounded;
  return isMember ? channels.filter((channel) => serving.includes(channel)) : channels;
}

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
  const sent = { bodyBytes, mayConvert, outputTokensMin, modelTokensMax };
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
