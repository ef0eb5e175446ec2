// CountTokens: the length of a body of InvokeModel, for a model by its own id and not by a profile.
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { BedrockRefusal } from "./errors.ts";
import { readInvoke } from "./invoke.ts";

/** The question as Anthropic's own address takes it. */
export function readCountAsk(body: JsonObject, model: string) {
  if (!model.startsWith("anthropic.")) {
    throw new BedrockRefusal(400, "The provided model doesn't support counting tokens.");
  }
  const { input } = body;
  const invoke = isObject(input) && isObject(input["invokeModel"]) ? input["invokeModel"] : {};
  const text = Buffer.from(String(invoke["body"]), "base64").toString();
  const inner: unknown = text.startsWith("{") ? JSON.parse(text) : null;
  if (!isObject(inner) || inner["max_tokens"] === undefined) {
    throw new BedrockRefusal(400, "Malformed input request, please reformat your input.");
  }
  const { max_tokens: _bound, ...counted } = inner;
  return readInvoke(counted, model, false);
}
