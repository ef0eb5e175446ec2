// Storage of kept media. An id names its type by its ending, so nothing else has to be remembered.
import { timeOfId } from "../core/ids.ts";
import { typeOfExtension, type MediaType } from "./sniff.ts";

export interface StoredFile {
  bytes: number;
  /** The bytes from `start` up to but without `end`. */
  part(start: number, end: number): Blob | ReadableStream<Uint8Array>;
}

export interface StoredEntry {
  id: string;
  bytes: number;
}

export interface MediaStorage {
  /** Takes over the file at `path`, which is gone afterwards; kept when it resolves. */
  put(id: string, path: string, type: MediaType): Promise<void>;
  open(id: string): Promise<StoredFile | null>;
  /** Removing what is gone already is no fault. */
  remove(id: string): Promise<void>;
  list(): AsyncIterable<StoredEntry>;
}

/** The type and moment an id names, or null for a text that is no id: it goes into paths. */
export function readMediaId(id: string): { type: MediaType; keptAtMs: number } | null {
  const [, bare = "", extension = ""] = /^(media_[0-9a-z]{26})\.([a-z0-9]{2,5})$/.exec(id) ?? [];
  const type = typeOfExtension(extension);
  const keptAtMs = timeOfId(bare);
  return type === null || keptAtMs === null ? null : { type, keptAtMs };
}
