// Everything that is decided before the first upstream is called: who may serve the request, what
// it can cost at most, and the hold on that money.
import type { Caller } from "../../identity/caller.ts";
import type { JsonObject } from "../../core/json.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Micros } from "../../core/money.ts";
import type { ConversationPin } from "../../distribution/affinity.ts";
import type { Channel, ChannelSettings } from "../../distribution/channel.ts";
import { knownOutputTokensMax } from "../../catalogue/output-limits.ts";
import { fullPictureTokensMax, pictureTokensOf } from "../../catalogue/rules/picture-tokens.ts";
import { unaskedSearchesOf, unaskedTokensOf } from "../../catalogue/rules/unasked.ts";
import type { Format, TextRequest } from "../../formats/format.ts";
import { writtenBytes } from "../../formats/kit/written-bytes.ts";
import type { Wallet } from "../../quota/balance.ts";
import { boundText, estimatePrompt, type RequestBound } from "../../quota/estimate.ts";
import type { Ask, Reservation, Shrink } from "../../quota/ledger.ts";
import { textHold, type PriceSnapshot } from "../../quota/price.ts";
import { tokensAmple, tokensLeast, WalletFit } from "../../quota/wallet-fit.ts";
import { upstreams } from "../../upstreams/index.ts";
import type { Candidates } from "../attempt.ts";
import { preferenceOf } from "./admit/preference.ts";
import { conversationOf } from "./affinity/conversation.ts";
import type { Chain } from "./chain/chain.ts";
import { findChain, type FoundText } from "./chain/find-chain.ts";
import {
  boundWithin,
  ChainFit,
  dearestOf,
  type ChainHold,
  type MemberHold,
} from "./chain/hold-chain.ts";
import type { PricedText, TextLeg } from "./chain/text-leg.ts";
import type { Bounded } from "./choose-origin.ts";
import { findChannels, isAllowed } from "./find-channels.ts";
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

/** Grounds on which a hold is decided. */
export interface Grounds {
  input: TextInput;
  priced: FoundText;
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
export interface TextHold {
  ask: Ask;
  bound: RequestBound;
  shrink: WalletFit | undefined;
}

/** With `isAmple` nothing is held for less than an ample answer. */
export function textHoldOf(grounds: Grounds, bound: RequestBound, isAmple: boolean): TextHold {
  const { input, priced } = grounds;
  const { price } = priced;
  const shrink = shrinkOf(input, priced, bound, isAmple);
  return { ask: askFor(grounds, price, textHold(price, bound), shrink), shrink, bound };
}

function askFor(
  { input, wallet }: Grounds,
  price: PriceSnapshot,
  micros: Micros,
  shrink: Shrink | undefined,
): Ask {
  const { format, call } = input;
  return {
    id: call.scope.requestId,
    account: wallet.account,
    key: wallet.key,
    caps: wallet.caps,
    shortageWords: wallet.shortageWords,
    group: call.caller.group,
    model: call.model,
    micros,
    price: price.text,
    lower: format.boundField,
    shrink,
    whereabouts: call,
  };
}

/** The costs of every member that may serve. */
export function chainHoldOf(needs: OpenTextNeeds, grounds: Grounds, chain: Chain): ChainHold {
  const { input, bounded } = grounds;
  if (bounded) chain.bind(bounded.channels, bounded.origin);
  const members = chain.open.flatMap((member): MemberHold[] => {
    const { priced } = member;
    if (!priced) return [];
    const { price } = priced;
    const bound = boundRequest(needs, input, priced.request, priced.serving);
    const shrink = shrinkOf(input, priced, bound, false);
    return [{ member, price, bound, micros: textHold(price, bound), shrink }];
  });
  return holdMembers(grounds, members);
}

/** Held at the dearest of them, so that whichever serves is covered. */
export function holdMembers(grounds: Grounds, members: readonly MemberHold[]): ChainHold {
  const dearest = dearestOf(members);
  if (!dearest) throw new GatewayError("model_not_found");
  const shrink = dearest.shrink && new ChainFit(members);
  return { ask: askFor(grounds, dearest.price, dearest.micros, shrink), members };
}

/** A request that names no bound is not refused for the most that the model might say. */
function shrinkOf(
  input: TextInput,
  { request, price, serving }: PricedText,
  bound: RequestBound,
  isAmple: boolean,
): WalletFit | undefined {
  if (request.outputTokensMax !== null || input.action !== "generate") return undefined;
  const isSent = () => !serving.some(({ settings }) => isUnbounded(settings));
  const tokensMin = isAmple ? tokensAmple : tokensLeast;
  return new WalletFit({ price, bound, choices: request.choices, tokensMin, isSent });
}

/** An operator may have taken the bound away on a channel. */
function isUnbounded({ parametersSet, parametersRemoved }: ChannelSettings): boolean {
  return changesBound([...Object.keys(parametersSet), ...parametersRemoved]);
}

export function toJob(
  needs: Pick<OpenTextNeeds, "prices">,
  grounds: Grounds,
  { hold, reservation }: HeldText,
): TextJob {
  const { input, priced, conversation } = grounds;
  const { shrink } = hold;
  const isLess = shrink !== undefined && reservation.micros < hold.ask.micros;
  const bound = isLess ? shrink.boundOf(reservation.micros) : hold.bound;
  const { prefer } = input.call.caller;
  const leg = legOf(needs, grounds, { priced, bound, place: { conversation }, prefer });
  return { ...leg, input, reservation };
}

/** With a leg for each member that was held for, which is a conversation of its own. */
export function toChainJob(
  needs: Pick<OpenTextNeeds, "affinity" | "prices">,
  grounds: Grounds,
  { chain, hold, reservation }: { chain: Chain; hold: ChainHold; reservation: Reservation },
): TextJob {
  const { input } = grounds;
  const leg = chain.run((member, onward) => {
    const held = hold.members.find((one) => one.member === member);
    if (!held || !member.priced) throw new GatewayError("model_not_found");
    const conversation = conversationOf(needs.affinity, input, member.priced);
    const bound = boundWithin(held, reservation.micros);
    const { model } = member.link;
    const place = { conversation, onward, model };
    const prefer = member.link.prefer ?? input.call.caller.prefer;
    return legOf(needs, grounds, { priced: member.priced, bound, place, prefer });
  });
  return { ...leg, input, reservation, chain };
}

interface Leg {
  priced: PricedText;
  bound: RequestBound;
  place: Pick<Candidates, "conversation" | "onward" | "model">;
  prefer: Caller["prefer"];
}

function legOf(
  { prices }: Pick<OpenTextNeeds, "prices">,
  { input, bounded }: Grounds,
  { priced, bound, place, prefer }: Leg,
): TextLeg {
  const { request, serving, price } = priced;
  const { format, call } = input;
  const origin = bounded?.origin ?? null;
  const candidates: Candidates = {
    ...place,
    accountId: call.caller.accountId,
    names: [request.model],
    namesObjects:
      request.readsMore === true ||
      (request.readings ?? 0) > 0 ||
      request.origins.required !== null,
    channels: channelsOf(bounded, serving, place.model !== undefined),
    favours: ({ settings }) => wireOf(settings, format)?.isNative === true,
    origin: origin && serving.includes(origin.channel) ? origin : null,
    prefer: preferenceOf(prices, prefer, priced),
    tokensEstimate: estimatePrompt(request, input.bodyBytes),
  };
  return { request, candidates, price, bound };
}

/** Channels that serve this member of a chain. */
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
  const sentBytes = bodyBytes + (mayConvert ? addedBy(format, body, request) : 0);
  const sent = { bodyBytes: sentBytes, mayConvert, outputTokensMin, modelTokensMax };
  const read = mayFetch ? { ...request, readsMore: true } : request;
  const bound = boundText(read, catalogue.find(model), sent, bounds);
  if (declared !== null) bound.declaredTokensMax = declared;
  const unseenTokens = unseenBy(serving, model);
  if (unseenTokens > 0) bound.inputTokensMax += unseenTokens;
  const pictureTokens = request.mediaParts > 0 ? pictureTokensBy(serving, body, model) : 0;
  const beyondTokens = Math.max(0, pictureTokens - bounds.imageTokensMax) * request.mediaParts;
  if (beyondTokens > 0) bound.inputTokensMax += beyondTokens;
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
  let most = budgetOf(body);
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

/** A budget that vendors of Qwen's models take beside the bound of the answer. */
function budgetOf({ enable_thinking: isThinking, thinking_budget: budget }: JsonObject): number {
  return isThinking !== false && typeof budget === "number" ? Math.max(0, budget) : 0;
}

/** The most for one picture on any of the channels; 0 where it is the usual. */
function pictureTokensBy(serving: readonly Channel[], body: JsonObject, model: string): number {
  let most = body["vl_high_resolution_images"] === true ? fullPictureTokensMax : 0;
  for (const channel of serving) {
    most = Math.max(most, pictureTokensOf(channel.upstreamModel(model)));
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
