// A vendor's stream of pictures on its way to the client: each event is passed on when it is there
// as a whole, so that what breaks off in the midst of a picture ends in an error that can be read.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { Later } from "../../core/later.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { sumUsage } from "../../upstreams/kit/image-calls.ts";
import { readImageUsage } from "../../upstreams/openai-wire-images.ts";
import type { ImageUsage } from "../../upstreams/upstream.ts";
import { cut, noBytes, type Piece, type Pump } from "../stream/pump.ts";
import type { Wording } from "../conceal.ts";
import type { HeldEvent, HeldEvents } from "./held/events.ts";
import { eventPrefix } from "./render-image.ts";
import { jsonPieces } from "./held/write-json.ts";

interface ImagePumpNeeds {
  events: HeldEvents;
  job: Pick<ImageJob, "kind" | "count">;
  tell: Wording;
}

/** An error that the vendor sent in place of a picture. */
interface StreamFault {
  /** The body, in the shape of the vendor's own errors. */
  body: JsonObject;
  message: string;
}

const encoder = new TextEncoder();
const blankLine = encoder.encode("\n\n");
const unreadable = "The upstream's stream cannot be read.";

export class ImagePump implements Pump {
  readonly #needs: ImagePumpNeeds;
  /** A picture goes through files, beside which a promise for each piece is nothing. */
  readonly #later = new Later(() => this.#nextPiece());
  #event: HeldEvent | null = null;
  #pieces: AsyncIterator<Uint8Array> | null = null;
  #isWhole = true;
  #completed = 0;
  readonly #usages: (ImageUsage | null)[] = [];
  /** Something of a picture that is not finished was passed on. */
  #isBegun = false;
  #fault: StreamFault | null = null;

  constructor(needs: ImagePumpNeeds) {
    this.#needs = needs;
  }

  /** False in the midst of an event, and until the line that ends it was taken. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Pictures that were passed on to their end. */
  get completed(): number {
    return this.#completed;
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Usage of all of them; null when one was not counted. */
  get usage(): ImageUsage | null {
    return sumUsage(this.#usages);
  }

  get fault(): StreamFault | null {
    return this.#fault;
  }

  next(ready: () => void): Piece | undefined {
    const piece = this.#later.take(ready);
    // The last line waits for the settlement: a comment before it would stand within the event.
    if (piece) this.#isWhole = this.#pieces === null && piece.kind !== "end";
    return piece;
  }

  async close(): Promise<void> {
    await this.#pieces?.return?.();
    this.#pieces = null;
    await this.#event?.held.drop();
    this.#event = null;
    await this.#needs.events.close();
  }

  async #nextPiece(): Promise<Piece> {
    for (;;) {
      const piece = this.#pieces ? await this.#writeOn(this.#pieces) : await this.#readOn();
      if (piece) return piece;
    }
  }

  async #writeOn(pieces: AsyncIterator<Uint8Array>): Promise<Piece> {
    const { value, done } = await pieces.next();
    this.#isBegun = true;
    if (done !== true) return { kind: "bytes", bytes: value };
    const json = this.#event?.json ?? null;
    await this.#event?.held.drop();
    this.#event = null;
    this.#pieces = null;
    if (isCompleted(json)) this.#count(json);
    const isLast = this.#completed === this.#needs.job.count;
    return { kind: isLast ? "end" : "bytes", bytes: blankLine };
  }

  #count(json: JsonObject): void {
    this.#completed++;
    this.#isBegun = false;
    this.#usages.push(readImageUsage(json));
  }

  /** Null when there is nothing for the client in what came. */
  async #readOn(): Promise<Piece | null> {
    const event = await this.#needs.events.next();
    if (!event) return this.#completed > 0 ? { kind: "end", bytes: noBytes } : cut;
    const { json, name } = event;
    const fault = faultIn(name, json);
    if (fault || !isPicture(json)) {
      await event.held.drop();
      if (!fault) return null;
      this.#fault = fault;
      const { client, operator } = this.#needs.tell;
      const words = operator(fault.message);
      return { kind: "fault", bytes: noBytes, message: client(fault.message), words };
    }
    this.#event = event;
    this.#pieces = this.#write(json, event)[Symbol.asyncIterator]();
    return null;
  }

  /** A picture that was edited for a client who asked for a new one is a new one to the client. */
  async *#write(json: JsonObject, { held }: HeldEvent): AsyncIterable<Uint8Array> {
    const type = String(json["type"]).replace(/^[^.]+/, eventPrefix(this.#needs.job.kind));
    yield encoder.encode(`event: ${type}\ndata: `);
    yield* jsonPieces({ ...json, type }, held);
  }
}

function isPicture(json: Json): json is JsonObject {
  return isObject(json) && /^[\w-]+\.(?:partial_image|completed)$/.test(String(json["type"]));
}

function isCompleted(json: Json): json is JsonObject {
  return isObject(json) && String(json["type"]).endsWith(".completed");
}

function faultIn(name: string | null, json: Json): StreamFault | null {
  if (!isObject(json)) return name === "error" ? { body: {}, message: unreadable } : null;
  const error = json["error"];
  if (isObject(error)) return { body: { error }, message: messageOf(error) };
  if (name !== "error" && json["type"] !== "error") return null;
  return { body: { error: json }, message: messageOf(json) };
}

function messageOf({ message }: JsonObject): string {
  return typeof message === "string" ? message : unreadable;
}
