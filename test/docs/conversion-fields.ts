// One example of each field, in the words of each format.
import type { JsonObject } from "../../src/core/json.ts";
import type { UpstreamDialect, Dialect } from "../../src/formats/exchange.ts";
import { png } from "../harness/samples.ts";

/** Names that a vendor of each dialect gives its newer models. */
export const models: Readonly<Record<UpstreamDialect, string>> = {
  chat: "gpt-5",
  responses: "gpt-5",
  messages: "claude-opus-4-6",
  content: "gemini-3-pro",
  converse: "anthropic.claude-opus-4-6-v1:0",
};

export const plainBodies: Readonly<Record<Dialect, JsonObject>> = {
  chat: { model: "shown", messages: [{ role: "user", content: "Hello" }] },
  responses: { model: "shown", input: "Hello" },
  messages: { model: "shown", max_tokens: 4000, messages: [{ role: "user", content: "Hello" }] },
  content: { contents: [{ role: "user", parts: [{ text: "Hello" }] }] },
};

const image = png;
const pdf = Buffer.from("%PDF-1.4\n").toString("base64");
const wav = Buffer.from("RIFF\u0000\u0000\u0000\u0000WAVEfmt ").toString("base64");
const mp4 = Buffer.from("\u0000\u0000\u0000\u0018ftypmp42").toString("base64");
const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

function chatParts(...parts: JsonObject[]): JsonObject {
  return { messages: [{ role: "user", content: parts }] };
}

function responsesParts(...parts: JsonObject[]): JsonObject {
  return { input: [{ role: "user", content: parts }] };
}

function messagesParts(...parts: JsonObject[]): JsonObject {
  return { messages: [{ role: "user", content: parts }] };
}

function contentParts(...parts: JsonObject[]): JsonObject {
  return { contents: [{ role: "user", parts }] };
}

const chatTool = { type: "function", function: { name: "weather", parameters: schema } };
const flatTool = { type: "function", name: "weather", parameters: schema };
const messagesTool = { name: "weather", input_schema: schema };
const contentTool = { functionDeclarations: [{ name: "weather", parametersJsonSchema: schema }] };

const chat: Record<string, JsonObject> = {
  "system and developer messages": {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ],
  },
  "image by URL": chatParts({ type: "image_url", image_url: { url: "https://example.com/a.png" } }),
  "image as data URL": chatParts({
    type: "image_url",
    image_url: { url: `data:image/png;base64,${image}` },
  }),
  "file with data": chatParts({
    type: "file",
    file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` },
  }),
  "file by id": chatParts({ type: "file", file: { file_id: "file-1" } }),
  input_audio: chatParts({ type: "input_audio", input_audio: { data: wav, format: "wav" } }),
  "tools (functions)": { tools: [chatTool] },
  "tools (custom)": { tools: [{ type: "custom", custom: { name: "patch" } }] },
  tool_choice: { tools: [chatTool], tool_choice: "required" },
  "parallel_tool_calls: false": { tools: [chatTool], parallel_tool_calls: false },
  "response_format json_object": { response_format: { type: "json_object" } },
  "response_format json_schema": {
    response_format: { type: "json_schema", json_schema: { name: "place", schema, strict: true } },
  },
  reasoning_effort: { reasoning_effort: "high" },
  max_tokens: { max_tokens: 100 },
  temperature: { temperature: 0 },
  top_p: { top_p: 0.5 },
  stop: { stop: ["END"] },
  n: { n: 2 },
  seed: { seed: 1 },
  "presence_penalty, frequency_penalty": { presence_penalty: 1 },
  logprobs: { logprobs: true },
  logit_bias: { logit_bias: { "1": 1 } },
  "user, safety_identifier": { user: "u-1" },
  metadata: { metadata: { a: "b" } },
  verbosity: { verbosity: "low" },
  service_tier: { service_tier: "flex" },
  prompt_cache_key: { prompt_cache_key: "k" },
  "store: true": { store: true },
  prediction: { prediction: { type: "content", content: "x" } },
  "audio output": { modalities: ["text", "audio"] },
  web_search_options: { web_search_options: {} },
};

const responses: Record<string, JsonObject> = {
  instructions: { instructions: "Be brief." },
  "image by URL": responsesParts({
    type: "input_image",
    image_url: "https://example.com/a.png",
  }),
  "image as data URL": responsesParts({
    type: "input_image",
    image_url: `data:image/png;base64,${image}`,
  }),
  "file with data": responsesParts({
    type: "input_file",
    filename: "a.pdf",
    file_data: `data:application/pdf;base64,${pdf}`,
  }),
  "file by URL": responsesParts({ type: "input_file", file_url: "https://example.com/a.pdf" }),
  "tools (functions)": { tools: [flatTool] },
  "tools (custom)": { tools: [{ type: "custom", name: "patch" }] },
  "tools (namespace)": {
    tools: [{ type: "namespace", name: "clock", description: "Time.", tools: [flatTool] }],
  },
  "tools (search by the client)": { tools: [{ type: "tool_search", execution: "client" }] },
  "tools (web search)": { tools: [{ type: "web_search" }] },
  "tools (other hosted)": { tools: [{ type: "file_search" }] },
  "additional_tools in the input": {
    input: [
      { type: "additional_tools", role: "developer", tools: [flatTool] },
      { role: "user", content: "hi" },
    ],
  },
  tool_choice: { tools: [flatTool], tool_choice: "required" },
  "parallel_tool_calls: false": { tools: [flatTool], parallel_tool_calls: false },
  "text.format json_schema": {
    text: { format: { type: "json_schema", name: "place", schema, strict: true } },
  },
  "text.verbosity": { text: { verbosity: "low" } },
  reasoning: { reasoning: { effort: "high", summary: "auto" } },
  max_output_tokens: { max_output_tokens: 100 },
  temperature: { temperature: 0 },
  top_p: { top_p: 0.5 },
  top_logprobs: { top_logprobs: 2 },
  metadata: { metadata: { a: "b" } },
  "user, safety_identifier": { safety_identifier: "u-1" },
  service_tier: { service_tier: "flex" },
  prompt_cache_key: { prompt_cache_key: "k" },
  "store: true": { store: true },
  conversation: { conversation: "conv_1" },
  prompt: { prompt: { id: "pmpt_1" } },
  "background: true": { background: true },
  max_tool_calls: { max_tool_calls: 3 },
};

const messages: Record<string, JsonObject> = {
  system: { system: "Be brief." },
  "cache_control on a block": messagesParts({
    type: "text",
    text: "Hello",
    cache_control: { type: "ephemeral" },
  }),
  "image by URL": messagesParts({
    type: "image",
    source: { type: "url", url: "https://example.com/a.png" },
  }),
  "image as base64": messagesParts({
    type: "image",
    source: { type: "base64", media_type: "image/png", data: image },
  }),
  "document as base64": messagesParts({
    type: "document",
    source: { type: "base64", media_type: "application/pdf", data: pdf },
  }),
  "document by URL": messagesParts({
    type: "document",
    source: { type: "url", url: "https://example.com/a.pdf" },
  }),
  "file by id": messagesParts({ type: "image", source: { type: "file", file_id: "file_1" } }),
  tools: { tools: [messagesTool] },
  "tool_addition blocks": messagesParts({
    type: "tool_addition",
    tool: { type: "tool_definition", definition: messagesTool },
  }),
  "web search": { tools: [{ type: "web_search_20250305", name: "web_search" }] },
  "other server tools": { tools: [{ type: "web_fetch_20250910", name: "web_fetch" }] },
  "tool_choice any": { tools: [messagesTool], tool_choice: { type: "any" } },
  disable_parallel_tool_use: {
    tools: [messagesTool],
    tool_choice: { type: "auto", disable_parallel_tool_use: true },
  },
  "thinking enabled": { thinking: { type: "enabled", budget_tokens: 2000 } },
  "thinking adaptive": { thinking: { type: "adaptive" } },
  effort: { effort: "high" },
  "output_config.format": { output_config: { format: { type: "json_schema", schema } } },
  temperature: { temperature: 0 },
  top_p: { top_p: 0.5 },
  top_k: { top_k: 5 },
  stop_sequences: { stop_sequences: ["END"] },
  "metadata.user_id": { metadata: { user_id: "u-1" } },
  service_tier: { service_tier: "standard_only" },
  container: { container: "container_1" },
};

const content: Record<string, JsonObject> = {
  systemInstruction: { systemInstruction: { parts: [{ text: "Be brief." }] } },
  "inlineData image": contentParts({ inlineData: { mimeType: "image/png", data: image } }),
  "inlineData pdf": contentParts({ inlineData: { mimeType: "application/pdf", data: pdf } }),
  "inlineData audio": contentParts({ inlineData: { mimeType: "audio/wav", data: wav } }),
  "inlineData video": contentParts({ inlineData: { mimeType: "video/mp4", data: mp4 } }),
  "fileData https image": contentParts({
    fileData: { mimeType: "image/png", fileUri: "https://example.com/a.png" },
  }),
  "tools.functionDeclarations": { tools: [contentTool] },
  "tools.googleSearch": { tools: [{ googleSearch: {} }] },
  "toolConfig ANY": {
    tools: [contentTool],
    toolConfig: { functionCallingConfig: { mode: "ANY" } },
  },
  responseSchema: {
    generationConfig: { responseMimeType: "application/json", responseJsonSchema: schema },
  },
  thinkingConfig: { generationConfig: { thinkingConfig: { thinkingLevel: "HIGH" } } },
  maxOutputTokens: { generationConfig: { maxOutputTokens: 100 } },
  temperature: { generationConfig: { temperature: 0 } },
  topP: { generationConfig: { topP: 0.5 } },
  topK: { generationConfig: { topK: 5 } },
  "topP 0.95, topK 64": { generationConfig: { topP: 0.95, topK: 64 } },
  stopSequences: { generationConfig: { stopSequences: ["END"] } },
  candidateCount: { generationConfig: { candidateCount: 2 } },
  seed: { generationConfig: { seed: 1 } },
  "presencePenalty, frequencyPenalty": { generationConfig: { presencePenalty: 1 } },
  responseLogprobs: { generationConfig: { responseLogprobs: true } },
  "responseModalities IMAGE": { generationConfig: { responseModalities: ["TEXT", "IMAGE"] } },
  mediaResolution: { generationConfig: { mediaResolution: "MEDIA_RESOLUTION_LOW" } },
  safetySettings: {
    safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
  },
  labels: { labels: { a: "b" } },
  cachedContent: { cachedContent: "cachedContents/1" },
};

export const fields: Readonly<Record<Dialect, Record<string, JsonObject>>> = {
  chat,
  responses,
  messages,
  content,
};
