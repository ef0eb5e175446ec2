// What must stand in the books after a crash and a restart.
import { join } from "node:path";
import { verify } from "../../src/quota/recover.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
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
  const connection = new Connection({ path: join(folder, mainFile), readOnly: true });
  try {
    const broken = await verify(async (statement) => connection.all(statement));
    const one = (sql: string) =>
      Number(Object.values(connection.all({ sql, parameters: [] })[0] ?? {})[0]);
    const violations = broken.map(({ invariant, row }) => `${invariant}: ${row}`);
    const holds = one("select count(*) from hold");
    if (holds > 0) violations.push(`${holds} holds are still open`);
    const posted = one("select coalesce(sum(micros), 0) from entry where kind = 'post'");
    const spent = one("select sum(spent_micros) from ledger_account");
    if (posted !== spent) violations.push(`posted ${posted} but spent ${spent}`);
    return { violations, lost: findLost(connection, seen), postedMicros: posted };
  } finally {
    connection.close();
  }
}

/** Every answer has exactly one post of the right price, every credit one grant. */
function findLost(connection: Connection, { answers, credits }: Seen): string[] {
  const expected = [
    ...answers.map((answer) => ({ ...answer, id: answer.requestId, kind: "post" })),
    ...credits.map((credit) => ({ ...credit, id: `credit_${credit.id}`, kind: "grant" })),
  ];
  const sql = "select kind, account_id, micros from entry where id = ?";
  return expected.flatMap(({ id, kind, accountId, micros }) => {
    const rows = connection.all({ sql, parameters: [id] });
    const wanted = { kind, account_id: accountId, micros };
    const isRight = rows.length === 1 && JSON.stringify(rows[0]) === JSON.stringify(wanted);
    return isRight ? [] : [`${id}: ${JSON.stringify(rows)} instead of ${JSON.stringify(wanted)}`];
  });
}

export function checkIntegrity(folder: string): string[] {
  const connection = new Connection({ path: join(folder, mainFile), readOnly: true });
  try {
    const rows = connection.all({ sql: "pragma integrity_check", parameters: [] });
    const said = rows.flatMap((row) => Object.values(row)).join("; ");
    return said === "ok" ? [] : [`integrity: ${said}`];
  } finally {
    connection.close();
  }
}
