// What must stand in the books after a crash and a restart.
import { join } from "node:path";
import { verify } from "../../src/quota/recover.ts";
import { SqliteConnection } from "../../src/store/sqlite/connection.ts";
import { mainFile } from "../../src/store/sqlite/open.ts";
import type { Seen } from "./load.ts";

export interface Finding {
  /** Answered or confirmed, and not in the books as it must be. */
  lost: string[];
  violations: string[];
  postedMicros: number;
}

/** Reads the database of a gateway that has started and is idle. */
export async function checkBooks(folder: string, seen: Seen): Promise<Finding> {
  using book = new Book(folder);
  const { violations, postedMicros } = await book.check();
  return { violations, postedMicros, lost: findLost(book, seen) };
}

/** The database of a gateway, only to look at. */
export class Book implements Disposable {
  readonly #connection: SqliteConnection;

  constructor(folder: string) {
    this.#connection = new SqliteConnection({ path: join(folder, mainFile), readOnly: true });
  }

  all(sql: string, ...parameters: string[]): ReturnType<SqliteConnection["all"]> {
    return this.#connection.all({ sql, parameters });
  }

  number(sql: string): number {
    return Number(Object.values(this.all(sql)[0] ?? {})[0]);
  }

  /** The ledger's own promises, when nothing is under way. */
  async check(): Promise<{ violations: string[]; postedMicros: number }> {
    const broken = await verify(async (statement) => this.#connection.all(statement));
    const violations = broken.map(({ invariant, row }) => `${invariant}: ${row}`);
    const holds = this.number("select count(*) from hold");
    if (holds > 0) violations.push(`${holds} holds are still open`);
    const posted = this.number("select coalesce(sum(micros), 0) from entry where kind = 'post'");
    const spent = this.number("select sum(spent_micros) from ledger_account");
    if (posted !== spent) violations.push(`posted ${posted} but spent ${spent}`);
    return { violations, postedMicros: posted };
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
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
