// A folder on a disk that tears, refuses and forgets. What a process wrote stays when it dies; when
// power is lost, each file keeps what was synced, any beginning of the rest, perhaps with a hole
// where pages were not written, or comes back as it was before it was emptied. A sync that failed
// spoils the file: later ones only pretend.
import type { DiskFile, DiskFolder } from "../../src/store/sqlite/disk-file.ts";
import type { Dice } from "./dice.ts";

interface Content {
  bytes: Buffer;
  safeBytes: number;
  /** Content of the file when it was emptied, as long as that is not synced. */
  emptied: Buffer | null;
  isSpoilt: boolean;
  /** Times that the file was emptied. */
  era: number;
}

interface PendingSync {
  content: Content;
  era: number;
  safeBytes: number;
  resolve(): void;
  reject(error: Error): void;
}

export class SimulatedFolder {
  readonly #dice: Dice;
  readonly #contents = new Map<string, Content>();
  #syncs: PendingSync[] = [];
  /** Files opened by a process that has died do nothing any more. */
  #process = 0;
  #isDying = false;
  /** The chance of a write to find no space. */
  refusal = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  get isIdle(): boolean {
    return this.#syncs.length === 0;
  }

  /** Whether a loss of power may take something of one file and leave another. */
  get isSplit(): boolean {
    const filled = [...this.#contents.values()].filter(({ bytes }) => bytes.length > 0);
    return filled.length > 1 && filled.some(({ bytes, safeBytes }) => bytes.length > safeBytes);
  }

  textOf(name: string): string {
    return this.#contents.get(name)?.bytes.toString() ?? "";
  }

  /** The folder as the process sees it that is about to start. */
  mount(): DiskFolder {
    return { open: (name) => this.#open(name) };
  }

  /** Answers the oldest sync. */
  step(passage: "smooth" | "refused"): void {
    const sync = this.#syncs.shift();
    if (!sync) return;
    const { content } = sync;
    const isCurrent = content.era === sync.era;
    if (passage === "refused") {
      if (isCurrent) content.isSpoilt = true;
      sync.reject(failure("EIO", "the disk cannot be written"));
      return;
    }
    if (isCurrent && !content.isSpoilt) {
      const synced = Math.min(sync.safeBytes, content.bytes.length);
      content.safeBytes = Math.max(content.safeBytes, synced);
      content.emptied = null;
    }
    sync.resolve();
  }

  /** The process dies with its next write, which may be cut short. */
  startDying(): void {
    this.#isDying = true;
  }

  endProcess(): void {
    this.#process++;
    this.#isDying = false;
    this.#syncs = [];
  }

  losePower(): void {
    const dice = this.#dice;
    const contents = [...this.#contents.values()];
    // Now and then one file comes through whole, and of the others nothing that was not synced.
    const lucky = contents.length > 0 && dice.chance(0.4) ? dice.pick(contents) : null;
    for (const content of contents) {
      const { safeBytes, bytes } = content;
      const some = dice.pick([safeBytes, dice.between(safeBytes, bytes.length), bytes.length]);
      const left = lucky ? (content === lucky ? bytes.length : safeBytes) : some;
      content.bytes = Buffer.from(bytes.subarray(0, left));
      if (dice.chance(0.2)) this.#makeHole(content);
      if (content.emptied && dice.chance(0.5)) content.bytes = content.emptied;
      content.safeBytes = content.bytes.length;
      content.emptied = null;
      content.isSpoilt = false;
    }
  }

  /** Pages that were to be written when the file had become longer already read as zeros. */
  #makeHole({ bytes, safeBytes }: Content): void {
    const from = this.#dice.between(safeBytes, bytes.length);
    const to = this.#dice.pick([bytes.length, this.#dice.between(from, bytes.length)]);
    // A single byte is no page, except where the file ends.
    if (to - from > 1 || to === bytes.length) bytes.fill(0, from, to);
  }

  #open(name: string): DiskFile {
    const fresh = { bytes: Buffer.alloc(0), safeBytes: 0, emptied: null, isSpoilt: false, era: 0 };
    const content = this.#contents.get(name) ?? fresh;
    this.#contents.set(name, content);
    const process = this.#process;
    const guard = () => {
      if (process !== this.#process) throw failure("EIO", "the process is dead");
    };
    return {
      size: () => content.bytes.length,
      read: () => Buffer.from(content.bytes),
      write: (bytes) => {
        guard();
        return this.#write(content, bytes);
      },
      truncate: (toBytes) => {
        guard();
        this.#truncate(content, toBytes);
      },
      sync: () => this.#sync(content, process),
      close: () => undefined,
    };
  }

  #write(content: Content, bytes: Uint8Array): number {
    const dice = this.#dice;
    const isRefused = dice.chance(this.refusal);
    const isShort = this.#isDying || isRefused || dice.chance(0.02);
    const taken = isShort ? dice.between(isRefused ? 0 : 1, bytes.length) : bytes.length;
    content.bytes = Buffer.concat([content.bytes, bytes.subarray(0, taken)]);
    if (this.#isDying) {
      this.endProcess();
      throw failure("EIO", "the process died here");
    }
    // A write that could take something says so, and the next one finds out.
    if (isRefused && (taken === 0 || dice.chance(0.5))) throw failure("ENOSPC", "no space left");
    return taken;
  }

  #truncate(content: Content, toBytes: number): void {
    if (this.#dice.chance(this.refusal / 5)) throw failure("EIO", "the disk cannot be written");
    if (toBytes === 0) {
      if (content.bytes.length > 0) content.emptied = content.bytes;
      content.era++;
    }
    // Bytes written from here on are new to the disk.
    if (toBytes <= content.safeBytes) content.isSpoilt = false;
    content.bytes = content.bytes.subarray(0, toBytes);
    content.safeBytes = Math.min(content.safeBytes, toBytes);
  }

  #sync(content: Content, process: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (process === this.#process) {
      const { era, bytes } = content;
      this.#syncs.push({ content, era, safeBytes: bytes.length, resolve, reject });
    }
    return promise;
  }
}

function failure(code: string, message: string): Error {
  return Object.defineProperty(new Error(message), "code", { value: code });
}
