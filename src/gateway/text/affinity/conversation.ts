// Finds the conversation that a text request belongs to, so that it goes where its prompt cache is
// warm. Only where that can pay: something is left to choose, and the price of a cache read is
// lower than that of input.
import { digestOf } from "../../../core/digest.ts";
import type { AccountId } from "../../../core/ids.ts";
import type { Affinity, ConversationPin } from "../../../distribution/affinity.ts";
import type { Channel } from "../../../distribution/channel.ts";
import type { TextRequest } from "../../../formats/format.ts";
import { conversationHeaders, Opening } from "../../../formats/kit/opening.ts";
import type { PriceSnapshot } from "../../../quota/price.ts";
import { takesCacheKey } from "./cache-key.ts";
import type { TextInput } from "../text-job.ts";

/** What is shorter is in no vendor's cache. */
const openingBodyBytesMin = 4096;
const idCharactersMax = 1024;

interface Asked {
  request: TextRequest;
  serving: readonly Channel[];
  price: Pick<PriceSnapshot, "isCacheCheaper">;
}

/** Null where the request stands alone, or where affinity has nothing to decide. */
export function conversationOf(
  affinity: Affinity,
  input: TextInput,
  { request, serving, price }: Asked,
): ConversationPin | null {
  if (!affinity.isOn || !price.isCacheCheaper || !hasChoice(serving, input)) return null;
  const id = conversationIdOf(input);
  if (id === null) return null;
  return affinity.conversation(digestOfConversation(input.call.caller, request.model, id));
}

/** Nobody else's, and of no other model: caches are by model, and accounts share nothing. */
function digestOfConversation(
  { accountId }: { accountId: AccountId },
  model: string,
  id: string,
): string {
  return digestOf(`${accountId}\n${model}\n${id.slice(0, idCharactersMax)}`);
}

function hasChoice(serving: readonly Channel[], { format }: TextInput): boolean {
  if (!format.conversation) return false;
  for (const { settings } of serving) {
    if (!settings.affinity) continue;
    if (serving.length > 1 || settings.keys.length > 1) return true;
    if (takesCacheKey(settings, format)) return true;
  }
  return false;
}

/** Null where nothing tells which one it is. */
export function conversationIdOf({ format, body, bodyBytes, headers }: TextInput): string | null {
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
