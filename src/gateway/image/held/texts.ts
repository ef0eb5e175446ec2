// The long texts of vendors' replies to one request: they lie in files, since pictures are large
// and many may be on their way at once. In the JSON that was read a short word stands for each.
import { open } from "node:fs/promises";
import { JsonError, type Json } from "../../../core/json.ts";
import { BodyTooLarge, type Allowance, type OutboundReply } from "../../../core/outbound.ts";
import type { Random } from "../../../core/random.ts";
import type { Pieces, Spool, SpoolWriter } from "../../../media/spool.ts";
import type { HeldText } from "./held-text.ts";
import { HeldReader, ours } from "./reader.ts";

export interface HoldNeeds {
  spool: Spool;
  random: Random;
}

const wordBytes = 16;
const pieceBytes = 256 * 1024;

/**
 * Long texts of one request. Their maker calls `drop` when they are of no more use, however the
 * request ends.
 */
export class HeldTexts implements AsyncDisposable {
  readonly #needs: HoldNeeds;
  readonly #texts = new Map<string, HeldText>();
  readonly #files = new Set<SpoolWriter>();
  #isDropped = false;

  constructor(needs: HoldNeeds) {
    this.#needs = needs;
  }

  /** A reply's JSON, null when it is none; throws BodyTooLarge past the limit. */
  async read(
    reply: Pick<OutboundReply, "read" | "cancel">,
    bytesMax: number,
    allowance?: Allowance,
  ): Promise<Json> {
    const reader = this.reader();
    let left = bytesMax;
    try {
      for (let { value } = await reply.read(); value; { value } = await reply.read()) {
        left -= value.length;
        if (left < 0 || allowance?.mayTake(value.length) === false) {
          throw new BodyTooLarge(`the body is longer than ${bytesMax} bytes`);
        }
        await reader.push(value);
      }
      return await reader.end();
    } catch (error) {
      reply.cancel();
      if (error instanceof JsonError) return null;
      throw error;
    }
  }

  /** For JSON that comes by other ways than as a whole reply; throws JsonError. */
  reader(): HeldReader {
    return new HeldReader({
      newWord: () => this.#newWord(),
      create: () => this.#create(),
      held: (word, text) => this.#texts.set(word, text),
    });
  }

  /** Holds a text that was made here; the word that stands for it. */
  async hold(pieces: Pieces): Promise<string> {
    const file = await this.#create();
    for await (const piece of pieces) await ours(file.write(piece));
    await ours(file.close());
    const word = this.#newWord();
    this.#texts.set(word, { path: file.path, bytes: file.bytes, isBase64: true });
    return word;
  }

  /** The text that a word stands for; null for a text that stands for itself. */
  find(word: string): HeldText | null {
    return this.#texts.get(word) ?? null;
  }

  /** All words of texts that are held. */
  get words(): string[] {
    return [...this.#texts.keys()];
  }

  async drop(): Promise<void> {
    this.#isDropped = true;
    this.#texts.clear();
    const files = [...this.#files];
    this.#files.clear();
    await Promise.all(files.map((file) => file.remove()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drop();
  }

  #newWord(): string {
    return `held-${Buffer.from(this.#needs.random.bytes(wordBytes)).toString("hex")}`;
  }

  async #create(): Promise<SpoolWriter> {
    const file = await ours(this.#needs.spool.create());
    this.#files.add(file);
    if (!this.#isDropped) return file;
    // Dropped while a reply was still being read.
    await this.drop();
    throw new TypeError("the texts of this request are dropped");
  }
}

/** The text in pieces, each in memory of its own. */
export async function* piecesOfHeld({ path }: HeldText): AsyncIterable<Uint8Array> {
  const file = await open(path, "r");
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(pieceBytes));
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** The first bytes of the text. */
export async function headOfHeld({ path }: HeldText, bytesMax: number): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(bytesMax), 0, bytesMax, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
