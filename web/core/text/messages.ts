// Messages of a conversation as each format writes them.
import { dataUrl, type Message, type Picture, type TextFormat, type ToolCall } from "./formats.ts";

type Said<Role extends Message["role"]> = Extract<Message, { role: Role }>;

interface Writer {
  user(message: Said<"user">): object;
  /** The answer and the calls in it may be several entries. */
  assistant(message: Said<"assistant">): object[];
  tool(message: Said<"tool">): object[];
}

export function messagesOf(format: TextFormat, messages: readonly Message[]): object[] {
  const writer = writers[format];
  return messages.flatMap((message) => {
    if (message.role === "user") return writer.user(message);
    return message.role === "tool" ? writer.tool(message) : writer.assistant(message);
  });
}

/** Arguments as an object; what a model wrote that is none stays a text. */
function inputOf({ arguments: text }: ToolCall): object {
  try {
    const value: unknown = JSON.parse(text || "{}");
    return typeof value === "object" && value !== null ? value : { value };
  } catch {
    return { text };
  }
}

/** A text alone stays a text; with pictures it is parts, as each format has them. */
function contentOf(text: string, pictures: readonly Picture[], parts: () => object[]): unknown {
  return pictures.length === 0 ? text : parts();
}

const chat: Writer = {
  user: ({ content: text, pictures = [] }) => ({
    role: "user",
    content: contentOf(text, pictures, () => [
      { type: "text", text },
      ...pictures.map((one) => ({ type: "image_url", image_url: { url: dataUrl(one) } })),
    ]),
  }),
  assistant: ({ content, calls = [] }) => [
    {
      role: "assistant",
      content: content === "" && calls.length > 0 ? null : content,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, arguments: text }) => ({
          id,
          type: "function",
          function: { name, arguments: text || "{}" },
        })),
      }),
    },
  ],
  tool: ({ results }) =>
    results.map(({ call, content }) => ({ role: "tool", tool_call_id: call.id, content })),
};

const responses: Writer = {
  user: ({ content: text, pictures = [] }) => ({
    role: "user",
    content: contentOf(text, pictures, () => [
      { type: "input_text", text },
      ...pictures.map((one) => ({ type: "input_image", image_url: dataUrl(one) })),
    ]),
  }),
  assistant: ({ content, calls = [] }) => [
    ...(content === "" && calls.length > 0 ? [] : [{ role: "assistant", content }]),
    ...calls.map(({ id, name, arguments: text }) => ({
      type: "function_call",
      call_id: id,
      name,
      arguments: text || "{}",
    })),
  ],
  tool: ({ results }) =>
    results.map(({ call, content }) => ({
      type: "function_call_output",
      call_id: call.id,
      output: content,
    })),
};

const messages: Writer = {
  user: ({ content: text, pictures = [] }) => ({
    role: "user",
    content: contentOf(text, pictures, () => [
      ...pictures.map(({ type, base64 }) => ({
        type: "image",
        source: { type: "base64", media_type: type, data: base64 },
      })),
      { type: "text", text },
    ]),
  }),
  assistant: ({ content: text, calls = [] }) => {
    if (calls.length === 0) return [{ role: "assistant", content: text }];
    const uses = calls.map((call) => ({
      type: "tool_use",
      id: call.id,
      name: call.name,
      input: inputOf(call),
    }));
    const said = text === "" ? [] : [{ type: "text", text }];
    return [{ role: "assistant", content: [...said, ...uses] }];
  },
  tool: ({ results }) => {
    const content = results.map(({ call, content: text }) => ({
      type: "tool_result",
      tool_use_id: call.id,
      content: text,
    }));
    return [{ role: "user", content }];
  },
};

const content: Writer = {
  user: ({ content: text, pictures = [] }) => ({
    role: "user",
    parts: [
      ...pictures.map(({ type, base64 }) => ({ inlineData: { mimeType: type, data: base64 } })),
      { text },
    ],
  }),
  assistant: ({ content: text, calls = [] }) => {
    const uses = calls.map((call) => ({
      functionCall: { name: call.name, args: inputOf(call) },
      ...(call.signature !== undefined && { thoughtSignature: call.signature }),
    }));
    const said = text === "" && calls.length > 0 ? [] : [{ text }];
    return [{ role: "model", parts: [...said, ...uses] }];
  },
  tool: ({ results }) => {
    const parts = results.map(({ call, content: result }) => ({
      functionResponse: { name: call.name, response: { result } },
    }));
    return [{ role: "user", parts }];
  },
};

const writers: Readonly<Record<TextFormat, Writer>> = { chat, responses, messages, content };
