// OpenAI and the many vendors that speak its wire, or that take a key like its on another.
import { gptRulesOf } from "../../catalogue/rules/gpt.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Dialect } from "../../formats/exchange.ts";
import type { FormatName } from "../../formats/format.ts";
import { mendText as mend } from "../kit/mend-text.ts";
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
    mend,
  },
  video,
  image,
  check: checkByModels,
  models: listByModels,
  readFault: readOpenaiFault,
};

/** Models that reason refuse the old name of the bound on their output. */
function adjustBody(body: JsonObject, { format, model }: TextAsk): JsonObject {
  if (format !== "chat" || body["max_tokens"] === undefined) return body;
  if (!gptRulesOf(model)?.hasNewBound) return body;
  const { max_tokens: bound, ...rest } = body;
  return { ...rest, max_completion_tokens: rest["max_completion_tokens"] ?? bound };
}
