// A client of messages.
import type { JsonObject } from "../../../src/core/json.ts";
import { type Ask, eventsOf, list, splitDataUrl, type TextClient } from "./client.ts";

interface Block {
  type: string;
  id: string;
  name: string;
  input: unknown;
  text: string;
  thinking: string;
  signature: string;
}

const outputTokensMaxDefault = 4000;

export const messagesClient: TextClient = {
  path: () => "/v1/messages",
  body: ({ model, prompt, system, image, ...ask }, isStream) => ({
    model,
    max_tokens: ask.outputTokensMax ?? outputTokensMaxDefault,
    messages: [{ role: "user", content: image === undefined ? prompt : withImage(prompt, image) }],
    ...(system !== undefined && { system }),
    ...settingsOf(ask),
    ...(isStream && { stream: true }),
  }),
  next(body, reply, results) {
    const content = list<JsonObject>(reply["content"]);
    const calls = content.filter(({ type }) => type === "tool_use");
    const returned = calls.map(({ id }, at) => ({
      type: "tool_result",
      tool_use_id: id,
      content: results[at] ?? "",
    }));
    const before = list<JsonObject>(body["messages"]);
    const turns = [
      { role: "assistant", content },
      { role: "user", content: returned },
    ];
    return { ...body, messages: [...before, ...turns] };
  },
  read(reply) {
    const blocks = list<Block>(reply["content"]);
    const usage = (reply["usage"] ?? {}) as Record<string, number>;
    const details = (reply["usage"] as JsonObject)?.["output_tokens_details"] as JsonObject;
    const cacheRead = usage["cache_read_input_tokens"] ?? 0;
    const cached = cacheRead + (usage["cache_creation_input_tokens"] ?? 0);
    return {
      text: blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
      reasoning: blocks.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
      calls: blocks
        .filter(({ type }) => type === "tool_use")
        .map(({ id, name, input }) => ({ id, name, input })),
      stop: String(reply["stop_reason"]),
      input: (usage["input_tokens"] ?? -1) + cached,
      output: usage["output_tokens"] ?? -1,
      cacheRead,
      reasoningTokens: Number(details?.["thinking_tokens"] ?? 0),
    };
  },
  assemble,
};

function withImage(text: string, url: string): JsonObject[] {
  const data = splitDataUrl(url);
  const source = data
    ? { type: "base64", media_type: data.type, data: data.base64 }
    : { type: "url", url };
  return [
    { type: "image", source },
    { type: "text", text },
  ];
}

const choices: Readonly<Record<string, string>> = { none: "none", auto: "auto", required: "any" };

function settingsOf({ tools, choice, stop, thinks, shape }: Omit<Ask, "model" | "prompt">) {
  const word = choice === undefined ? undefined : choices[choice];
  const format = shape && { type: "json_schema", schema: shape };
  return {
    ...(tools && { tools: tools.map(({ name, schema }) => ({ name, input_schema: schema })) }),
    ...(choice !== undefined && {
      tool_choice: word === undefined ? { type: "tool", name: choice } : { type: word },
    }),
    ...(stop && { stop_sequences: [...stop] }),
    ...(thinks && { thinking: { type: "enabled", budget_tokens: 2000 } }),
    ...(format && { output_config: { format } }),
  };
}

interface Event {
  type: string;
  index: number;
  message: JsonObject;
  content_block: Block;
  delta: JsonObject;
  usage: JsonObject;
}

function assemble(text: string): JsonObject {
  const events = eventsOf(text).filter(({ type }) => type !== "ping") as unknown as Event[];
  if (events[0]?.type !== "message_start") throw new Error(`no start: ${text}`);
  if (events.at(-1)?.type !== "message_stop") throw new Error(`no end: ${text}`);
  let { message } = events[0];
  const blocks: Block[] = [];
  let open: number | null = null;
  for (const event of events.slice(1, -1)) {
    if (event.type === "message_delta") {
      const usage = { ...(message["usage"] as JsonObject), ...event.usage };
      message = { ...message, ...event.delta, usage };
    } else if (event.type === "content_block_start") {
      if (open !== null || event.index !== blocks.length) throw new Error(`blocks: ${text}`);
      open = event.index;
      blocks.push({
        ...event.content_block,
        ...(event.content_block.type === "tool_use" && { input: "" }),
      });
    } else {
      const block = blocks[event.index];
      if (!block || open !== event.index) throw new Error(`blocks: ${text}`);
      if (event.type === "content_block_stop") open = null;
      else add(block, event.delta);
    }
  }
  const content = blocks.map((block) =>
    block.type === "tool_use" ? { ...block, input: parse(String(block.input)) } : block,
  );
  return { ...message, content: content as unknown as JsonObject[] };
}

function parse(text: string): unknown {
  return JSON.parse(text === "" ? "{}" : text);
}

function add(block: Block, delta: JsonObject): void {
  if (delta["type"] === "text_delta") block.text += String(delta["text"]);
  else if (delta["type"] === "thinking_delta") block.thinking += String(delta["thinking"]);
  else if (delta["type"] === "signature_delta") block.signature += String(delta["signature"]);
  else if (delta["type"] === "input_json_delta")
    block.input = `${String(block.input)}${String(delta["partial_json"])}`;
  else throw new Error(`not known: ${JSON.stringify(delta)}`);
}
