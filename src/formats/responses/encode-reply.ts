// A reply as the response object that a client reads.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Reply, ReplyPart } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import type { Usage } from "../usage.ts";
import { toMarkdown } from "../kit/media.ts";
import { CallNames } from "./offers/call-names.ts";
import {
  callItem,
  encodeCitation,
  imageBytes,
  imageItem,
  isEmptyReasoning,
  messageItem,
  reasoningItem,
  refusalPart,
  textPart,
} from "./output-items.ts";
import { sealCall, sealReasoning, sealText } from "./sealed.ts";
import { endingOf, type Ending } from "./stop-reason.ts";
import { encodeUsage } from "./usage.ts";
import { searchItem } from "./web-search.ts";

export interface ResponseState {
  ending: Ending | null;
  output: readonly JsonObject[];
  usage: Usage | null;
  /** The fault, where there was one. */
  fault: string | null;
}

export function encodeResponsesReply(reply: Reply, frame: ReplyFrame): JsonObject {
  const [choice = { parts: [], stop: "stop" as const }] = reply.choices;
  const ending = endingOf(choice.stop);
  const output = encodeOutput(choice.parts, frame, ending.status !== "completed");
  return responseObject(frame, { ending, output, usage: reply.usage, fault: null });
}

/** The vendor repeats the request in every response, with its defaults filled in. */
export function responseObject(frame: ReplyFrame, state: ResponseState): JsonObject {
  const { body, exchange, request, createdAtSeconds } = frame;
  const { ending, output, usage, fault } = state;
  const reason = ending?.incompleteReason ?? null;
  const isFailed = ending?.status === "failed";
  const message = fault ?? "The model wrote something that could not be read.";
  const text = isObject(body["text"]) ? body["text"] : {};
  const reasoning = isObject(body["reasoning"]) ? body["reasoning"] : {};
  return {
    id: `resp_${frame.requestId}`,
    object: "response",
    created_at: createdAtSeconds,
    status: ending?.status ?? "in_progress",
    background: false,
    error: isFailed ? { type: "server_error", code: "server_error", message, param: null } : null,
    incomplete_details: reason === null ? null : { reason },
    instructions: body["instructions"] ?? null,
    max_output_tokens: body["max_output_tokens"] ?? null,
    max_tool_calls: body["max_tool_calls"] ?? null,
    model: exchange.model,
    output: [...output],
    parallel_tool_calls: body["parallel_tool_calls"] ?? true,
    previous_response_id: body["previous_response_id"] ?? request.earlier?.replyId ?? null,
    prompt_cache_key: body["prompt_cache_key"] ?? null,
    reasoning: { effort: null, summary: null, ...reasoning },
    safety_identifier: body["safety_identifier"] ?? null,
    service_tier: "default",
    store: body["store"] ?? true,
    temperature: body["temperature"] ?? 1,
    text: { format: { type: "text" }, verbosity: "medium", ...text },
    tool_choice: body["tool_choice"] ?? "auto",
    tools: body["tools"] ?? [],
    top_logprobs: body["top_logprobs"] ?? 0,
    top_p: body["top_p"] ?? 1,
    truncation: body["truncation"] ?? "disabled",
    usage: encodeUsage(usage),
    user: body["user"] ?? null,
    metadata: body["metadata"] ?? {},
  };
}

function encodeOutput(
  parts: readonly ReplyPart[],
  { requestId, body }: ReplyFrame,
  isCut: boolean,
): JsonObject[] {
  const output: JsonObject[] = [];
  const names = new CallNames(body);
  let content: JsonObject[] = [];
  const idOf = (prefix: string) => `${prefix}_${requestId}_${output.length}`;
  const add = (item: (idOf: NameItem) => JsonObject) => {
    content = [];
    output.push(item(idOf));
  };
  for (const part of parts) {
    const inside = encodeContent(part);
    if (part.kind === "text" && part.proof) add(proofItem(sealText(part.proof, false)));
    if (inside) {
      if (content.length === 0) output.push(messageItem(idOf("msg"), content, "completed"));
      content.push(inside);
    } else if (part.kind === "call") {
      if (part.proof) add(proofItem(sealCall(part.proof, part.id)));
      add((name) => names.restore(callItem(name(names.prefixOf(part)), part, "completed")));
    } else if (part.kind === "reasoning" && !isEmptyReasoning(part.text, part.proof)) {
      const sealed = part.proof ? sealReasoning(part.proof, part.isRedacted) : null;
      add((name) => reasoningItem(name("rs"), part.text, sealed));
    } else if (part.kind === "media") {
      add((name) => imageItem(name("ig"), part));
    } else if (part.kind === "search") {
      add((name) => searchItem(name("ws"), part));
    }
  }
  const last = output.at(-1);
  if (isCut && (last?.["type"] === "message" || last?.["type"] === "function_call")) {
    last["status"] = "incomplete";
  }
  return output;
}

type NameItem = (prefix: string) => string;

function proofItem(sealed: string): (idOf: NameItem) => JsonObject {
  return (idOf) => reasoningItem(idOf("rs"), "", sealed);
}

/** Content of a message; null for a part that is an item of its own. */
function encodeContent(part: ReplyPart): JsonObject | null {
  if (part.kind === "text") {
    const { text, citations = [] } = part;
    return textPart(
      text,
      citations.map((citation) => encodeCitation(citation, text.length)),
    );
  }
  if (part.kind === "refusal") return refusalPart(part.text);
  if (part.kind !== "media" || imageBytes(part) !== null) return null;
  return textPart(toMarkdown(part), []);
}
