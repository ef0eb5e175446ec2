// Rows that other nodes write to the usage log, for those who look on here: read once a
// second, and only while somebody does.
import type { Timers } from "../../core/clock.ts";
import { readLog, type LogReader } from "../../store/log.ts";
import type { UsageRow } from "../usage-row.ts";
import { findLastPlace, listBehind } from "./queries.ts";

interface RowsElsewhereNeeds {
  log: LogReader;
  timers: Timers;
}

/** The viewer of the rows, and the ones it has shown. */
interface Shown {
  readonly isFollowed: boolean;
  tell(row: UsageRow): void;
}

const lookMs = 1000;
const rowsMax = 2000;
/** Rows get their places before they are written: what was so far back is looked at again. */
const looksBack = 4;
const namesMax = 20_000;

export class RowsElsewhere {
  readonly #needs: RowsElsewhereNeeds;
  /** Places that the last looks came to, oldest first. */
  #places: number[] = [];
  readonly #names = new Set<string>();
  #looking: Promise<void> | null = null;

  constructor(needs: RowsElsewhereNeeds) {
    this.#needs = needs;
  }

  /** From now on, for as long as the process lives. */
  begin(shown: Shown): void {
    this.#needs.timers.every(lookMs, () => {
      if (shown.isFollowed) void this.look(shown);
      else this.forget();
    });
  }

  /** A row told here, by whomever, is told once. */
  isNew({ kind, id }: UsageRow): boolean {
    const name = `${kind} ${id}`;
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    for (const oldest of this.#names) {
      if (this.#names.size <= namesMax) break;
      this.#names.delete(oldest);
    }
    return true;
  }

  /** The first one only finds out where to begin. A database that is away is asked again. */
  look(shown: Shown): Promise<void> {
    this.#looking ??= this.#look(shown)
      .catch(() => {})
      .finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #look(shown: Shown): Promise<void> {
    const { log } = this.#needs;
    const [after] = this.#places;
    if (after === undefined) {
      const [last] = await readLog(log, findLastPlace);
      this.#places = [last?.place ?? 0];
      return;
    }
    const rows = await readLog(log, listBehind(after, rowsMax));
    for (const row of rows) shown.tell(row);
    const last = rows.at(-1)?.behind ?? after;
    if (rows.length === rowsMax) this.#places = [last];
    else this.#places = [...this.#places, last].slice(-looksBack);
  }

  /** Rows written while nobody looked on are told to nobody. */
  forget(): void {
    this.#places = [];
    this.#names.clear();
  }
}
