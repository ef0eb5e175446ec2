// Reads of one moment of a database, whatever is written to it meanwhile, for whoever is no node.
import { systemTimers } from "../../core/clock.ts";
import type { Store } from "../store.ts";
import { mainSchema, PostgresConnection } from "./connection.ts";

export async function readStill<Result>(
  url: string,
  work: (read: Store["read"]) => Promise<Result>,
): Promise<Result> {
  const connection = new PostgresConnection({ url, timers: systemTimers, statementMsMax: 0 });
  try {
    return await connection.together(async (session) => {
      await session.ask("begin isolation level repeatable read read only");
      return await work(async ({ sql, parameters }) => (await session.ask(sql, parameters)).rows);
    });
  } finally {
    connection.drop();
  }
}

/** Whether a gateway was ever started on it. */
export async function isBegun(url: string): Promise<boolean> {
  return await readStill(url, async (read) => {
    const sql = `select to_regclass('${mainSchema}.account') is not null as begun`;
    const [row] = await read({ sql, parameters: [] });
    if (row?.["begun"] !== 1) return false;
    return (await read({ sql: "select 1 from account limit 1", parameters: [] })).length > 0;
  });
}
