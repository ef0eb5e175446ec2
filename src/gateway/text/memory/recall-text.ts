// Puts what a request refers to in its place before anything is decided about it, and remembers
// what later requests may refer to. Formats without references pay nothing for it.
import { assert } from "../../../core/assert.ts";
import { GatewayError } from "../../../core/errors.ts";
import { encodeJson, isObject, parseJson, type Json, type JsonObject } from "../../../core/json.ts";
import type { Asker } from "../../../distribution/asker.ts";
import type { Format, TextRequest } from "../../../formats/format.ts";
import type { KeptReply, Recalled, Recollection } from "../../../formats/recollection.ts";
import type { TextInput } from "../text-job.ts";
import type { KeptBytes } from "./kept-bytes.ts";
import type { KeptEntry, ResponseMemory } from "./response-memory.ts";

/** The same thing may be referred to many times; what comes out of it must have an end. */
const recalledBytesMax = 16 * 1024 * 1024;
const roundsMax = 4;

interface RecalledText {
  input: TextInput;
  request: TextRequest;
}

/** Put remembered items in: they are read, held and paid for like the rest of the body. */
export function recallText(
  memory: ResponseMemory,
  input: TextInput,
  request: TextRequest,
): RecalledText {
  const recalled = recallBody(memory, input, input.call.caller);
  if (!recalled) return { input, request };
  const { body, bytes, earlier } = recalled;
  const written = [...input.written, ...recalled.written];
  const read = input.format.read(body, input.address, earlier);
  return {
    input: { ...input, body, bodyBytes: input.bodyBytes + bytes, raw: null, written },
    request: earlier ? { ...read, earlier } : read,
  };
}

type RecalledBody = Recalled & { bytes: number; written: readonly Uint8Array[] };

/** References that are here; null where the request has none. */
export function recallBody(
  memory: ResponseMemory,
  input: Pick<TextInput, "format" | "body">,
  asker: Asker,
): RecalledBody | null {
  if (!input.format.client?.recall) return null;
  return readBody(input, new Reading(memory, input.format, asker));
}

/** Has it here; null unless another node may have what is not here, or have deleted what is. */
export function bringRecalled(
  memory: ResponseMemory,
  input: Pick<TextInput, "format" | "body">,
  asker: Asker,
): Promise<void> | null {
  if (!memory.isShared || !input.format.client?.recall) return null;
  const reading = new Reading(memory, input.format, asker);
  const isWhole = isAllHere(input, reading);
  return isWhole && reading.replyIds.length === 0 ? null : recallElsewhere(memory, input, reading);
}

/** True when nothing is missing, whatever else may be wrong with it. */
function isAllHere(input: Pick<TextInput, "format" | "body">, reading: Reading): boolean {
  try {
    readBody(input, reading);
  } catch {
    // It is told when all is here that there is.
  }
  return reading.missing.size === 0;
}

/** Items that were brought may refer to more; each round brings or takes some, or is the last. */
async function recallElsewhere(
  memory: ResponseMemory,
  input: Pick<TextInput, "format" | "body">,
  first: Reading,
): Promise<void> {
  let reading = first;
  for (let round = 0; round < roundsMax; round++) {
    const isLess = await memory.dropGone(first.asker, reading.replyIds);
    const isMore = await memory.fetch(first.asker, reading.missing);
    if (!isLess && !isMore) return;
    reading = new Reading(memory, input.format, first.asker);
    if (isAllHere(input, reading)) return;
  }
}

function readBody(
  { format, body }: Pick<TextInput, "format" | "body">,
  reading: Reading,
): RecalledBody | null {
  const recalled = format.client?.recall?.(body, reading);
  const { bytes, written } = reading;
  return recalled ? { ...recalled, bytes, written } : null;
}

/**
 * Remembers a reply that no vendor keeps, where its format has clients refer to it. The bytes are
 * what the client sent and what it gets: nothing is written out again to be remembered. A promise
 * where other nodes are to find it before the client has its answer.
 */
export function keepReply(
  memory: ResponseMemory,
  { format, body, bodyBytes, raw, call }: TextInput,
  reply: JsonObject,
  written?: Uint8Array,
): Promise<void> | null {
  const names = format.client?.keep?.(body, reply);
  if (!names) return null;
  // A body that is surely too much is not written out to be measured.
  const request = bodyBytes > memory.entryBytesMax ? null : (raw ?? encodeJson(body));
  const kept = { request, reply: written ?? encodeJson(reply) };
  return memory.keep(call.caller, names, kept);
}

/** Null for a format whose replies nobody refers to. */
export function readKept(format: Format, { request, reply }: KeptBytes): KeptReply | null {
  return format.client?.reopen?.(request && readObject(request), readObject(reply)) ?? null;
}

/** One request's look into the memory of its account. */
class Reading implements Recollection {
  readonly #memory: ResponseMemory;
  readonly #format: Format;
  readonly asker: Asker;
  /** Ids of which nothing is known here. */
  readonly missing = new Set<string>();
  /** A reply may be referred to thousands of times, and is read once. */
  readonly #read = new Map<KeptEntry, KeptReply | null>();
  readonly #itemsById = new Map<KeptReply, ReadonlyMap<Json | undefined, JsonObject>>();
  /** JSON of all that was read, by which it is counted. */
  readonly written: Uint8Array[] = [];
  #bytes = 0;

  constructor(memory: ResponseMemory, format: Format, asker: Asker) {
    this.#memory = memory;
    this.#format = format;
    this.asker = asker;
  }

  /** Length of everything that was read. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Ids of all replies that were read. */
  get replyIds(): string[] {
    return Array.from(this.#read.keys(), ({ id }) => id);
  }

  findItem(id: string): JsonObject | null {
    const reply = this.#open(this.#memory.findItem(this.asker, id), id);
    const item = reply && this.#itemsOf(reply).get(id);
    return item ? this.#count(item) : null;
  }

  findConversation(replyId: string): Json[] | null {
    const reply = this.#open(this.#memory.find(this.asker, replyId), replyId);
    if (!reply?.input) return null;
    return [...this.#count(reply.input), ...reply.items.map((item) => this.#count(item))];
  }

  #itemsOf(reply: KeptReply): ReadonlyMap<Json | undefined, JsonObject> {
    let items = this.#itemsById.get(reply);
    if (!items) {
      // The first of two with one id counts, so it is set last.
      items = new Map(reply.items.toReversed().map((item) => [item["id"], item]));
      this.#itemsById.set(reply, items);
    }
    return items;
  }

  #open(kept: KeptEntry | null, id: string): KeptReply | null {
    if (!kept) {
      this.missing.add(id);
      return null;
    }
    const known = this.#read.get(kept);
    if (known !== undefined) return known;
    const reply = readKept(this.#format, kept);
    this.#read.set(kept, reply);
    return reply;
  }

  #count<Value extends Json>(value: Value): Value {
    const json = encodeJson(value);
    this.written.push(json);
    this.#bytes += json.length;
    if (this.#bytes <= recalledBytesMax) return value;
    const message = "What the request refers to is too large.";
    throw new GatewayError("request_body_too_large", { message });
  }
}

function readObject(bytes: Uint8Array): JsonObject {
  const value = parseJson(bytes);
  assert(isObject(value), "what was kept is an object");
  return value;
}
