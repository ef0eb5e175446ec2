// A message of Anthropic's wire as Converse answers it, whole or in events.
import { isObject, type JsonObject } from "../../src/core/json.ts";

const stops: Readonly<Record<string, string>> = { refusal: "content_filtered" };

interface ConverseAnswer {
  body: JsonObject;
  events: (readonly [type: string, payload: JsonObject])[];
}

/** Without a report where nothing is to be counted. */
export function toConverse(message: JsonObject, isUncounted: boolean): ConverseAnswer {
  const blocks = Array.isArray(message["content"]) ? message["content"].filter(isObject) : [];
  const reason = String(message["stop_reason"]);
  const stopReason = stops[reason] ?? reason;
  const sequence = message["stop_sequence"];
  const more = typeof sequence === "string" && {
    additionalModelResponseFields: { stop_sequence: sequence },
  };
  const report = { usage: usageOf(message["usage"]), metrics: { latencyMs: 7 } };
  const content = blocks.flatMap(toBlock);
  const head = { output: { message: { role: "assistant", content } }, stopReason, ...more };
  return {
    body: isUncounted ? head : { ...head, ...report },
    events: [
      ["messageStart", { role: "assistant" }],
      ...content.flatMap(blockEvents),
      ["messageStop", { stopReason, ...more }],
      ...(isUncounted ? [] : [["metadata", report] as const]),
    ],
  };
}

function toBlock(block: JsonObject): JsonObject[] {
  switch (block["type"]) {
    case "text":
      return [{ text: block["text"] ?? "" }];
    case "thinking": {
      const { thinking: text = "", signature = "" } = block;
      return [{ reasoningContent: { reasoningText: { text, signature } } }];
    }
    case "redacted_thinking":
      return [{ reasoningContent: { redactedContent: block["data"] ?? "" } }];
    case "tool_use": {
      const { id: toolUseId = "", name = "", input = {} } = block;
      return [{ toolUse: { toolUseId, name, input } }];
    }
    default:
      return [];
  }
}

type Event = readonly [type: string, payload: JsonObject];

/** Only calls are announced. */
function blockEvents(block: JsonObject, contentBlockIndex: number): Event[] {
  const delta = (piece: JsonObject): Event => [
    "contentBlockDelta",
    { contentBlockIndex, delta: piece },
  ];
  const stop: Event = ["contentBlockStop", { contentBlockIndex }];
  const { text, toolUse, reasoningContent } = block;
  if (typeof text === "string")
    return [...pieces(text).map((piece) => delta({ text: piece })), stop];
  if (isObject(toolUse)) {
    const { input, ...start } = toolUse;
    const json = JSON.stringify(input);
    const inputs = json === "{}" ? [] : pieces(json);
    return [
      ["contentBlockStart", { contentBlockIndex, start: { toolUse: start } }],
      ...inputs.map((piece) => delta({ toolUse: { input: piece } })),
      stop,
    ];
  }
  return [
    ...reasoningPieces(reasoningContent).map((piece) => delta({ reasoningContent: piece })),
    stop,
  ];
}

function reasoningPieces(reasoning: unknown): JsonObject[] {
  if (!isObject(reasoning)) return [];
  const { reasoningText, redactedContent } = reasoning;
  if (redactedContent !== undefined) return [{ redactedContent }];
  const { text, signature = "" } = isObject(reasoningText) ? reasoningText : {};
  return [...pieces(String(text)).map((piece) => ({ text: piece })), { signature }];
}

const pieceCharacters = 12;

function pieces(text: string): string[] {
  return text.match(new RegExp(`.{1,${pieceCharacters}}`, "gs")) ?? [];
}

/** The input leaves out the cache, the total does not. */
function usageOf(report: unknown): JsonObject {
  const usage = isObject(report) ? report : {};
  const count = (name: string) => Number(usage[name] ?? 0);
  const [read, written] = [count("cache_read_input_tokens"), count("cache_creation_input_tokens")];
  const [input, output] = [count("input_tokens"), count("output_tokens")];
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output + read + written,
    cacheReadInputTokens: read,
    cacheReadInputTokenCount: read,
    cacheWriteInputTokens: written,
    cacheWriteInputTokenCount: written,
  };
}
