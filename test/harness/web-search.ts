// A search of the web in the words of each wire: how clients ask for it and remember it, how
// vendors answer with it, and what a client reads of the answer.
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { readEvents } from "../../src/core/sse.ts";
import type { Dialect } from "../../src/formats/exchange.ts";

interface Wishes {
  domain?: string;
  city?: string;
  usesMax?: number;
  size?: string;
}

const question = "Which ferries run tonight?";
const answer = "The last one leaves at ten.";
const table = "https://ferries.example/table";
const harbour = "https://harbour.example";
const queries = ["ferries tonight", "harbour"];

function placeOf({ city }: Wishes): JsonObject {
  return city === undefined ? {} : { user_location: { type: "approximate", city } };
}

export const askSearch: Readonly<Record<Dialect, (wishes: Wishes) => JsonObject>> = {
  chat: ({ city, size }) => ({
    web_search_options: {
      ...(size && { search_context_size: size }),
      ...(city && { user_location: { type: "approximate", approximate: { city } } }),
      // Not all vendors have it.
      ...(city && { filters: { allowed_domains: ["ferries.example"] } }),
    },
  }),
  responses: (wishes) => ({
    tools: [
      {
        type: "web_search",
        ...(wishes.domain && { filters: { allowed_domains: [wishes.domain] } }),
        ...(wishes.size && { search_context_size: wishes.size }),
        ...placeOf(wishes),
      },
    ],
    ...(wishes.usesMax !== undefined && { max_tool_calls: wishes.usesMax }),
  }),
  messages: (wishes) => ({
    tools: [
      {
        type: "web_search_20250305",
        name: "web_search",
        ...(wishes.domain && { allowed_domains: [wishes.domain] }),
        ...(wishes.usesMax !== undefined && { max_uses: wishes.usesMax }),
        ...placeOf(wishes),
      },
    ],
  }),
  content: () => ({ tools: [{ googleSearch: {} }] }),
};

const annotation = { type: "url_citation", start_index: 0, end_index: 27, title: "T", url: table };
const searchItem = {
  type: "web_search_call",
  id: "ws_1",
  status: "completed",
  action: {
    type: "search",
    query: queries[0] ?? "",
    queries: [queries[0] ?? ""],
    sources: [{ type: "url", url: table }],
  },
};
const secondItem = {
  ...searchItem,
  id: "ws_2",
  action: {
    type: "search",
    query: queries[1] ?? "",
    sources: [{ type: "url", url: harbour }],
  },
};
const spokenItem = {
  type: "message",
  id: "msg_1",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: answer, annotations: [annotation] }],
};
const page = { type: "web_search_result", encrypted_content: "Eq", page_age: null };
const blocks = [
  {
    type: "server_tool_use",
    id: "srvtoolu_1",
    name: "web_search",
    input: { query: queries[0] ?? "" },
  },
  {
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_1",
    content: [{ ...page, url: table, title: "T" }],
  },
  {
    type: "server_tool_use",
    id: "srvtoolu_2",
    name: "web_search",
    input: { query: queries[1] ?? "" },
  },
  {
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_2",
    content: [{ ...page, url: harbour, title: "H" }],
  },
];
const location = {
  type: "web_search_result_location",
  url: table,
  title: "T",
  cited_text: "22:00",
  encrypted_index: "Eo",
};
const chatAnnotation = {
  type: "url_citation",
  url_citation: { start_index: 0, end_index: 27, title: "T", url: table },
};

/** A conversation in which was searched before. */
export const historyOf: Readonly<Record<Dialect, JsonObject>> = {
  chat: {
    messages: [
      { role: "user", content: question },
      { role: "assistant", content: answer, annotations: [chatAnnotation] },
      { role: "user", content: "And tomorrow?" },
    ],
  },
  responses: {
    input: [
      { role: "user", content: question },
      searchItem,
      { ...searchItem, id: "ws_3", action: { type: "open_page", url: table } },
      spokenItem,
      { role: "user", content: "And tomorrow?" },
    ],
  },
  messages: {
    messages: [
      { role: "user", content: question },
      {
        role: "assistant",
        content: [...blocks, { type: "text", text: answer, citations: [location] }],
      },
      { role: "user", content: "And tomorrow?" },
    ],
  },
  content: {
    contents: [
      { role: "user", parts: [{ text: question }] },
      { role: "model", parts: [{ text: answer }] },
      { role: "user", parts: [{ text: "And tomorrow?" }] },
    ],
  },
};

const chatHead = { id: "chatcmpl-1", created: 1_790_000_000, model: "vendor-model" };
const chatUsage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const openaiUsage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 110,
};
const response = {
  id: "resp_1",
  object: "response",
  created_at: 1_790_000_000,
  status: "completed",
  error: null,
  incomplete_details: null,
  model: "vendor-model",
  output: [searchItem, secondItem, spokenItem],
  usage: openaiUsage,
};
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "vendor-model",
  content: [...blocks, { type: "text", text: answer, citations: [location] }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: {
    input_tokens: 100,
    output_tokens: 10,
    server_tool_use: { web_search_requests: 2 },
  },
};
const grounding = {
  webSearchQueries: queries,
  groundingChunks: [{ web: { uri: table, title: "T" } }, { web: { uri: harbour, title: "H" } }],
  groundingSupports: [{ segment: { endIndex: 27, text: answer }, groundingChunkIndices: [0] }],
};
const contentUsage = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 };

/** Answer of a vendor that has searched twice: a hundred tokens were read, ten written. */
export function searchedReply(dialect: Dialect): JsonObject {
  switch (dialect) {
    case "chat": {
      const said = { role: "assistant", content: answer, annotations: [chatAnnotation] };
      const choices = [{ index: 0, message: said, finish_reason: "stop" }];
      return { ...chatHead, object: "chat.completion", choices, usage: chatUsage };
    }
    case "responses":
      return response;
    case "messages":
      return message;
    case "content": {
      const said = { parts: [{ text: answer }], role: "model" };
      const candidate = { content: said, finishReason: "STOP", index: 0 };
      return {
        candidates: [{ ...candidate, groundingMetadata: grounding }],
        usageMetadata: contentUsage,
      };
    }
  }
}

function named(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function bare(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

export function searchedStream(dialect: Dialect): string {
  switch (dialect) {
    case "chat":
      return chatStream();
    case "responses":
      return responsesStream();
    case "messages":
      return messagesStream();
    case "content": {
      const chunk = (text: string, more: object = {}) => ({
        candidates: [{ content: { parts: [{ text }], role: "model" }, index: 0, ...more }],
      });
      const end = { finishReason: "STOP", groundingMetadata: grounding };
      const last = { ...chunk("", end), usageMetadata: contentUsage };
      return bare(chunk(answer)) + bare(last);
    }
  }
}

function chatStream(): string {
  const object = "chat.completion.chunk";
  const chunk = (delta: object, finish: string | null = null) =>
    bare({ ...chatHead, object, choices: [{ index: 0, delta, finish_reason: finish }] });
  return [
    chunk({ role: "assistant", content: "" }),
    chunk({ content: answer }),
    chunk({ annotations: [chatAnnotation] }),
    chunk({}, "stop"),
    bare({ ...chatHead, object, choices: [], usage: chatUsage }),
    "data: [DONE]\n\n",
  ].join("");
}

function responsesStream(): string {
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const place = { item_id: "msg_1", output_index: 2, content_index: 0 };
  return [
    named("response.created", { response: begun }),
    ...[searchItem, secondItem].flatMap((item, at) => [
      named("response.output_item.added", {
        output_index: at,
        item: { type: item.type, id: item.id, status: "in_progress" },
      }),
      named("response.web_search_call.completed", { output_index: at, item_id: item.id }),
      named("response.output_item.done", { output_index: at, item }),
    ]),
    named("response.output_text.delta", { ...place, delta: answer }),
    named("response.output_text.annotation.added", { ...place, annotation_index: 0, annotation }),
    named("response.output_item.done", { output_index: 2, item: spokenItem }),
    named("response.completed", { response }),
  ].join("");
}

function messagesStream(): string {
  const begun = { ...message, content: [], stop_reason: null };
  const block = (index: number, start: object, deltas: readonly object[]) =>
    [
      named("content_block_start", { index, content_block: start }),
      ...deltas.map((delta) => named("content_block_delta", { index, delta })),
      named("content_block_stop", { index }),
    ].join("");
  const searched = blocks.map((one, at) => {
    if (!one.input) return block(at, one, []);
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(one.input) };
    return block(at, { ...one, input: {} }, [delta]);
  });
  return [
    named("message_start", {
      message: { ...begun, usage: { input_tokens: 100, output_tokens: 1 } },
    }),
    ...searched,
    block(blocks.length, { type: "text", text: "" }, [
      { type: "citations_delta", citation: location },
      { type: "text_delta", text: answer },
    ]),
    named("message_delta", {
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: message.usage,
    }),
    named("message_stop", {}),
  ].join("");
}

interface Searched {
  text: string;
  cited: string[];
  queries: string[];
  pages: string[];
}

/** Findings that a client of the dialect reads, wherever they stand in the answer. */
export function readSearched(dialect: Dialect, body: string, isStream: boolean): Searched {
  const whole = isStream ? lastWords(dialect, body) : [JSON.parse(body) as JsonObject];
  const found: Searched = { text: "", cited: [], queries: [], pages: [] };
  for (const part of whole) look(part, found);
  return found;
}

/** The events of a stream that tell it, each thing once. */
function lastWords(dialect: Dialect, body: string): JsonObject[] {
  const events = readEvents(body)
    .filter(({ data }) => data !== "[DONE]")
    .map(({ data }) => JSON.parse(data) as JsonObject);
  if (dialect !== "responses") return events;
  return events.filter(({ type }) => type === "response.completed");
}

function look(value: Json | undefined, found: Searched): void {
  if (Array.isArray(value)) for (const item of value) look(item, found);
  if (!isObject(value)) return;
  const { type, text, content, url } = value;
  if (typeof text === "string" && value["segment"] === undefined) found.text += text;
  if (typeof content === "string") found.text += content;
  if (type === "url_citation" || type === "web_search_result_location") {
    const named = isObject(value["url_citation"]) ? value["url_citation"]["url"] : url;
    found.cited.push(String(named));
    return;
  }
  if (type === "web_search_result" || type === "url") found.pages.push(String(url));
  if (type === "server_tool_use" || type === "input_json_delta") lookAtCall(value, found);
  if (Array.isArray(value["queries"])) found.queries.push(...value["queries"].map(String));
  if (isObject(value["groundingMetadata"])) lookAtGrounding(value["groundingMetadata"], found);
  for (const [name, inner] of Object.entries(value)) {
    if (name !== "groundingMetadata" && name !== "instructions") look(inner, found);
  }
}

function lookAtCall({ input, partial_json: json }: JsonObject, found: Searched): void {
  const read = typeof json === "string" ? (JSON.parse(json) as Json) : input;
  if (isObject(read) && typeof read["query"] === "string") found.queries.push(read["query"]);
}

/** Supported text is cited. */
function lookAtGrounding(grounding: JsonObject, found: Searched): void {
  const chunks = Array.isArray(grounding["groundingChunks"]) ? grounding["groundingChunks"] : [];
  const addresses = chunks.map((chunk) =>
    isObject(chunk) && isObject(chunk["web"]) ? String(chunk["web"]["uri"]) : "",
  );
  const supports = grounding["groundingSupports"];
  const cited = (Array.isArray(supports) ? supports : []).flatMap((support) =>
    isObject(support) && Array.isArray(support["groundingChunkIndices"])
      ? support["groundingChunkIndices"].map((at) => addresses[Number(at)] ?? "")
      : [],
  );
  found.cited.push(...new Set(cited));
  const asked = grounding["webSearchQueries"];
  if (!Array.isArray(asked)) return;
  found.queries.push(...asked.map(String));
  found.pages.push(...addresses);
}
