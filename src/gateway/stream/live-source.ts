// Rows of the usage log as server-sent events, in the reader's own time.
import { Later } from "../../core/later.ts";
import type { ByteSource } from "../answer.ts";
import { endOf } from "../../observe/live/live-log.ts";
import type { UsageRow } from "../../observe/usage-row.ts";

interface LiveSourceNeeds {
  /** Calls that ended since the reader was last there. */
  missed(): Promise<UsageRow[]>;
  show(rows: UsageRow[]): Promise<object[]>;
  /** Called once. */
  ended(): void;
}

/** A reader that falls further behind is told how many it missed. */
const waitingMax = 1000;

export class LiveSource implements ByteSource {
  readonly #needs: LiveSourceNeeds;
  readonly #later = new Later(() => this.#pull());
  readonly #encoder = new TextEncoder();
  #waiting: UsageRow[] = [];
  #dropped = 0;
  #hasBegun = false;
  #isOver = false;
  #wake: () => void = () => {};

  constructor(needs: LiveSourceNeeds) {
    this.#needs = needs;
  }

  /** Every piece has whole events, so that a comment may stand behind it. */
  get isWhole(): boolean {
    return true;
  }

  readonly push = (row: UsageRow): void => {
    if (this.#isOver) return;
    this.#waiting.push(row);
    if (this.#waiting.length > waitingMax) {
      this.#waiting.shift();
      this.#dropped++;
    }
    this.#wake();
  };

  take(ready: () => void): Uint8Array | null | undefined {
    return this.#later.take(ready);
  }

  cancel(): void {
    this.interrupt();
  }

  interrupt(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#needs.ended();
    this.#wake();
  }

  async #pull(): Promise<Uint8Array | null> {
    if (!this.#hasBegun) return await this.#begin();
    while (this.#waiting.length === 0 && !this.#isOver) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    if (this.#isOver) return null;
    const rows = this.#waiting.splice(0);
    const dropped = this.#dropped;
    this.#dropped = 0;
    const loss = dropped === 0 ? "" : `event: dropped\ndata: {"rows":${dropped}}\n\n`;
    return this.#encoder.encode(loss + (await this.#encode(rows)));
  }

  /** With a line at once, so that the reader knows that it is there. */
  async #begin(): Promise<Uint8Array> {
    this.#hasBegun = true;
    const missed = await this.#needs.missed();
    const ids = new Set(missed.map(nameOf));
    // Calls that ended while the log was read are in both.
    this.#waiting = this.#waiting.filter((row) => !ids.has(nameOf(row)));
    return this.#encoder.encode(`retry: 2000\n: live\n\n${await this.#encode(missed)}`);
  }

  async #encode(rows: UsageRow[]): Promise<string> {
    if (rows.length === 0) return "";
    const views = await this.#needs.show(rows);
    const events = rows.map((row, at) => {
      const id = `${endOf(row)}-${row.id}`;
      return `id: ${id}\ndata: ${JSON.stringify(views[at])}\n\n`;
    });
    return events.join("");
  }
}

/** The end of a task has the task's id, and its creation may have it too. */
function nameOf({ kind, id }: UsageRow): string {
  return `${kind} ${id}`;
}
