// A question in each of the formats that text models are asked in, and what their streams say.

export const textFormats = ["chat", "responses", "messages", "content"] as const;
export type TextFormat = (typeof textFormats)[number];

export interface Message {
  role: "user" | "assistant";
  content: string;
}

export interface TextAsk {
  format: TextFormat;
  model: string;
  system: string;
  messages: readonly Message[];
  /** Null leaves it to the model. */
  temperature: number | null;
  tokensMax: number;
  /** Fields of the format itself, put over the others. */
  more: object;
}

export interface Call {
  path: string;
  body: object;
}

/** As a stream. */
export function textCall(ask: TextAsk): Call {
  const { format, model, system, messages, temperature, tokensMax, more } = ask;
  const heat = temperature === null ? {} : { temperature };
  const common = { model, stream: true, ...heat };
  if (format === "messages") {
    const own = { max_tokens: tokensMax, ...(system && { system }), messages };
    return { path: "/v1/messages", body: { ...common, ...own, ...more } };
  }
  if (format === "responses") {
    const own = { max_output_tokens: tokensMax, ...(system && { instructions: system }) };
    return { path: "/v1/responses", body: { ...common, ...own, input: messages, ...more } };
  }
  if (format === "content") return contentCall(ask);
  const first = system ? [{ role: "system", content: system }] : [];
  const own = { max_tokens: tokensMax, messages: [...first, ...messages] };
  return { path: "/v1/chat/completions", body: { ...common, ...own, ...more } };
}

function contentCall({ model, system, messages, temperature, tokensMax, more }: TextAsk): Call {
  const heat = temperature === null ? {} : { temperature };
  const contents = messages.map(({ role, content }) => ({
    role: role === "user" ? "user" : "model",
    parts: [{ text: content }],
  }));
  const head = system ? { systemInstruction: { parts: [{ text: system }] } } : {};
  const generationConfig = { ...heat, maxOutputTokens: tokensMax };
  const path = `/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`;
  return { path, body: { contents, ...head, generationConfig, ...more } };
}

/** As much of an event of any format as is read here. */
interface StreamEvent {
  type?: string;
  message?: string | object;
  error?: { message?: string };
  response?: { error?: { message?: string } | null };
  choices?: { delta?: { content?: string | null } }[];
  delta?: string | { text?: string };
  candidates?: { content?: { parts?: { text?: string; thought?: boolean }[] } }[];
}

/** The text that an event adds; throws where the event is that the stream has failed. */
export function textOfEvent(format: TextFormat, data: string): string {
  if (data === "[DONE]") return "";
  const event = JSON.parse(data) as StreamEvent;
  const failure = event.error ?? (event.type === "response.failed" ? event.response?.error : null);
  if (failure) throw new Error(failure.message ?? "");
  const { type, delta } = event;
  if (format === "chat") return event.choices?.[0]?.delta?.content ?? "";
  if (format === "responses") {
    return type === "response.output_text.delta" && typeof delta === "string" ? delta : "";
  }
  if (format === "messages") {
    return type === "content_block_delta" && typeof delta === "object" ? (delta.text ?? "") : "";
  }
  const parts = event.candidates?.[0]?.content?.parts ?? [];
  return parts.map(({ text = "", thought }) => (thought ? "" : text)).join("");
}

/** Takes a stream apart into the data of its events, wherever it is cut into pieces. */
export class EventCutter {
  #rest = "";

  push(piece: string): string[] {
    const blocks = (this.#rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => {
      const lines = block.split("\n").filter((line) => line.startsWith("data:"));
      return lines.length === 0 ? [] : [lines.map((line) => line.slice(5).trimStart()).join("\n")];
    });
  }
}
