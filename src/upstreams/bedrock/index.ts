// Amazon Bedrock: Anthropic's body by InvokeModel, pictures by the same, on Mantle the wires of
// OpenAI and Anthropic as they are, and beside Bedrock the platform that Anthropic runs at AWS.
import type { JsonObject } from "../../core/json.ts";
import type { UpstreamDialect } from "../../formats/exchange.ts";
import type { FormatName, LeftOut } from "../../formats/format.ts";
import { mendText as mend } from "../kit/mend-text.ts";
import type { Address, Target, TextAsk, Upstream } from "../upstream.ts";
import { check, listBedrockModels } from "./check.ts";
import { countAddress, toCount, toMessagesCount } from "./count.ts";
import { readFault } from "./errors.ts";
import { readBedrockFrame } from "./frames.ts";
import { image } from "./images/index.ts";
import { fitInvoke, toInvoke } from "./invoke.ts";
import { isRuntime, modelAddress, wireAddress } from "./place.ts";

const formats: Readonly<Record<UpstreamDialect, readonly FormatName[]>> = {
  chat: ["chat"],
  responses: ["responses"],
  messages: ["messages", "invokeEmbed"],
  content: ["messages", "invokeEmbed"],
  converse: ["converse", "invokeEmbed"],
};

export const bedrock: Upstream = {
  type: "bedrock",
  text: {
    formats: (dialect) => formats[dialect ?? "messages"],
    address,
    fit,
    adjust,
    mend,
    readFrame: readBedrockFrame,
    readCount: toMessagesCount,
  },
  image,
  check,
  models: listBedrockModels,
  readFault,
};

/** Verbs of the runtime, whole and streamed. */
const verbs: Partial<Record<FormatName, readonly [whole: string, streamed: string]>> = {
  messages: ["invoke", "invoke-with-response-stream"],
  converse: ["converse", "converse-stream"],
  invokeEmbed: ["invoke", "invoke"],
};

function address(ask: TextAsk, target: Target): Address | null {
  const ways = isRuntime(target.baseUrl) ? verbs[ask.format] : undefined;
  if (!ways) return wireAddress(ask, target);
  if (ask.action === "count" && ask.format === "messages") return countAddress(ask, target);
  const [whole, streamed] = ways;
  return ask.action === "generate"
    ? modelAddress(ask, ask.stream ? streamed : whole, target)
    : null;
}

function fit(body: JsonObject, ask: TextAsk, baseUrl: string): readonly LeftOut[] {
  return isInvoke(ask, baseUrl) ? fitInvoke(body, ask) : [];
}

function adjust(body: JsonObject, ask: TextAsk, baseUrl: string): JsonObject {
  if (!isInvoke(ask, baseUrl)) return body;
  return ask.action === "count" ? toCount(body, ask) : toInvoke(body, ask);
}

function isInvoke({ format }: TextAsk, baseUrl: string): boolean {
  return format === "messages" && isRuntime(baseUrl);
}
