// The channel that a conversation would be kept on, shown before anything is sent.
import { invalid } from "../../core/errors.ts";
import type { Channel } from "../../distribution/channel.ts";
import { placeConversation } from "../../distribution/place.ts";
import type { Format } from "../../formats/format.ts";
import { affinityOf, namedConversation } from "../../gateway/text/affinity/conversation.ts";
import type { RoutePreview } from "./contract.ts";
import type { RouteNeeds } from "./needs.ts";
import type { Reader } from "./reasons.ts";

interface AskedAffinity {
  model: string;
  format: Format;
  reader: Reader;
  serving: readonly Channel[];
  /** Those that are asked first. */
  tier: readonly Channel[];
  /** Name by its client; absent where none was given. */
  conversation: string | undefined;
}

export function previewAffinity(
  { affinity, prices, clock }: RouteNeeds,
  { model, format, reader, serving, tier, conversation }: AskedAffinity,
): RoutePreview["affinity"] {
  const { accountId, multiplierPpm } = reader;
  if (conversation !== undefined && accountId === null) {
    throw invalid("conversation", "needs a key: no two accounts share one");
  }
  const price = prices.snapshot(model, multiplierPpm);
  const state = affinityOf(affinity, { format, serving, price });
  if (state !== "on" || conversation === undefined || accountId === null || tier.length === 0) {
    return { state, placed: null };
  }
  const placed = placeConversation({
    conversation: namedConversation(affinity, { accountId, model }, conversation),
    tier,
    candidates: serving,
    names: [model],
    tried: { keys: [] },
    nowMs: clock.monotonicMs(),
    accountId,
  });
  if (!placed) return { state, placed: null };
  const { channel, key, by } = placed;
  return { state, placed: { by, channel_id: channel.settings.id, key: key?.position ?? null } };
}
