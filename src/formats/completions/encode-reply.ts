// A whole reply for a client of legacy completions, which reads nothing but text.
import type { JsonObject } from "../../core/json.ts";
import type { Reply, ReplyPart } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import { toMarkdown } from "../kit/media.ts";
import { encodeOpenaiUsage } from "../kit/openai-usage.ts";
import { encodeStop } from "./stop-reason.ts";

export function encodeCompletionsReply({ choices, usage }: Reply, frame: ReplyFrame): JsonObject {
  return {
    id: `cmpl-${frame.requestId}`,
    object: "text_completion",
    created: frame.createdAtSeconds,
    model: frame.exchange.model,
    choices: choices.map(({ parts, stop }, index) => ({
      text: parts.map(textOf).join(""),
      index,
      logprobs: null,
      finish_reason: encodeStop(stop),
    })),
    ...(usage ? { usage: encodeOpenaiUsage(usage) } : {}),
  };
}

function textOf(part: ReplyPart): string {
  if (part.kind === "text" || part.kind === "refusal") return part.text;
  return part.kind === "media" ? toMarkdown(part) : "";
}
