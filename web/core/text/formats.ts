// Formats that text models are asked in, and a conversation in none of them.

export const textFormats = ["chat", "responses", "messages", "content"] as const;
export type TextFormat = (typeof textFormats)[number];

/** One that was chosen from disk or pasted, or that a model has made. */
export interface Picture {
  name: string;
  /** Such as image/png. */
  type: string;
  base64: string;
}

/** A function that the model may ask for. */
export interface Tool {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  parameters: object;
}

/** Use of a tool that a model asks for. */
export interface ToolCall {
  id: string;
  name: string;
  /** JSON, as the model wrote it. */
  arguments: string;
  /** Gemini's proof of its own thoughts, which goes back with the call. */
  signature?: string;
}

export type Message =
  | { role: "user"; content: string; pictures?: readonly Picture[] }
  | { role: "assistant"; content: string; calls?: readonly ToolCall[] }
  | { role: "tool"; results: readonly ToolResult[] };

/** All results of one answer go back together. */
export interface ToolResult {
  call: ToolCall;
  content: string;
}

export interface TextAsk {
  format: TextFormat;
  model: string;
  system: string;
  messages: readonly Message[];
  tools?: readonly Tool[];
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

export const dataUrl = ({ type, base64 }: Picture): string => `data:${type};base64,${base64}`;
