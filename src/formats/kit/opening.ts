// The opening of a conversation, by which it is known again where its client names no id: every
// request of it begins with the same instructions and the same first words of its user. Both are
// read up to a bound, so the fingerprint of a large body costs no more than that of a small one.
import type { ConversationOpening } from "../conversation.ts";

/** Headers in which agents name the conversation, the plainest first. */
export const conversationHeaders = [
  "x-session-id",
  "x-claude-code-session-id",
  "session-id",
  "session_id",
  "thread-id",
  "x-session-affinity",
] as const;

/** Limit of the instructions, and of the first message: enough to tell conversations apart. */
const partBytesMax = 4096;
const encoder = new TextEncoder();
/** One for all: a fingerprint is taken in one step, and nothing of a body stays longer. */
const bytes = new Uint8Array(2 * partBytesMax);

export class Opening implements ConversationOpening {
  #instructionBytes = 0;
  #messageBytes = 0;

  instruct(text: string): void {
    const room = bytes.subarray(this.#instructionBytes, partBytesMax);
    this.#instructionBytes += encoder.encodeInto(text, room).written;
  }

  say(text: string): void {
    const room = bytes.subarray(partBytesMax + this.#messageBytes);
    this.#messageBytes += encoder.encodeInto(text, room).written;
  }

  /** Null where nothing was said. The algorithm is fixed, so all nodes find the same. */
  get fingerprint(): string | null {
    if (this.#instructionBytes + this.#messageBytes === 0) return null;
    const instructions = Bun.hash.xxHash3(bytes.subarray(0, this.#instructionBytes));
    const message = bytes.subarray(partBytesMax, partBytesMax + this.#messageBytes);
    return Bun.hash.xxHash3(message, instructions).toString(16);
  }
}

/** Adds a text, or the texts of a list of parts. */
export function eachText(content: unknown, add: (text: string) => void): void {
  if (typeof content === "string") add(content);
  if (!Array.isArray(content)) return;
  for (const part of content) {
    const text: unknown = part?.text;
    if (typeof text === "string") add(text);
  }
}

/** A name that can tell conversations apart. */
export function idOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
