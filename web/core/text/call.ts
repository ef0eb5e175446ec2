// A question as a call for a stream, in each of the formats.
import type { Call, TextAsk, Tool } from "./formats.ts";
import { messagesOf } from "./messages.ts";

export function textCall(ask: TextAsk): Call {
  const { format, model, system, temperature, tokensMax, more } = ask;
  if (format === "content") return contentCall(ask);
  const messages = messagesOf(format, ask.messages);
  const heat = temperature === null ? {} : { temperature };
  const common = { model, stream: true, ...heat, ...toolsOf(ask) };
  if (format === "messages") {
    const own = { max_tokens: tokensMax, ...(system && { system }), messages };
    return { path: "/v1/messages", body: { ...common, ...own, ...more } };
  }
  if (format === "responses") {
    const own = { max_output_tokens: tokensMax, ...(system && { instructions: system }) };
    return { path: "/v1/responses", body: { ...common, ...own, input: messages, ...more } };
  }
  const first = system ? [{ role: "system", content: system }] : [];
  const own = { max_tokens: tokensMax, messages: [...first, ...messages] };
  return { path: "/v1/chat/completions", body: { ...common, ...own, ...more } };
}

function contentCall(ask: TextAsk): Call {
  const { model, system, messages, temperature, tokensMax, more } = ask;
  const heat = temperature === null ? {} : { temperature };
  const contents = messagesOf("content", messages);
  const head = system ? { systemInstruction: { parts: [{ text: system }] } } : {};
  const generationConfig = { ...heat, maxOutputTokens: tokensMax };
  const path = `/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`;
  return { path, body: { contents, ...head, ...toolsOf(ask), generationConfig, ...more } };
}

const writers: Readonly<Record<TextAsk["format"], (tools: readonly Tool[]) => object[]>> = {
  chat: (tools) => tools.map((tool) => ({ type: "function", function: tool })),
  responses: (tools) => tools.map((tool) => ({ type: "function", ...tool })),
  messages: (tools) =>
    tools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    })),
  content: (tools) => [{ functionDeclarations: tools }],
};

function toolsOf({ format, tools = [] }: TextAsk): object {
  return tools.length === 0 ? {} : { tools: writers[format](tools) };
}
