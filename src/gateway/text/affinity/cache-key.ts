// `prompt_cache_key` for OpenAI's own machines, which are many behind one key: by it the vendor
// sends the requests of a conversation to the same one. Only where it is OpenAI itself that is
// spoken to: others that speak its wire may refuse a field that they do not know.
import type { JsonObject } from "../../../core/json.ts";
import type { ConversationPin } from "../../../distribution/affinity.ts";
import type { ChannelSettings } from "../../../distribution/channel.ts";
import type { Format } from "../../../formats/format.ts";
import { isOpenAi } from "../../../upstreams/presets.ts";
import { wireOf } from "../wires.ts";

const keyCharacters = 32;
/** The wires that have the field. */
const names: readonly Format["name"][] = ["chat", "responses"];

export function takesCacheKey(settings: ChannelSettings, format: Format): boolean {
  if (!names.includes(format.name) || !isOpenAi(settings)) return false;
  return settings.affinity && wireOf(settings, format)?.isNative === true;
}

/** The body is the channel's own copy. The client's own key stays; an id of its own never goes. */
export function addCacheKey(body: JsonObject, { digest }: ConversationPin): void {
  body["prompt_cache_key"] ??= digest.slice(0, keyCharacters);
}
