// Kept media: copied from a vendor, looked at, stored under an id of ours, and linked to.
import type { Ids } from "../core/ids.ts";
import type { Pass } from "../core/pass/pass.ts";
import { FetchFailed, piecesOf, type FetchRules, type GuardedFetch } from "./fetch.ts";
import type { MediaLinks } from "./links.ts";
import { probe } from "./probe.ts";
import { extensionOf, type MediaType } from "./sniff.ts";
import type { Pieces, Spool, SpooledFile } from "./spool.ts";
import { readMediaId, type MediaStorage, type StoredFile } from "./storage.ts";

/** Address of a result. Its headers and its pass are for the vendor alone. */
export type KeptSource =
  | {
      kind: "url";
      url: string;
      headers: Readonly<Record<string, string>>;
      pass?: Pass | undefined;
    }
  | { kind: "bytes"; base64: string }
  /** A file as somebody sends it, bounded by who reads it. */
  | { kind: "file"; pieces: Pieces }
  /** Base64 that is too long for memory. */
  | { kind: "pieces"; base64: Pieces };

export interface KeptMedia {
  mediaId: string;
  bytes: number;
  type: MediaType;
  width: number | null;
  height: number | null;
  seconds: number | null;
}

export interface OpenMedia extends StoredFile {
  id: string;
  type: MediaType;
}

interface MediaNeeds {
  fetch: GuardedFetch;
  spool: Spool;
  storage: MediaStorage;
  links: MediaLinks;
  ids: Ids;
  fileBytesMax: number;
  fetchTimeoutMs: number;
}

export class NotMedia extends Error {
  override readonly name = "NotMedia";
}

export class MediaStore {
  readonly #needs: MediaNeeds;

  constructor(needs: MediaNeeds) {
    this.#needs = needs;
  }

  /** Throws FetchFailed or NotMedia, and then keeps nothing. */
  async keep(source: KeptSource, rules: FetchRules = { allowPrivate: false }): Promise<KeptMedia> {
    const { spool, fileBytesMax } = this.#needs;
    const store = (file: SpooledFile) => this.#store(file);
    if (source.kind === "bytes") {
      if (source.base64.length > Math.ceil(fileBytesMax / 3) * 4) {
        throw new FetchFailed("it is too large", true);
      }
      return await spool.hold(decodeBase64(piecesOfText(source.base64)), store);
    }
    if (source.kind === "file") return await spool.hold(source.pieces, store);
    if (source.kind === "pieces") {
      return await spool.hold(decodeBase64(source.base64, fileBytesMax), store);
    }
    const fetched = await this.#needs.fetch.open(source.url, {
      headers: source.headers,
      pass: source.pass,
      ...rules,
      bytesMax: fileBytesMax,
      timeoutMs: this.#needs.fetchTimeoutMs,
    });
    try {
      return await spool.hold(piecesOf(fetched), store);
    } finally {
      fetched.close();
    }
  }

  /** Null when there is nothing under this id, or not any more. */
  async open(id: string): Promise<OpenMedia | null> {
    const named = readMediaId(id);
    const file = named && (await this.#needs.storage.open(id));
    return file ? { ...file, id, type: named.type } : null;
  }

  async remove(id: string): Promise<void> {
    if (readMediaId(id)) await this.#needs.storage.remove(id);
  }

  /** A link that lives as long as configured; `address` is where its reader called us. */
  link(id: string, address: string | null = null): string {
    return this.#needs.links.link(id, address);
  }

  async #store({ path, bytes }: SpooledFile): Promise<KeptMedia> {
    const probed = await probe(Bun.file(path));
    if (!probed) throw new NotMedia("The file is neither a video, nor an image, nor audio.");
    const { type, width, height, seconds } = probed;
    const mediaId = `${this.#needs.ids.media()}.${extensionOf(type)}`;
    await this.#needs.storage.put(mediaId, path, type);
    return { mediaId, bytes, type, width, height, seconds };
  }
}

const decodedTogether = 1024 * 1024;

function* piecesOfText(text: string): Iterable<Uint8Array> {
  for (let at = 0; at < text.length; at += decodedTogether) {
    yield Buffer.from(text.slice(at, at + decodedTogether), "latin1");
  }
}

/** In pieces, so that text and bytes are not both in memory as a whole. */
async function* decodeBase64(
  pieces: Pieces,
  bytesMax: number = Number.POSITIVE_INFINITY,
): AsyncIterable<Uint8Array> {
  let rest = "";
  let left = bytesMax;
  for await (const piece of pieces) {
    const { buffer, byteOffset, length } = piece;
    const letters = Buffer.from(buffer, byteOffset, length).toString("latin1");
    const text = rest + letters.replace(/\s+/g, "");
    const whole = text.length - (text.length % 4);
    const bytes = Buffer.from(text.slice(0, whole), "base64");
    left -= bytes.length;
    if (left < 0) throw new FetchFailed("it is too large", true);
    yield bytes;
    rest = text.slice(whole);
  }
  yield Buffer.from(rest, "base64");
}
