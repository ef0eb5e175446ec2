// Invariants of the books after a crash and a restart.
import { join } from "node:path";
import { verifyBooks } from "../../src/app/books/verify-books.ts";
import { dayOf, formatDay } from "../../src/core/day.ts";
import { SqliteConnection } from "../../src/store/sqlite/connection.ts";
import { logFile, mainFile } from "../../src/store/sqlite/open.ts";
import type { Gateway } from "../harness/gateway.ts";
import type { Customer, Seen } from "./load.ts";

export interface Finding {
  /** Answered or confirmed, and not in the books as it must be. */
  lost: string[];
  violations: string[];
  postedMicros: number;
  caps: number;
}

interface Looked {
  folder: string;
  gateway: Gateway;
  customers: readonly Customer[];
}

/** Reads the databases of a gateway that has started and is idle. */
export async function checkBooks(
  { folder, gateway, customers }: Looked,
  seen: Seen,
): Promise<Finding> {
  using book = new Book(folder);
  const { violations, postedMicros } = await book.check();
  const caps = book.number("select count(*) from cap where spent_micros > 0");
  violations.push(...(await checkTold(gateway, customers, book)));
  return { violations, postedMicros, caps, lost: findLost(book, seen) };
}

/** The databases of a gateway, only to look at. */
export class Book implements Disposable {
  readonly #folder: string;
  readonly #connection: SqliteConnection;
  readonly #log: SqliteConnection;

  constructor(folder: string) {
    this.#folder = folder;
    this.#connection = new SqliteConnection({ path: join(folder, mainFile), readOnly: true });
    this.#log = new SqliteConnection({ path: join(folder, logFile), readOnly: true });
  }

  all(sql: string, ...parameters: string[]): ReturnType<SqliteConnection["all"]> {
    return this.#connection.all({ sql, parameters });
  }

  number(sql: string): number {
    return Number(Object.values(this.all(sql)[0] ?? {})[0]);
  }

  /** The ledger's own promises, when nothing is under way. */
  async check(): Promise<{ violations: string[]; postedMicros: number }> {
    const asOf = { usageDays: 400, nowMs: Date.now() };
    const { violations: broken } = await verifyBooks(this.#folder, asOf);
    const violations = broken.map(({ invariant, row }) => `${invariant}: ${row}`);
    violations.push(...this.#checkRecords());
    const holds = this.number("select count(*) from hold");
    if (holds > 0) violations.push(`${holds} holds are still open`);
    const posted = this.number("select coalesce(sum(micros), 0) from entry where kind = 'post'");
    const spent = this.number("select sum(spent_micros) from ledger_account");
    if (posted !== spent) violations.push(`posted ${posted} but spent ${spent}`);
    return { violations, postedMicros: posted };
  }

  /** Each charge has its record, to the micro, and so has each request that died. */
  #checkRecords(): string[] {
    const toText = (rows: ReturnType<SqliteConnection["all"]>) =>
      new Set(rows.map(({ id, account_id, micros }) => `${id} of ${account_id}: ${micros}`));
    const columns = "id, account_id, micros";
    const posts = toText(this.all(`select ${columns} from entry where kind = 'post'`));
    const isOfRequest = "kind = 'void' and id like 'req_%'";
    const voids = toText(this.all(`select ${columns} from entry where ${isOfRequest}`));
    const sql = `select ${columns} from usage_log`;
    const records = this.#log.all({ sql, parameters: [] });
    const told = toText(records);
    const charged = toText(records.filter(({ micros }) => micros !== 0));
    return [
      ...[...posts.union(voids).difference(told)].map((text) => `in no list: ${text}`),
      ...[...charged.difference(posts)].map((text) => `listed and not charged: ${text}`),
    ];
  }

  [Symbol.dispose](): void {
    this.#connection.close();
    this.#log.close();
  }
}

/** The gateway's figures of usage are those of the ledger, to the micro. */
async function checkTold(
  gateway: Gateway,
  customers: readonly Customer[],
  book: Book,
): Promise<string[]> {
  const posted = book.number("select coalesce(sum(micros), 0) from entry where kind = 'post'");
  const found: string[] = [];
  for (const by of ["day", "day,model", "account", "key", "channel"]) {
    const path = `/api/usage?by=${by}`;
    const { sum } = await gateway.control<{ sum: { micros: number } }>("GET", path);
    if (sum.micros !== posted) found.push(`usage by ${by} is ${sum.micros}, posted ${posted}`);
  }
  for (const { id, key } of customers) {
    const spent = book.all("select spent_micros from ledger_account where account_id = ?", id);
    const micros = Number(spent[0]?.["spent_micros"]);
    for (const query of ["", `?start_date=${formatDay(dayOf(Date.now()) - 1)}`]) {
      const billed = await readBilled(gateway, key, query);
      if (billed !== micros) found.push(`billing${query} tells ${billed}, ${id} spent ${micros}`);
    }
  }
  return found;
}

const microsPerCent = 10_000;

async function readBilled({ url }: Gateway, key: string, query: string): Promise<number> {
  const response = await fetch(`${url}/v1/dashboard/billing/usage${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const told = (await response.json()) as { total_usage: number };
  return Math.round(told.total_usage * microsPerCent);
}

/** Every answer has exactly one post of the right price, every credit one grant. */
function findLost(book: Book, { answers, credits }: Seen): string[] {
  const expected = [
    ...answers.map((answer) => ({ ...answer, id: answer.requestId, kind: "post" })),
    ...credits.map((credit) => ({ ...credit, id: `credit_${credit.id}`, kind: "grant" })),
  ];
  return expected.flatMap(({ id, kind, accountId, micros }) => {
    const rows = book.all("select kind, account_id, micros from entry where id = ?", id);
    const wanted = { kind, account_id: accountId, micros };
    const isRight = rows.length === 1 && JSON.stringify(rows[0]) === JSON.stringify(wanted);
    return isRight ? [] : [`${id}: ${JSON.stringify(rows)} instead of ${JSON.stringify(wanted)}`];
  });
}

export function checkIntegrity(folder: string): string[] {
  using book = new Book(folder);
  const rows = book.all("pragma integrity_check");
  const said = rows.flatMap((row) => Object.values(row)).join("; ");
  return said === "ok" ? [] : [`integrity: ${said}`];
}
