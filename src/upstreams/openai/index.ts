// OpenAI and the many vendors that speak its wire, or that take a key like its on another.
import type { JsonObject } from "../../core/json.ts";
import type { UpstreamDialect } from "../../formats/exchange.ts";
import type { FormatName } from "../../formats/format.ts";
import { mendText } from "../kit/mend-text.ts";
import { withNewBound } from "../kit/new-bound.ts";
import { checkByModels, listByModels } from "../openai-wire-check.ts";
import { readOpenaiFault } from "../openai-wire-faults.ts";
import { openaiAddress, storedAddress } from "../openai-wire.ts";
import type { TextAsk, Upstream } from "../upstream.ts";
import { image } from "./image.ts";
import { withThoughtNames } from "./thought-names.ts";
import { thoughtBoundsOf, withAnswerBound } from "./thought-bounds.ts";
import { video } from "./video.ts";

const formats: Readonly<Record<UpstreamDialect, readonly FormatName[]>> = {
  chat: ["chat", "completions", "embeddings"],
  responses: ["responses", "embeddings"],
  messages: ["messages"],
  content: ["content"],
  converse: [],
};

export const openai: Upstream = {
  type: "openai",
  text: {
    formats: (dialect) => formats[dialect ?? "chat"],
    address: openaiAddress,
    stored: storedAddress,
    adjust: adjustBody,
    boundThoughts(body, { format, model }, baseUrl) {
      const vendor = format === "chat" ? thoughtBoundsOf(baseUrl) : null;
      return vendor?.bounded(body, model) ?? { body, added: [] };
    },
    thoughtTokensMax: (body, { baseUrl, model, answerTokensMax }) =>
      thoughtBoundsOf(baseUrl)?.besideTokensMax(body, model, answerTokensMax) ?? 0,
    mend: (body, fault, format) =>
      mendText(body, fault, format) ?? (format === "chat" ? withAnswerBound(body, fault) : null),
  },
  video,
  image,
  check: checkByModels,
  models: listByModels,
  readFault: readOpenaiFault,
};

function adjustBody(body: JsonObject, { format, model }: TextAsk, baseUrl: string): JsonObject {
  return format === "chat" ? withThoughtNames(withNewBound(body, model), model, baseUrl) : body;
}
