// OpenAI and the many vendors that speak its wire, or that take a key like its on another.
import type { JsonObject } from "../../core/json.ts";
import type { Dialect } from "../../formats/exchange.ts";
import type { FormatName } from "../../formats/format.ts";
import { checkByModels, listByModels } from "../openai-wire-check.ts";
import { readOpenaiFault } from "../openai-wire-faults.ts";
import { openaiAddress, storedAddress } from "../openai-wire.ts";
import type { TextAsk, Upstream } from "../upstream.ts";
import { image } from "./image.ts";
import { video } from "./video.ts";

const formats: Readonly<Record<Dialect, readonly FormatName[]>> = {
  chat: ["chat", "completions", "embeddings"],
  responses: ["responses", "embeddings"],
  messages: ["messages"],
  content: ["content"],
};

export const openai: Upstream = {
  type: "openai",
  text: {
    formats: (dialect) => formats[dialect ?? "chat"],
    address: openaiAddress,
    stored: storedAddress,
    adjust: adjustBody,
  },
  video,
  image,
  check: checkByModels,
  models: listByModels,
  readFault: readOpenaiFault,
};

const reasoningModel = /^(?:o\d|gpt-5)/;

/** Models that reason refuse the old name of the bound on their output. */
function adjustBody(body: JsonObject, { format, model }: TextAsk): JsonObject {
  if (format !== "chat" || !reasoningModel.test(model)) return body;
  if (body["max_tokens"] === undefined) return body;
  const { max_tokens: bound, ...rest } = body;
  return { ...rest, max_completion_tokens: rest["max_completion_tokens"] ?? bound };
}
