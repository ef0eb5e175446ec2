// Puts what a request refers to in its place before anything is decided about it, and remembers
// what later requests may refer to. Formats without references pay nothing for it.
import { assert } from "../../../core/assert.ts";
import { GatewayError } from "../../../core/errors.ts";
import type { AccountId } from "../../../core/ids.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { TextRequest } from "../../../formats/format.ts";
import type { KeptReply, Recalled, Recollection } from "../../../formats/recollection.ts";
import type { TextCall } from "../open-text.ts";
import type { KeptTexts, ResponseMemory } from "./response-memory.ts";

/** The same thing may be referred to many times; what comes out of it must have an end. */
const recalledBytesMax = 16 * 1024 * 1024;

export interface RecalledText {
  call: TextCall;
  request: TextRequest;
}

/** What was put in is read, held and paid for like the rest of the body. */
export function recallText(
  memory: ResponseMemory,
  call: TextCall,
  request: TextRequest,
): RecalledText {
  const recalled = recallBody(memory, call);
  if (!recalled) return { call, request };
  const { body, bytes, earlier } = recalled;
  const read = call.format.read(body, call.address, earlier);
  return {
    call: { ...call, body, bodyBytes: call.bodyBytes + bytes },
    request: earlier ? { ...read, earlier } : read,
  };
}

export function recallBody(
  memory: ResponseMemory,
  { format, body, caller }: Pick<TextCall, "format" | "body" | "caller">,
): (Recalled & { bytes: number }) | null {
  if (!format.client?.recall) return null;
  const reading = new Reading(memory, caller.accountId);
  const recalled = format.client.recall(body, reading);
  return recalled && { ...recalled, bytes: reading.bytes };
}

/** Remembers a reply that was written here, where its format has clients refer to it. */
export function keepReply(
  memory: ResponseMemory,
  { format, body, bodyBytes, caller }: TextCall,
  reply: JsonObject,
): void {
  const kept = format.client?.keep?.(body, reply);
  if (!kept) return;
  // What is surely too much is not written out to be measured.
  const input = bodyBytes > memory.entryBytesMax ? null : kept.input;
  memory.keep(caller.accountId, { ...kept, input });
}

export function readKept(id: string, { head, items, input }: KeptTexts): KeptReply {
  const read = { head: readObject(head), items: [...items.values()].map(readObject) };
  return { id, ...read, input: input === null ? null : readList(input) };
}

/** One request's look into the memory of its account. */
class Reading implements Recollection {
  readonly #memory: ResponseMemory;
  readonly #accountId: AccountId;
  #bytes = 0;

  constructor(memory: ResponseMemory, accountId: AccountId) {
    this.#memory = memory;
    this.#accountId = accountId;
  }

  /** How long everything is that was read. */
  get bytes(): number {
    return this.#bytes;
  }

  findItem(id: string): JsonObject | null {
    const text = this.#memory.findItem(this.#accountId, id);
    return text === null ? null : readObject(this.#count(text));
  }

  findConversation(replyId: string): Json[] | null {
    const kept = this.#memory.find(this.#accountId, replyId);
    if (!kept?.input) return null;
    const items = [...kept.items.values()].map((text) => readObject(this.#count(text)));
    return [...readList(this.#count(kept.input)), ...items];
  }

  #count(text: string): string {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes <= recalledBytesMax) return text;
    const message = "What the request refers to is too large.";
    throw new GatewayError("request_body_too_large", { message });
  }
}

function readObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  assert(isObject(value), "what was kept is an object");
  return value;
}

function readList(text: string): Json[] {
  const value: unknown = JSON.parse(text);
  assert(Array.isArray(value), "what was kept is a list");
  return value;
}
