// A client of one text format: says one and the same thing in its own words, and reads every answer
// into one shape, so that a test holds for all of them.
import type { JsonObject } from "../../../src/core/json.ts";

export interface AskedTool {
  name: string;
  schema: JsonObject;
}

export interface Ask {
  model: string;
  prompt: string;
  system?: string;
  /** Its bytes as a data URL, or its address. */
  image?: string;
  tools?: readonly AskedTool[];
  /** One of the words, or the name of a tool. */
  choice?: string;
  outputTokensMax?: number;
  stop?: readonly string[];
  /** Thinking is wanted, and wanted to be seen. */
  thinks?: boolean;
  /** A schema of what the answer shall be. */
  shape?: JsonObject;
}

export interface AnsweredCall {
  id: string;
  name: string;
  input: unknown;
}

export interface Answered {
  text: string;
  reasoning: string;
  calls: AnsweredCall[];
  /** Reason of the ending, in the format's own word. */
  stop: string;
  /** Everything that was read, and everything that was generated. */
  input: number;
  output: number;
  cacheRead: number;
  reasoningTokens: number;
}

export interface TextClient {
  path(model: string, isStream: boolean): string;
  body(ask: Ask, isStream: boolean): JsonObject;
  /** The body of the next turn: what was answered, and what the tools returned for its calls. */
  next(body: JsonObject, reply: JsonObject, results: readonly string[]): JsonObject;
  read(reply: JsonObject): Answered;
  /** A stream put together to the reply that it stands for; throws when it is not whole. */
  assemble(text: string): JsonObject;
}

export type Parts = Record<string, unknown>;

/** Type and base64 of a data URL. */
export function splitDataUrl(url: string): { type: string; base64: string } | null {
  const [, type, base64] = /^data:([^;,]+);base64,(.*)$/.exec(url) ?? [];
  return type === undefined || base64 === undefined ? null : { type, base64 };
}

export function list<Item>(value: unknown): Item[] {
  return Array.isArray(value) ? (value as Item[]) : [];
}

/** The data of each event; an `event` line must agree with it. */
export function eventsOf(text: string): JsonObject[] {
  return text
    .replaceAll("\r\n", "\n")
    .split("\n\n")
    .filter((block) => block !== "" && !block.startsWith(":"))
    .map((block) => {
      const name = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1] ?? "";
      if (data === "[DONE]") return { type: "[DONE]" };
      const event = JSON.parse(data) as JsonObject;
      if (name !== undefined && event["type"] !== name) throw new Error(`not one event: ${block}`);
      return event;
    });
}
