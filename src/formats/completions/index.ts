// Legacy completions.
import { GatewayError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import type { Format, Reply, TextRequest } from "../format.ts";
import {
  nullable,
  readInteger,
  readOutputBound,
  samplingFields,
  wantsUsage,
  withUsage,
} from "../openai-fields.ts";
import { encodeOpenaiError, estimateText, OpenaiStreamObserver } from "../openai-stream.ts";
import { readOpenaiUsage } from "../openai-usage.ts";

/** What the vendors generate when the request does not say. */
const outputTokensDefault = 16;

const completionsRequest = compile(
  Type.Object({
    ...samplingFields,
    prompt: Type.Unsafe<unknown>({ type: ["string", "array"] }),
    best_of: nullable("integer", { minimum: 1, maximum: 128 }),
    echo: nullable("boolean"),
    suffix: nullable("string"),
    logprobs: nullable("integer", { minimum: 0 }),
  }),
);

export const completions: Format = {
  name: "completions",
  path: "/v1/completions",
  read: readCompletionsRequest,
  forward: (body, model) => withUsage({ ...body, model }),
  readReply: readCompletionsReply,
  observe: (request) => new OpenaiStreamObserver(request, (choice) => estimateText(choice["text"])),
  encodeError: encodeOpenaiError,
};

function readCompletionsRequest(body: JsonObject): TextRequest {
  const { model, prompt } = parseWith(completionsRequest, body);
  const prompts = countPrompts(prompt);
  const perPrompt = Math.max(readInteger(body["n"]) ?? 1, readInteger(body["best_of"]) ?? 1);
  return {
    model,
    stream: body["stream"] === true,
    choices: prompts * perPrompt,
    outputTokensMax: readOutputBound(body, ["max_tokens"]) ?? outputTokensDefault,
    mediaParts: 0,
    mediaBytes: 0,
    wantsUsage: wantsUsage(body),
  };
}

/** A list of numbers is one prompt in tokens; a list of anything else is a list of prompts. */
function countPrompts(prompt: unknown): number {
  if (!Array.isArray(prompt)) return 1;
  if (prompt.length === 0) {
    throw new GatewayError("invalid_request", { param: "prompt", message: "prompt is empty" });
  }
  return typeof prompt[0] === "number" ? 1 : prompt.length;
}

function readCompletionsReply(body: unknown): Reply | null {
  if (!isObject(body) || !Array.isArray(body["choices"])) return null;
  const usage = readOpenaiUsage(body["usage"]);
  if (usage) return { usage, outputTokensEstimate: usage.outputTokens };
  let outputTokensEstimate = 0;
  for (const choice of body["choices"]) {
    if (isObject(choice)) outputTokensEstimate += estimateText(choice["text"]);
  }
  return { usage, outputTokensEstimate };
}
