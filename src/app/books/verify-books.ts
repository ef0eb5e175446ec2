// The books of a data folder or a database, checked without disturbing whoever writes them: the
// ledger against its own entries, and the usage log against the ledger.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { systemClock } from "../../core/clock.ts";
import {
  addDocuments,
  dayInName,
  nameOfDay,
  readLogSums,
  type LogSums,
} from "../../observe/agreement.ts";
import { countBook, invariants } from "../../quota/queries.ts";
import { limitInvariant, verify, verifyLimits, type Violation } from "../../quota/recover.ts";
import { sumPosts, type DaySums } from "../../quota/history/sum-posts.ts";
import { createReader } from "../../store/database.ts";
import { readSince } from "../../store/move/words.ts";
import { readStill } from "../../store/postgres/read-still.ts";
import { SqliteConnection } from "../../store/sqlite/connection.ts";
import { readLogState } from "../../store/sqlite/log-state.ts";
import { logFile, mainFile } from "../../store/sqlite/open.ts";
import { readJournal } from "../../store/sqlite/read-journal.ts";
import { readSequence } from "../../store/sqlite/taker.ts";
import type { Row, Statement, Store } from "../../store/store.ts";

interface Retention {
  usageDays: number;
  nowMs: number;
}

interface Verdict {
  /** Rows looked at, by kind. */
  rows: BookCounts;
  /** Names of the invariants, broken or not. */
  invariants: readonly string[];
  violations: Violation[];
}

interface BookCounts {
  accounts: number;
  keys: number;
  holds: number;
  entries: number;
}

/** Place of the books: in a folder, or in a database where there is one. */
export type BooksSource = Pick<Config, "databaseUrl" | "dataFolder">;

/** Verify the engine that the configuration names. */
export async function verifySource(
  { databaseUrl, dataFolder }: BooksSource,
  usageDays: number,
): Promise<Verdict> {
  const asOf = { usageDays, nowMs: systemClock.nowMs() };
  return databaseUrl === null
    ? await verifyBooks(dataFolder, asOf)
    : await verifyDatabase(databaseUrl, asOf);
}

/** In PostgreSQL log and ledger are of one moment, so there is nothing between two looks. */
async function verifyDatabase(url: string, retention: Retention): Promise<Verdict> {
  return await readStill(url, async (read) => {
    const log = { dialect: "postgres", readLog: read } as const;
    const [state] = await read(readSince("postgres"));
    const sinceMs = Number(state?.["since_ms"] ?? 0);
    const logged = await readLogSums(log, retention, { sequence: 0, sinceMs });
    const posts = await sumPosts(createReader("postgres", read), nameOfDay);
    const limits = await verifyLimits(createReader("postgres", read), retention.nowMs);
    return await verdictOf(read, [...limits, ...compare(logged, posts, posts)]);
  });
}

export async function verifyBooks(folder: string, retention: Retention): Promise<Verdict> {
  const path = join(folder, mainFile);
  if (!existsSync(path)) throw new Error(`there is no database at ${path}`);
  using main = new Book(path);
  const limits = await verifyLimits(createReader("sqlite", main.read), retention.nowMs);
  return await verdictOf(main.read, [...limits, ...(await verifyLog(folder, main, retention))]);
}

async function verdictOf(read: Store["read"], others: readonly Violation[]): Promise<Verdict> {
  const violations = await verify(read);
  const [counts] = await read({ sql: countBook, parameters: [] });
  const count = (name: keyof BookCounts) => Number(counts?.[name] ?? 0);
  return {
    rows: {
      accounts: count("accounts"),
      keys: count("keys"),
      holds: count("holds"),
      entries: count("entries"),
    },
    invariants: [...Object.keys(invariants), limitInvariant, invariant, ownInvariant],
    violations: [...violations, ...others],
  };
}

const invariant = "a day's usage is the sum of its posts";
const ownInvariant = "a day's usage is the sum of its rows";
const shownMax = 20;

/**
 * The log is always behind the ledger. So it is read between two looks at that: it has at least
 * what the first one saw, with what waits for it in the journal, and at most what the second sees.
 */
async function verifyLog(folder: string, main: Book, retention: Retention): Promise<Violation[]> {
  const path = join(folder, logFile);
  if (!existsSync(path)) return [];
  const before = await main.look();
  const waiting = readJournal(folder).filter(({ sequence }) => sequence <= before.sequence);
  using log = new Book(path);
  const logged = await log.still(async () => {
    const state = await readLogState(log.readLog);
    return state && (await readLogSums(log, retention, state));
  });
  if (!logged) return [];
  addDocuments(
    logged,
    waiting
      .filter(({ sequence }) => sequence > logged.sequence)
      .flatMap(({ run }) => run.logged ?? []),
  );
  const after = await main.look();
  return compare(logged, before.posts, after.posts);
}

/** The log has at least what the first sums have, and at most what the second have. */
function compare(logged: LogSums, least: DaySums, most: DaySums): Violation[] {
  const names = new Set([...least.keys(), ...logged.days.keys()]);
  const wrong = [...names].filter((name) => {
    const micros = logged.days.get(name) ?? 0;
    const isMissing = micros < (least.get(name) ?? 0);
    const isTooMuch = micros > (most.get(name) ?? 0);
    return dayInName(name) >= logged.firstDay && (isMissing || isTooMuch);
  });
  return [
    ...logged.disagreements.slice(0, shownMax).map((id) => toViolation(ownInvariant, { id })),
    ...wrong.slice(0, shownMax).map((id) =>
      toViolation(invariant, {
        id,
        usage_micros: logged.days.get(id) ?? 0,
        posts_micros: most.get(id) ?? 0,
      }),
    ),
  ];
}

function toViolation(name: string, row: Row): Violation {
  return { invariant: name, row: JSON.stringify(row) };
}

export class Book implements Disposable {
  readonly #connection: SqliteConnection;

  constructor(path: string) {
    this.#connection = new SqliteConnection({ path, readOnly: true });
  }

  readonly dialect = "sqlite";
  readonly read = async (statement: Statement): Promise<Row[]> => this.#connection.all(statement);
  readonly readLog = this.read;

  /** Everything that is read meanwhile is of one moment. */
  async still<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.read({ sql: "begin", parameters: [] });
    try {
      return await work();
    } finally {
      await this.read({ sql: "commit", parameters: [] });
    }
  }

  look(): Promise<{ sequence: number; posts: DaySums }> {
    return this.still(async () => {
      const [state] = await this.read(readSequence);
      const posts = await sumPosts(createReader(this.dialect, this.read), nameOfDay);
      return { sequence: Number(state?.["sequence"] ?? 0), posts };
    });
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}
