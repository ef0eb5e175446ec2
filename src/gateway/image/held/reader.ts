// One piece of JSON on its way in: what the splitter hands out goes to files.
import { GatewayError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import type { SpoolWriter } from "../../../media/spool.ts";
import type { HeldText } from "./held-text.ts";
import { JsonSplitter, type LongTexts } from "./split-json.ts";

interface HeldReaderNeeds {
  newWord(): string;
  create(): Promise<SpoolWriter>;
  held(word: string, text: HeldText): void;
}

/** A text on its way from the splitter to its file. */
interface Arriving {
  word: string;
  waiting: Uint8Array[];
  isBase64: boolean;
  isOver: boolean;
}

/** Reads one piece of JSON; nothing of it waits in memory once `push` has resolved. */
export class HeldReader {
  readonly #needs: HeldReaderNeeds;
  readonly #splitter: JsonSplitter;
  readonly #arriving: Arriving[] = [];
  #file: SpoolWriter | null = null;

  constructor(needs: HeldReaderNeeds) {
    this.#needs = needs;
    this.#splitter = new JsonSplitter(this.#texts());
  }

  async push(chunk: Uint8Array): Promise<void> {
    this.#splitter.push(chunk);
    while (this.#arriving.length > 0 && (await this.#writeFirst())) this.#arriving.shift();
  }

  async end(): Promise<Json> {
    return await Promise.resolve(this.#splitter.end());
  }

  #texts(): LongTexts {
    return {
      begin: () => {
        const word = this.#needs.newWord();
        this.#arriving.push({ word, waiting: [], isBase64: true, isOver: false });
        return word;
      },
      write: (piece, isBase64) => {
        const text = this.#arriving.at(-1);
        text?.waiting.push(piece);
        if (text) text.isBase64 = isBase64;
      },
      end: () => {
        const text = this.#arriving.at(-1);
        if (text) text.isOver = true;
      },
    };
  }

  /** True when the text is whole and in its file. */
  async #writeFirst(): Promise<boolean> {
    const [text] = this.#arriving;
    if (!text) return false;
    const file = (this.#file ??= await this.#needs.create());
    for (const piece of text.waiting.splice(0)) await ours(file.write(piece));
    if (!text.isOver) return false;
    await ours(file.close());
    this.#file = null;
    const { word, isBase64 } = text;
    this.#needs.held(word, { path: file.path, bytes: file.bytes, isBase64 });
    return true;
  }
}

/** A disk that fails is our own fault and no vendor's. */
export async function ours<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw new GatewayError("server_error", { cause: error });
  }
}
