// A question in each of the formats that text models are asked in, and what their streams say.

export const textFormats = ["chat", "responses", "messages", "content"] as const;
export type TextFormat = (typeof textFormats)[number];

/** One that was chosen from disk. */
export interface Picture {
  name: string;
  /** Such as image/png. */
  type: string;
  base64: string;
}

export interface Message {
  role: "user" | "assistant";
  content: string;
  pictures?: readonly Picture[];
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

/** Call for a stream. */
export function textCall(ask: TextAsk): Call {
  const { format, model, system, temperature, tokensMax, more } = ask;
  const messages = ask.messages.map((one) => ({ role: one.role, content: contentOf(format, one) }));
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

const dataUrl = ({ type, base64 }: Picture) => `data:${type};base64,${base64}`;

/** A text alone stays a text; with pictures it is parts, as each format has them. */
function contentOf(format: TextFormat, { content: text, pictures = [] }: Message): unknown {
  if (pictures.length === 0) return text;
  if (format === "messages") {
    const source = ({ type, base64 }: Picture) => ({
      type: "base64",
      media_type: type,
      data: base64,
    });
    const images = pictures.map((one) => ({ type: "image", source: source(one) }));
    return [...images, { type: "text", text }];
  }
  if (format === "responses") {
    const images = pictures.map((one) => ({ type: "input_image", image_url: dataUrl(one) }));
    return [{ type: "input_text", text }, ...images];
  }
  const images = pictures.map((one) => ({ type: "image_url", image_url: { url: dataUrl(one) } }));
  return [{ type: "text", text }, ...images];
}

function contentCall({ model, system, messages, temperature, tokensMax, more }: TextAsk): Call {
  const heat = temperature === null ? {} : { temperature };
  const contents = messages.map(({ role, content, pictures = [] }) => ({
    role: role === "user" ? "user" : "model",
    parts: [
      ...pictures.map(({ type, base64 }) => ({ inlineData: { mimeType: type, data: base64 } })),
      { text: content },
    ],
  }));
  const head = system ? { systemInstruction: { parts: [{ text: system }] } } : {};
  const generationConfig = { ...heat, maxOutputTokens: tokensMax };
  const path = `/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`;
  return { path, body: { contents, ...head, generationConfig, ...more } };
}

/** The part of any format's event that is read here. */
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
