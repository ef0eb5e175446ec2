// Opens a database of PostgreSQL: brings its tables up to date and wires a few connections into a
// Store. There is no journal: what is appended is in the book when the database says so.
import { systemTimers } from "../../core/clock.ts";
import { systemRandom } from "../../core/random.ts";
import type { Migration } from "../migrate.ts";
import { migrations, oldestReader } from "../migrations/index.ts";
import type { Sharing } from "../sharing.ts";
import type { Program } from "../step.ts";
import { StoreError, type ProgramRun, type Row, type Statement, type Store } from "../store.ts";
import { logSchema, mainSchema, PostgresConnection, type Session } from "./connection.ts";
import { DatabaseClock } from "./database-clock.ts";
import { toPostgresVersions } from "./dialect.ts";
import { inStart, isBare, migratePart } from "./migrate.ts";
import { Notices } from "./notices.ts";
import { ConnectionPool } from "./pool.ts";
import { createFunctions, type ProgramFunctions } from "./programs.ts";
import { toDatabaseError } from "./start-failure.ts";
import { storableDocument } from "./storable.ts";
import { PostgresError } from "./store-error.ts";
import { Broadcast } from "./broadcast.ts";
import { channelOfNotices, Topics } from "./topics.ts";
import { timelineFunction, transact } from "./transact.ts";
import type { TurnFunctions } from "./turn/functions.ts";
import { createTurnFunctions, joinedSteps, openCommitRounds } from "./turn/postgres-turns.ts";

interface LogNeeds {
  program: Program;
  migrations: readonly Migration[];
  oldestReader: number;
}

interface PostgresNeeds {
  url: string;
  programs: Readonly<Record<string, Program>>;
  log: LogNeeds;
  /** Told of what other nodes changed and this one could not read yet. */
  faulted?(error: unknown): void;
  /** Told when nothing is open any more, or could not be opened. */
  closed?(): void;
  /** Told once it has answered: whatever fails from here on, it was there. */
  reached?(): void;
  /** Called before the first tables are made; what it throws leaves the database as it was. */
  first?(): void;
}

const logProgramName = "log";
const joinedName = "joined";
/** The program whose batches are turns. */
const turnProgram = "ledger";
/** Unanswered for so long and a little, a turn goes over another connection. */
const turnMsMax = 3000;
const poolSize = 8;
const statementMsMax = 30_000;

/**
 * Beginning of a commit that moves sums about: all its statements see one moment, and no other of
 * its kind runs beside it on any node. Rows are logged meanwhile; where they meet, it is tried
 * again. The table is one that nobody writes here. It is locked first: that does not choose the
 * moment.
 */
const alone = [
  "begin isolation level repeatable read",
  `lock table ${logSchema}.journal_state in share row exclusive mode`,
];
/** A turn keeps its connection; a node that is frozen in one must not keep all others waiting. */
const gatesMax = 4;
const idleMsMax = 30_000;
const senderBytes = 6;
/** Longest time of a batch: admission refuses long before. */
const appendMsMax = 10_000;

export async function openPostgres(needs: PostgresNeeds): Promise<Store> {
  const { url, closed = () => {} } = needs;
  const timers = systemTimers;
  const { functions, ofTurns } = await prepare(needs).catch((error: unknown) => {
    closed();
    throw toDatabaseError(error, url);
  });
  const opened: Opened = {
    turns: new PostgresConnection({ url, timers, statementMsMax: appendMsMax }),
    taking: new PostgresConnection({ url, timers, statementMsMax: turnMsMax }),
    pool: new ConnectionPool(poolSize, { url, timers, statementMsMax }),
    gates: new ConnectionPool(gatesMax, { url, timers, statementMsMax, idleMsMax }),
    notices: new Notices(url),
    functions,
    ofTurns,
    closed,
  };
  return await toStore(opened, needs.faulted ?? (() => {}));
}

/** Nobody starts with tables or functions that are half there. */
async function prepare({ url, programs, log, reached, first }: PostgresNeeds): Promise<Prepared> {
  const connection = new PostgresConnection({ url, timers: systemTimers, statementMsMax: 0 });
  try {
    return await connection.together((session) => {
      reached?.();
      return inStart(session, async () => {
        if (first && (await isBare(session, mainSchema))) first();
        const versions = toPostgresVersions(migrations);
        await migratePart(session, { schema: mainSchema, versions, oldestReader });
        await migratePart(session, {
          schema: logSchema,
          versions: toPostgresVersions(log.migrations),
          oldestReader: log.oldestReader,
        });
        await session.ask(timelineFunction);
        const joined = joinedSteps(programs[turnProgram] ?? []);
        const named = { ...programs, [joinedName]: joined, [logProgramName]: log.program };
        const functions = await createFunctions(session, named);
        const called = (name: string) => functions.get(name) ?? "";
        const rows = { joined: called(joinedName), logged: called(logProgramName) };
        return { functions, ofTurns: await createTurnFunctions(session, rows) };
      });
    });
  } finally {
    connection.drop();
  }
}

interface Prepared {
  functions: ProgramFunctions;
  ofTurns: TurnFunctions;
}

interface Opened extends Prepared {
  /** One commit of the ledger at a time, in order. */
  turns: PostgresConnection;
  /** One turn of this node at a time. */
  taking: PostgresConnection;
  pool: ConnectionPool;
  /** One for each turn of a topic that runs. */
  gates: ConnectionPool;
  notices: Notices;
  closed(): void;
}

async function toStore(opened: Opened, faulted: (error: unknown) => void): Promise<Store> {
  const { turns, taking, pool, gates, notices, functions, ofTurns, closed } = opened;
  const run = (session: Session, ran: ProgramRun) => runProgram(session, functions, ran);
  const read = async (statement: Statement) =>
    await pool.use((connection) => readOnce(connection, statement));
  const shared = openCommitRounds({ connection: taking, pool, notices, functions: ofTurns });
  const countNodes = () => shared.countLive();
  const topics = new Topics({ gates, read, timers: systemTimers, countNodes, faulted });
  await topics.begin();
  void notices.hear(channelOfNotices, () => void topics.look());
  const clock = await openClock(read);
  let turn: Promise<unknown> = Promise.resolve();
  return {
    sharing: toSharing(topics, clock, new Broadcast(broadcastNeeds(pool, notices))),
    turns: shared,
    dialect: "postgres",
    read,
    readLog: read,
    append(ran) {
      const appended = turn.then(() => transact(turns, systemTimers, (one) => run(one, ran)));
      turn = appended.catch(() => {});
      return appended;
    },
    commit: ({ run: ran, statements = [] }) =>
      topics.carrying((carried) =>
        pool.use((connection) =>
          transact(connection, systemTimers, async (session) => {
            if (ran) await run(session, ran);
            const rows = await runStatements(session, [...statements, ...carried]);
            return rows.slice(0, statements.length);
          }),
        ),
      ),
    writeLog: async ({ documents = [], statements = [] }) =>
      await pool.use((connection) => {
        const work = async (session: Session) => {
          for (const document of documents) {
            await run(session, { program: logProgramName, document });
          }
          await runStatements(session, statements);
        };
        return transact(connection, systemTimers, work, statements.length > 0 ? alone : undefined);
      }),
    // Appended rows show in reads at once.
    applied: async () => {},
    logApplied: async () => {},
    async close() {
      await turn;
      topics.close();
      clock.close();
      notices.close();
      turns.drop();
      taking.drop();
      for (const connections of [pool, gates]) connections.close();
      closed();
    },
  };
}

function broadcastNeeds(pool: ConnectionPool, notices: Notices) {
  const sender = systemRandom.bytes(senderBytes).toHex();
  return { pool, notices, sender, soon: (run: () => void) => void systemTimers.after(0, run) };
}

async function openClock(read: Store["read"]): Promise<DatabaseClock> {
  const sql = "select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms";
  const ask = async () => Number((await read({ sql, parameters: [] }))[0]?.["ms"]);
  const clock = new DatabaseClock({ ask, timers: systemTimers });
  await clock.begin();
  return clock;
}

function toSharing(topics: Topics, clock: DatabaseClock, broadcast: Broadcast): Sharing {
  return {
    clock,
    exclusively: (topic, work) => topics.exclusively(topic, work),
    watch: (topic, changed) => topics.watch(topic, changed),
    spread: () => topics.spread(),
    known: topics.known,
    tell: (subject) => broadcast.tell(subject),
    hear: (heard) => broadcast.hear(heard),
  };
}

/** A plan that has grown old, or a connection that was cut while nobody used it, is no answer. */
async function readOnce(
  connection: PostgresConnection,
  { sql, parameters }: Statement,
): Promise<Row[]> {
  try {
    return (await connection.ask(sql, parameters)).rows;
  } catch (error) {
    if (!(error instanceof PostgresError) || !(error.isLost || error.isStale)) throw error;
    return (await connection.ask(sql, parameters)).rows;
  }
}

async function runProgram(
  session: Session,
  functions: ProgramFunctions,
  { program, document, logged }: ProgramRun,
): Promise<void> {
  const calls = [[program, document]];
  if (logged !== undefined) calls.push([logProgramName, logged]);
  const words = calls.map(([name = ""], at) => {
    const called = functions.get(name);
    if (called === undefined) throw new StoreError("other", `unknown program ${name}`);
    return `${called}($${at + 1}::text::jsonb)`;
  });
  const documents = calls.map(([, text = ""]) => storableDocument(text));
  await session.ask(`select ${words.join(", ")}`, documents);
}

async function runStatements(session: Session, statements: readonly Statement[]): Promise<Row[][]> {
  const answers: Row[][] = [];
  for (const { sql, parameters, changes } of statements) {
    const { rows, count } = await session.ask(sql, parameters);
    if (changes !== undefined && changes !== count) {
      throw new StoreError("conflict", `${count} rows changed instead of ${changes}`);
    }
    answers.push(rows);
  }
  return answers;
}
