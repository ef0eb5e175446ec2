// A commit that is in the book once or not at all, also when the connection is lost under it: the
// server knows by the transaction's number what became of it.
import { sleep, type Timers } from "../../core/clock.ts";
import type { PostgresConnection, Session } from "./connection.ts";
import { PostgresError } from "./store-error.ts";

const triesMax = 5;
const pauseMs = 20;
/** So often is a server asked that is not back yet. */
const looksMax = 150;
const lookPauseMs = 200;

/** The work may be run several times, each time after all of it was undone. */
export async function transact<Result>(
  connection: PostgresConnection,
  timers: Timers,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const attempt = new Attempt<Result>();
    try {
      return await connection.together((session) => attempt.run(session, work));
    } catch (error) {
      if (!(error instanceof PostgresError)) throw error;
      const isTaken = error.isLost && (await isCommitted(connection, timers, attempt.number));
      if (isTaken && attempt.outcome) return attempt.outcome.value;
      const isUndone = error.isLost || error.isPassing || error.isStale;
      if (!isUndone || tries === triesMax) throw error;
      await sleep(timers, pauseMs * tries);
    }
  }
}

class Attempt<Result> {
  /** Of the transaction, once its commit has been sent. */
  number: string | null = null;
  outcome: { value: Result } | null = null;

  async run(session: Session, work: (session: Session) => Promise<Result>): Promise<Result> {
    await session.ask("begin");
    try {
      const value = await work(session);
      const { rows } = await session.ask("select pg_current_xact_id_if_assigned()::text as number");
      this.outcome = { value };
      this.number = toNumber(rows[0]?.["number"]);
      await session.ask("commit");
      return value;
    } catch (error) {
      // A connection that is lost undoes it by itself.
      await session.ask("rollback").catch(() => {});
      throw error;
    }
  }
}

function toNumber(cell: unknown): string | null {
  return typeof cell === "string" ? cell : null;
}

/** Waits until the server can say; what was never sent to be committed was not. */
async function isCommitted(
  connection: PostgresConnection,
  timers: Timers,
  number: string | null,
): Promise<boolean> {
  if (number === null) return false;
  for (let looks = 1; ; looks++) {
    try {
      const sql = "select pg_xact_status($1::xid8) as status";
      const { rows } = await connection.ask(sql, [number]);
      const status = rows[0]?.["status"];
      if (status === "committed") return true;
      if (status !== "in progress") return false;
    } catch (error) {
      if (looks >= looksMax) throw error;
    }
    await sleep(timers, lookPauseMs);
  }
}
