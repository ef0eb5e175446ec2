// Finds the conversation that a text request belongs to, so that it goes where its prompt cache is
// warm. Only where that can pay: something is left to choose, and the price of a cache read is
// lower than that of input.
import { digestOf } from "../../../core/digest.ts";
import type { AccountId } from "../../../core/ids.ts";
import type { Affinity, ConversationPin } from "../../../distribution/affinity.ts";
import type { Channel } from "../../../distribution/channel.ts";
import type { Format, TextRequest } from "../../../formats/format.ts";
import { conversationHeaders, Opening } from "../../../formats/kit/opening.ts";
import type { PriceSnapshot } from "../../../quota/price.ts";
import { takesCacheKey } from "./cache-key.ts";
import type { TextInput } from "../text-job.ts";

/** A shorter opening is in no vendor's cache. */
const openingBodyBytesMin = 4096;
const idCharactersMax = 1024;

interface Asked {
  format: Format;
  serving: readonly Channel[];
  price: Pick<PriceSnapshot, "isCacheCheaper">;
}

/** Reasons for conversations to stay on one key, or for which that would change nothing. */
type AffinityState = "on" | "off" | "no_cheaper_reads" | "no_choice";

export function affinityOf(affinity: Affinity, { format, serving, price }: Asked): AffinityState {
  if (!affinity.isOn) return "off";
  if (!price.isCacheCheaper) return "no_cheaper_reads";
  return format.conversation && hasChoice(serving, format) ? "on" : "no_choice";
}

/** The parts of a request that tell its conversation. */
interface ConversationInput extends Pick<TextInput, "format" | "body" | "bodyBytes" | "headers"> {
  call: { caller: { accountId: AccountId } };
}

/** Null where the request stands alone, or where affinity has nothing to decide. */
export function conversationOf(
  affinity: Affinity,
  input: ConversationInput,
  { request, serving, price }: Omit<Asked, "format"> & { request: TextRequest },
): ConversationPin | null {
  const { format, call } = input;
  if (affinityOf(affinity, { format, serving, price }) !== "on") return null;
  const id = conversationIdOf(input);
  return id === null
    ? null
    : namedConversation(affinity, { accountId: call.caller.accountId, model: request.model }, id);
}

interface ConversationOwner {
  accountId: AccountId;
  model: string;
}

/** Nobody else's, and of no other model: caches are by model, and accounts share nothing. */
export function namedConversation(
  affinity: Affinity,
  { accountId, model }: ConversationOwner,
  id: string,
): ConversationPin {
  return affinity.conversation(digestOf(`${accountId}\n${model}\n${id.slice(0, idCharactersMax)}`));
}

function hasChoice(serving: readonly Channel[], format: Format): boolean {
  for (const { settings } of serving) {
    if (!settings.affinity) continue;
    if (serving.length > 1 || settings.keys.length > 1) return true;
    if (takesCacheKey(settings, format)) return true;
  }
  return false;
}

/** Null where nothing tells which one it is. */
export function conversationIdOf(input: ConversationInput): string | null {
  const { format, body, bodyBytes, headers } = input;
  for (const name of conversationHeaders) {
    const id = headers.get(name);
    if (id) return id;
  }
  const named = format.conversation?.id(body) ?? null;
  if (named !== null || bodyBytes < openingBodyBytesMin) return named;
  const opening = new Opening();
  format.conversation?.open(body, opening);
  const { fingerprint } = opening;
  return fingerprint && `opening ${fingerprint}`;
}
