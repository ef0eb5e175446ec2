// A copy of a data folder's databases and journal that are of one moment, taken beside whoever
// writes them. The log is pinned first: it goes behind the main database, so it has nothing that
// the copy of that has not. What it lacks is in the journal's files, unless they were emptied
// between the two looks; then both are pinned anew.
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { sleep, type Timers } from "../../core/clock.ts";
import { encodeRecord, type JournalRecord } from "./journal-line.ts";
import { journalFileNames } from "./journal.ts";
import { readJournal } from "./read-journal.ts";
import { logFile, mainFile } from "./open.ts";

interface SnapshotNeeds {
  /** The data folder. */
  from: string;
  /** An empty folder. */
  to: string;
  timers: Timers;
}

interface Snapshot {
  /** The last record of the journal that the copy of the main database has. */
  sequence: number;
  /** Records that its journal brings along. */
  journalled: number;
  /** False when the log lacks records that are nowhere any more. */
  isLogWhole: boolean;
}

const forOwner = 0o600;
const pinsMax = 40;
const pinPauseMs = 250;
const pagesAtOnce = 256;

export async function takeSnapshot({ from, to, timers }: SnapshotNeeds): Promise<Snapshot> {
  using pinned = await pin(from, timers);
  const { main, log, records, isLogWhole } = pinned;
  // The smaller one first: what is pinned keeps its write-ahead log from being emptied.
  await main.copyTo(join(to, mainFile));
  main[Symbol.dispose]();
  await log?.copyTo(join(to, logFile));
  const [journal = ""] = journalFileNames;
  const lines = Buffer.concat(records.map(encodeRecord));
  writeFileSync(join(to, journal), lines, { mode: forOwner });
  return { sequence: main.sequence, journalled: records.length, isLogWhole };
}

interface Pinned extends Disposable {
  main: PinnedDatabase;
  log: PinnedDatabase | null;
  records: JournalRecord[];
  isLogWhole: boolean;
}

async function pin(folder: string, timers: Timers): Promise<Pinned> {
  for (let pins = 1; ; pins++) {
    const pinned = pinOnce(folder);
    // A log that could not be written may never get what it lacks: money is not kept waiting.
    if (pinned.isLogWhole || pins === pinsMax) return pinned;
    pinned[Symbol.dispose]();
    await sleep(timers, pinPauseMs);
  }
}

function pinOnce(folder: string): Pinned {
  const logPath = join(folder, logFile);
  const log = existsSync(logPath) ? new PinnedDatabase(logPath) : null;
  const before = readJournal(folder);
  const main = new PinnedDatabase(join(folder, mainFile));
  // Later records may rest on rows that this copy of the main database has not got.
  const last = Math.max(main.sequence, ...before.map(({ sequence }) => sequence));
  const bySequence = new Map([...before, ...readJournal(folder)].map((one) => [one.sequence, one]));
  const records = runBehind(Math.min(log?.sequence ?? Infinity, main.sequence), bySequence, last);
  const isLogWhole = (records.at(-1)?.sequence ?? log?.sequence ?? Infinity) >= main.sequence;
  return {
    main,
    log,
    records: isLogWhole ? records : runBehind(main.sequence, bySequence, last),
    isLogWhole,
    [Symbol.dispose]() {
      main[Symbol.dispose]();
      log?.[Symbol.dispose]();
    },
  };
}

/** Those that follow on that number without a gap. */
function runBehind(
  sequence: number,
  bySequence: ReadonlyMap<number, JournalRecord>,
  last: number,
): JournalRecord[] {
  const records: JournalRecord[] = [];
  for (let next = sequence + 1; next <= last; next++) {
    const record = bySequence.get(next);
    if (!record) break;
    records.push(record);
  }
  return records;
}

/** A database as it is at this moment, whatever is written to it meanwhile. */
class PinnedDatabase implements Disposable {
  readonly #database: DatabaseSync;
  readonly sequence: number;

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { readOnly: true, timeout: 2000 });
    this.#database.exec("begin");
    this.sequence = this.#readSequence();
  }

  /** A log of a version that did not number what it has lacks nothing that could be found. */
  #readSequence(): number {
    const table = "select 1 from sqlite_schema where name = 'journal_state'";
    if (this.#database.prepare(table).get() === undefined) return Infinity;
    const state = this.#database.prepare("select sequence from journal_state").get();
    return Number(state?.["sequence"] ?? 0);
  }

  async copyTo(path: string): Promise<void> {
    writeFileSync(path, "", { mode: forOwner, flag: "wx" });
    await backup(this.#database, path, { rate: pagesAtOnce });
    // One file and nothing beside it, which can be read where nothing can be written.
    const copy = new DatabaseSync(path);
    copy.exec("pragma journal_mode = delete");
    copy.close();
    chmodSync(path, forOwner);
  }

  [Symbol.dispose](): void {
    if (this.#database.isOpen) this.#database.close();
  }
}
