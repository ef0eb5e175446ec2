// Chat completions.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Format, Reply } from "../format.ts";
import { withUsage } from "../openai-fields.ts";
import { encodeOpenaiError, estimateText, OpenaiStreamObserver } from "../openai-stream.ts";
import { readOpenaiUsage } from "../openai-usage.ts";
import { readChatRequest } from "./read.ts";

export const chat: Format = {
  name: "chat",
  path: "/v1/chat/completions",
  read: readChatRequest,
  forward: (body, model) => withUsage({ ...body, model }),
  readReply: readChatReply,
  observe: (request) =>
    new OpenaiStreamObserver(request, (choice) =>
      isObject(choice["delta"]) ? estimateMessage(choice["delta"]) : 0,
    ),
  encodeError: encodeOpenaiError,
};

function readChatReply(body: unknown): Reply | null {
  if (!isObject(body) || !Array.isArray(body["choices"])) return null;
  const usage = readOpenaiUsage(body["usage"]);
  if (usage) return { usage, outputTokensEstimate: usage.outputTokens };
  let outputTokensEstimate = 0;
  for (const choice of body["choices"]) {
    if (isObject(choice) && isObject(choice["message"])) {
      outputTokensEstimate += estimateMessage(choice["message"]);
    }
  }
  return { usage, outputTokensEstimate };
}

/** The text of a whole message or of one delta. */
function estimateMessage(message: JsonObject): number {
  let count =
    estimateText(message["content"]) +
    estimateText(message["refusal"]) +
    estimateText(message["reasoning_content"] ?? message["reasoning"]);
  const calls = message["tool_calls"];
  if (!Array.isArray(calls)) return count;
  for (const call of calls) {
    if (!isObject(call) || !isObject(call["function"])) continue;
    count += estimateText(call["function"]["name"]) + estimateText(call["function"]["arguments"]);
  }
  return count;
}
