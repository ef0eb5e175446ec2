// Server-sent events with pictures in them, read one at a time with their long texts held on disk:
// an event of twenty megabytes takes no more memory than one of twenty bytes.
import { JsonError, type Json } from "../../../core/json.ts";
import { BodyTooLarge, type OutboundReply } from "../../../core/outbound.ts";
import { GrowingBytes } from "./growing-bytes.ts";
import type { HeldReader } from "./reader.ts";
import type { HeldTexts } from "./texts.ts";

export interface HeldEvent {
  name: string | null;
  /** Null when its data is no JSON. */
  json: Json;
  /** The event's texts; to be dropped by its taker. */
  held: HeldTexts;
}

interface HeldEventsNeeds {
  reply: Pick<OutboundReply, "read">;
  /** For all events together. */
  bytesMax: number;
  openHeld(): HeldTexts;
}

const newline = 10;
const carriageReturn = 13;
const colon = 58;
const space = 32;
const lineBreak = Uint8Array.of(newline);
const nameBytesMax = 1024;

/** An event that is being read. */
interface Draft {
  held: HeldTexts;
  reader: HeldReader;
  hasData: boolean;
  isJson: boolean;
}

export class HeldEvents {
  readonly #needs: HeldEventsNeeds;
  #left: number;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  #afterReturn = false;
  #draft: Draft | null = null;
  #name: string | null = null;
  /** The line so far, until its field is known; then the event's name. */
  #line = new GrowingBytes(nameBytesMax);
  #field: "data" | "event" | "other" | null = null;
  /** A space may stand between a field and its value. */
  #isBeforeValue = false;

  constructor(needs: HeldEventsNeeds) {
    this.#needs = needs;
    this.#left = needs.bytesMax;
  }

  /** Null at the end; throws BodyTooLarge past the limit. */
  async next(): Promise<HeldEvent | null> {
    for (;;) {
      while (this.#at < this.#chunk.length) {
        const event = await this.#takeLine();
        if (event) return event;
      }
      const { value } = await this.#needs.reply.read();
      if (!value) return null;
      this.#left -= value.length;
      if (this.#left < 0) throw new BodyTooLarge("the stream is too long");
      this.#chunk = value;
      this.#at = 0;
    }
  }

  /** Drop the event that was begun: it is of no use any more. */
  async close(): Promise<void> {
    await this.#draft?.held.drop();
    this.#draft = null;
  }

  /** Takes the bytes up to the end of the line or of the chunk. */
  async #takeLine(): Promise<HeldEvent | null> {
    const chunk = this.#chunk;
    const from = this.#at;
    if (this.#afterReturn && chunk[from] === newline) {
      this.#afterReturn = false;
      this.#at++;
      return null;
    }
    this.#afterReturn = false;
    const end = endOfLine(chunk, from);
    await this.#take(chunk.subarray(from, end ?? chunk.length));
    this.#at = end === null ? chunk.length : end + 1;
    if (end === null) return null;
    this.#afterReturn = chunk[end] === carriageReturn;
    return await this.#endLine();
  }

  async #take(piece: Uint8Array): Promise<void> {
    if (this.#field === "data") return await this.#takeData(piece);
    if (this.#field === "event") return this.#gather(piece);
    if (this.#field === "other") return;
    const at = piece.indexOf(colon);
    this.#gather(at === -1 ? piece : piece.subarray(0, at));
    if (at === -1) return;
    const name = textOf(this.#line.cut(0));
    this.#field = name === "data" || name === "event" ? name : "other";
    if (name === "data") await this.#beginData();
    await this.#take(piece.subarray(at + 1));
  }

  /** A field's name, or the event's: what is longer than any of those is nothing to us. */
  #gather(piece: Uint8Array): void {
    if (this.#line.length + piece.length > nameBytesMax) this.#field = "other";
    else this.#line.append(piece);
  }

  async #beginData(): Promise<void> {
    this.#isBeforeValue = true;
    if (this.#draft) {
      await this.#push(lineBreak);
      return;
    }
    const held = this.#needs.openHeld();
    this.#draft = { held, reader: held.reader(), hasData: false, isJson: true };
  }

  async #takeData(piece: Uint8Array): Promise<void> {
    if (piece.length === 0) return;
    const isSpaced = this.#isBeforeValue && piece[0] === space;
    this.#isBeforeValue = false;
    await this.#push(isSpaced ? piece.subarray(1) : piece);
  }

  async #push(piece: Uint8Array): Promise<void> {
    const draft = this.#draft;
    if (!draft?.isJson) return;
    draft.hasData ||= piece.length > 0;
    try {
      await draft.reader.push(piece);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      draft.isJson = false;
    }
  }

  async #endLine(): Promise<HeldEvent | null> {
    const isBlank = this.#field === null && this.#line.length === 0;
    const line = textOf(this.#line.cut(0));
    if (this.#field === "event") this.#name = line.trim();
    this.#field = null;
    this.#isBeforeValue = false;
    if (!isBlank) return null;
    const [draft, name] = [this.#draft, this.#name];
    this.#draft = null;
    this.#name = null;
    if (!draft?.hasData) return null;
    return { name, json: await readEnd(draft), held: draft.held };
  }
}

async function readEnd({ reader, isJson }: Draft): Promise<Json> {
  try {
    return isJson ? await reader.end() : null;
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

function endOfLine(chunk: Uint8Array, from: number): number | null {
  const feed = chunk.indexOf(newline, from);
  const before = feed === -1 ? chunk : chunk.subarray(0, feed);
  const carriage = before.indexOf(carriageReturn, from);
  if (carriage !== -1) return carriage;
  return feed === -1 ? null : feed;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
