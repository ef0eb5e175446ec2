// Reads of one moment of a database, whatever is written to it meanwhile.
import { systemTimers } from "../../core/clock.ts";
import type { Store } from "../store.ts";
import { PostgresConnection } from "./connection.ts";

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
