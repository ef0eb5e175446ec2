// Looks at what passes through: the texts of requests and replies, and what a reply used.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Observed, StreamObserver, TextRequest } from "../format.ts";
import { explains } from "../kit/emptiness.ts";
import { decodeOpenaiStop } from "../kit/finish-reasons.ts";
import { estimateText, OpenaiStreamObserver } from "../kit/openai-stream.ts";
import { readOpenaiUsage } from "../kit/openai-usage.ts";

export function observeCompletions(request: TextRequest): StreamObserver {
  return new OpenaiStreamObserver(request, {
    estimate: ({ text }) => estimateText(text),
    brings,
  });
}

export function readCompletionsReply(body: unknown): Observed | null {
  if (!isObject(body) || !Array.isArray(body["choices"])) return null;
  const usage = readOpenaiUsage(body["usage"]);
  const isEmpty = !body["choices"].some((choice) => isObject(choice) && brings(choice));
  const empty = isEmpty ? ({ isEmpty } as const) : null;
  if (usage) return { usage, outputTokensEstimate: usage.outputTokens, origins: [], ...empty };
  let outputTokensEstimate = 0;
  for (const text of replyTexts(body)) outputTokensEstimate += estimateText(text);
  return { usage, outputTokensEstimate, origins: [], ...empty };
}

function brings({ text, finish_reason: finish }: JsonObject): boolean {
  return (typeof text === "string" && text !== "") || explains(decodeOpenaiStop(finish, false));
}

/** Prompts in tokens have no text here. */
export function requestTexts({ prompt, suffix }: JsonObject): string[] {
  const prompts = Array.isArray(prompt) ? prompt : [prompt];
  return [...prompts, suffix].filter((text) => typeof text === "string");
}

export function replyTexts({ choices }: JsonObject): string[] {
  if (!Array.isArray(choices)) return [];
  return choices
    .map((choice) => (isObject(choice) ? choice["text"] : null))
    .filter((text) => typeof text === "string");
}
