// A commit that is in the book once or not at all, also when the connection is lost under it: the
// server knows by the transaction's number what became of it. A standby that has taken its place
// does not: it gives the numbers that never reached it to others.
import { sleep, type Timers } from "../../core/clock.ts";
import { mainSchema, type PostgresConnection, type Session } from "./connection.ts";
import { PostgresError } from "./store-error.ts";

const triesMax = 5;
const pauseMs = 20;
/** So often is a server asked that is not back yet. */
const looksMax = 150;
const lookPauseMs = 200;

/** Another one since a standby was promoted; the same for ever where a server does not tell. */
const timeline = `${mainSchema}.timeline()`;

/** To be run at a start, under the lock of the migrations. */
export const timelineFunction = `create or replace function ${timeline} returns text
  language plpgsql as $timeline$
begin
  return left(pg_walfile_name(pg_current_wal_lsn()), 8);
exception when others then
  return '';
end $timeline$`;

/** A commit that is answered when all standbys have it that must, and with it all before. */
const commitNothing = "select pg_logical_emit_message(true, 'sluice', '')";

/** The work may be run several times, each time after all of it was undone. */
export async function transact<Result>(
  connection: PostgresConnection,
  timers: Timers,
  work: (session: Session) => Promise<Result>,
  opening: readonly string[] = ["begin"],
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const attempt = new Attempt<Result>();
    try {
      return await connection.together((session) => attempt.run(session, work, opening));
    } catch (error) {
      if (!(error instanceof PostgresError)) throw error;
      const isTaken = error.isLost && (await isCommitted(connection, timers, attempt, error));
      if (isTaken && attempt.outcome) return attempt.outcome.value;
      const isUndone = error.isLost || error.isPassing || error.isStale;
      if (!isUndone || tries === triesMax) throw error;
      await sleep(timers, pauseMs * tries);
    }
  }
}

class Attempt<Result> {
  /** Number of the transaction, once its commit has been sent. */
  number: string | null = null;
  timeline = "";
  outcome: { value: Result } | null = null;

  async run(
    session: Session,
    work: (session: Session) => Promise<Result>,
    opening: readonly string[],
  ): Promise<Result> {
    try {
      for (const sql of opening) await session.ask(sql);
      const value = await work(session);
      const { rows } = await session.ask(
        `select pg_current_xact_id_if_assigned()::text as number, ${timeline} as timeline`,
      );
      this.outcome = { value };
      this.timeline = String(rows[0]?.["timeline"]);
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

/**
 * Waits until the server can say; what was never sent to be committed was not. What only another
 * server could have known, nobody knows: that is the error it was.
 */
async function isCommitted(
  connection: PostgresConnection,
  timers: Timers,
  { number, timeline: onTimeline }: Pick<Attempt<unknown>, "number" | "timeline">,
  lost: PostgresError,
): Promise<boolean> {
  if (number === null) return false;
  for (let looks = 1; ; looks++) {
    const status = await look(connection, number, onTimeline).catch((error: unknown) => {
      if (looks >= looksMax) throw error;
      return "in progress";
    });
    if (status === "committed") return true;
    if (status === "unknown") throw lost;
    if (status !== "in progress") return false;
    await sleep(timers, lookPauseMs);
  }
}

async function look(
  connection: PostgresConnection,
  number: string,
  onTimeline: string,
): Promise<string> {
  const sql = `select case when ${timeline} = $2 then pg_xact_status($1::xid8) else 'unknown' end
    as status`;
  const { rows } = await connection.ask(sql, [number, onTimeline]);
  const status = String(rows[0]?.["status"]);
  // After a restart it shows before a standby has it, and what was seen must not be lost with it.
  if (status === "committed") await connection.ask(commitNothing).catch(ignoreRefusal);
  return status;
}

/** Not every role may; then there is no standby that this could be for. */
function ignoreRefusal(error: unknown): void {
  if (error instanceof PostgresError && error.isLost) throw error;
}
