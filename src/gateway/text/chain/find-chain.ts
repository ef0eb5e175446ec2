// The members of a virtual model as one request can have them: who serves each, and at what price.
import { GatewayError } from "../../../core/errors.ts";
import type { Channel } from "../../../distribution/channel.ts";
import type { ChainLink, VirtualModel } from "../../../distribution/virtual-models.ts";
import type { TextRequest } from "../../../formats/format.ts";
import type { MemberFate } from "../../../observe/chain-note.ts";
import { unknownPin } from "../../candidates.ts";
import { unknownModel } from "../../unknown-model.ts";
import { servingOf, wantedOf } from "../find-channels.ts";
import { priceText, type OpenTextNeeds } from "../price-text.ts";
import type { TextInput } from "../text-job.ts";
import { conversationIdOf } from "../affinity/conversation.ts";
import { Chain, type Member } from "./chain.ts";
import { drawOf } from "./conversation.ts";
import type { PricedText } from "./text-leg.ts";

/** Text has hardly ever fewer tokens than a sixth of its bytes: this much is surely there. */
const bytesPerTokenMost = 6;

export interface FoundText extends PricedText {
  /**
   * The chain, where the name is a virtual one: this is its first member then, with the channels of
   * all.
   */
  chain?: Chain;
}

/** Throws the 503 of a name behind which nobody serves, or nothing has a price. */
export function findChain(
  needs: OpenTextNeeds,
  input: TextInput,
  { request, virtual }: { request: TextRequest; virtual: VirtualModel },
): FoundText {
  const { caller } = input.call;
  const { body } = input;
  const id = conversationIdOf(input);
  const draw = drawOf(needs.random, { accountId: caller.accountId, id, body });
  const links = needs.virtualModels.chainOf(virtual, caller.group, draw);
  // Vectors of two models cannot be compared, so embeddings have one and no other.
  const tried = input.format.embedding ? links.slice(0, 1) : links;
  const members = tried.map((link) => toMember(needs, input, { request, link }));
  reopenLongest(members);
  const chain = new Chain(virtual, members);
  const [first] = chain.open;
  if (!first?.priced) throw nobody(members, input, virtual.name);
  const serving = new Set(chain.open.flatMap(({ priced }) => priced?.serving ?? []));
  return { ...first.priced, serving: [...serving], chain };
}

interface Asked {
  request: TextRequest;
  link: ChainLink;
}

function toMember(needs: OpenTextNeeds, input: TextInput, { request, link }: Asked): Member {
  const closed = (fate: MemberFate): Member => ({ link, priced: null, fate });
  const { call, format } = input;
  const serving = servingOf(needs, { caller: call.caller, format }, link.model);
  if (serving.length === 0) return closed("unserved");
  const priced = priceOf(needs, input, { request, link, serving });
  if (!priced) return closed("unpriced");
  const fate = isTooLong(needs, input, { request, link }) ? "too_long" : "not_needed";
  return { link, priced, fate };
}

/** At the price of the name where it has its own; null where there is none. */
function priceOf(
  needs: OpenTextNeeds,
  input: TextInput,
  { request, link, serving }: Asked & { serving: readonly Channel[] },
): PricedText | null {
  const { model, pricedAs } = link;
  try {
    const nameRequest = { ...request, model: pricedAs ?? model };
    const text = priceText(needs, input, nameRequest, serving);
    const price = pricedAs === null ? text.price : { ...text.price, isOfName: true as const };
    return { ...text, price, request: { ...text.request, model } };
  } catch (error) {
    if (error instanceof GatewayError && error.code === "model_not_priced") return null;
    throw error;
  }
}

function isTooLong(
  { catalogue }: OpenTextNeeds,
  { bodyBytes }: TextInput,
  { request, link }: Asked,
): boolean {
  const { model, windowTokens } = link;
  const window = windowTokens ?? catalogue.find(model)?.inputTokensMax ?? null;
  return window !== null && (bodyBytes - request.mediaBytes) / bytesPerTokenMost > window;
}

/** Nothing is refused for a guess: with no other left, the vendors say whether it is too long. */
function reopenLongest(members: readonly Member[]): void {
  if (members.some(({ fate }) => fate === "not_needed")) return;
  for (const member of members) if (member.fate === "too_long") member.fate = "not_needed";
}

function nobody(members: readonly Member[], { call, format }: TextInput, model: string) {
  if (members.some(({ fate }) => fate === "unpriced")) {
    return new GatewayError("model_not_priced", { param: "model" });
  }
  const { caller } = call;
  return unknownPin(caller, model) ?? unknownModel({ model, caller, wanted: wantedOf(format) });
}
