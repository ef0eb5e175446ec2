// Reads a streamed answer as a client does: to its end, or up to a point and no further.

export type Chunk = Record<string, unknown>;

export interface Streamed {
  /** Everything that came, as it came. */
  text: string;
  /** The data of each event. */
  data: string[];
  /** The events that are JSON. */
  chunks: Chunk[];
}

export async function readStream(response: Response): Promise<Streamed> {
  return parseStream(await response.text());
}

export function parseStream(text: string): Streamed {
  const data = text
    .split(/\r?\n\r?\n/)
    .flatMap((block) => /^data: ?(.*)$/m.exec(block)?.[1] ?? [])
    .map((line) => line.trimEnd());
  const chunks = data
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Chunk);
  return { text, data, chunks };
}

interface ChunkReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}

/** A streamed answer that is read only as far as the test wants. */
export class StreamReader {
  text = "";
  readonly #reader: ChunkReader;
  readonly #decoder = new TextDecoder();

  constructor(response: Response) {
    if (!response.body) throw new Error("the answer has no body");
    this.#reader = response.body.getReader();
  }

  /** Reads until the text holds `wanted`; throws when the stream ends without it. */
  async until(wanted: string): Promise<string> {
    while (!this.text.includes(wanted)) {
      const { value, done } = await this.#reader.read();
      if (done) throw new Error(`the stream ended without ${wanted}:\n${this.text}`);
      this.text += this.#decoder.decode(value, { stream: true });
    }
    return this.text;
  }

  async rest(): Promise<string> {
    for (;;) {
      const { value, done } = await this.#reader.read();
      if (done) return this.text;
      this.text += this.#decoder.decode(value, { stream: true });
    }
  }
}
