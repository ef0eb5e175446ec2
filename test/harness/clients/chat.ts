// A client of chat completions.
import type { JsonObject } from "../../../src/core/json.ts";
import { type Ask, eventsOf, list, type TextClient } from "./client.ts";

interface Call {
  id: string;
  type: string;
  function: { name: string; arguments: string };
}

/** A piece of a call; what is not known here is kept as well. */
interface CallPiece extends Omit<Call, "function"> {
  index: number;
  function?: Partial<Call["function"]>;
}

interface Message {
  role?: string;
  content?: string | null;
  reasoning_content?: string;
  reasoning_details?: JsonObject[];
  tool_calls?: Call[];
}

interface Delta extends Omit<Message, "tool_calls"> {
  tool_calls?: CallPiece[];
}

interface Chunk {
  id: string;
  choices: { index: number; delta: Delta; finish_reason: string | null }[];
  usage?: JsonObject | null;
}

export const chatClient: TextClient = {
  path: () => "/v1/chat/completions",
  body: ({ model, prompt, system, image, ...ask }, isStream) => ({
    model,
    messages: [
      ...(system === undefined ? [] : [{ role: "system", content: system }]),
      { role: "user", content: image === undefined ? prompt : withImage(prompt, image) },
    ],
    ...settingsOf(ask),
    ...(isStream && { stream: true, stream_options: { include_usage: true } }),
  }),
  next(body, reply, results) {
    const [choice] = list<{ message: Message }>(reply["choices"]);
    const message = choice?.message ?? {};
    const returned = list<Call>(message.tool_calls).map(({ id }, at) => ({
      role: "tool",
      tool_call_id: id,
      content: results[at] ?? "",
    }));
    const before = list<JsonObject>(body["messages"]);
    return { ...body, messages: [...before, message as JsonObject, ...returned] };
  },
  read(reply) {
    const [choice] = list<{ message: Message; finish_reason: string }>(reply["choices"]);
    const { content, reasoning_content: reasoning, tool_calls: calls } = choice?.message ?? {};
    const usage = (reply["usage"] ?? {}) as Record<string, number>;
    const details = (name: string) => (reply["usage"] as JsonObject)?.[name] as JsonObject;
    return {
      text: content ?? "",
      reasoning: reasoning ?? "",
      calls: list<Call>(calls).map(({ id, function: { name, arguments: input } }) => ({
        id,
        name,
        input: JSON.parse(input) as unknown,
      })),
      stop: choice?.finish_reason ?? "",
      input: usage["prompt_tokens"] ?? -1,
      output: usage["completion_tokens"] ?? -1,
      cacheRead: Number(details("prompt_tokens_details")?.["cached_tokens"] ?? 0),
      reasoningTokens: Number(details("completion_tokens_details")?.["reasoning_tokens"] ?? 0),
    };
  },
  assemble,
};

function withImage(text: string, url: string): JsonObject[] {
  return [
    { type: "text", text },
    { type: "image_url", image_url: { url } },
  ];
}

function settingsOf(ask: Omit<Ask, "model" | "prompt">): JsonObject {
  const { tools, choice, outputTokensMax, stop, thinks, shape } = ask;
  const isWord = choice === "none" || choice === "auto" || choice === "required";
  const named = choice === undefined ? null : { type: "function", function: { name: choice } };
  return {
    ...(tools && {
      tools: tools.map(({ name, schema }) => ({
        type: "function",
        function: { name, parameters: schema },
      })),
    }),
    ...(named && { tool_choice: isWord ? choice : named }),
    ...(outputTokensMax !== undefined && { max_tokens: outputTokensMax }),
    ...(stop && { stop: [...stop] }),
    ...(thinks && { reasoning_effort: "medium" }),
    ...(shape && {
      response_format: { type: "json_schema", json_schema: { name: "shape", schema: shape } },
    }),
  };
}

function assemble(text: string): JsonObject {
  const events = eventsOf(text);
  if (events.at(-1)?.["type"] !== "[DONE]") throw new Error(`no end: ${text}`);
  const chunks = events.slice(0, -1) as unknown as Chunk[];
  const message: Message = { role: chunks[0]?.choices[0]?.delta.role ?? "none", content: null };
  let finish: string | null = null;
  let usage: JsonObject | null = null;
  for (const { choices, usage: told } of chunks) {
    usage = told ?? usage;
    for (const { delta, finish_reason: reason } of choices) {
      add(message, delta);
      finish = reason ?? finish;
    }
  }
  if (new Set(chunks.map(({ id }) => id)).size !== 1) throw new Error(`several ids: ${text}`);
  const choices = [{ index: 0, message: message as JsonObject, finish_reason: finish }];
  return { id: chunks[0]?.id ?? "", choices, usage };
}

function add(message: Message, delta: Delta): void {
  if (delta.content) message.content = (message.content ?? "") + delta.content;
  if (delta.reasoning_content) {
    message.reasoning_content = (message.reasoning_content ?? "") + delta.reasoning_content;
  }
  if (delta.reasoning_details) {
    message.reasoning_details = [...(message.reasoning_details ?? []), ...delta.reasoning_details];
  }
  for (const { index, ...call } of delta.tool_calls ?? []) {
    message.tool_calls ??= [];
    const begun = message.tool_calls[index];
    const { function: piece, ...rest } = call;
    const { name = "", arguments: input = "" } = { ...begun?.function, ...piece };
    const whole = begun ? begun.function.arguments + (piece?.arguments ?? "") : input;
    message.tool_calls[index] = { ...begun, ...rest, function: { name, arguments: whole } };
  }
}
