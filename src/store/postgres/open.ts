// Opens a database of PostgreSQL: brings its tables up to date and wires a few connections into a
// Store. There is no journal: what is appended is in the book when the database says so.
import { systemTimers } from "../../core/clock.ts";
import type { Migration } from "../migrate.ts";
import { migrations, oldestReader } from "../migrations/index.ts";
import type { Program } from "../step.ts";
import { StoreError, type ProgramRun, type Row, type Statement, type Store } from "../store.ts";
import { logSchema, mainSchema, PostgresConnection, type Session } from "./connection.ts";
import { toPostgresVersions } from "./dialect.ts";
import { inStart, migratePart } from "./migrate.ts";
import { ConnectionPool } from "./pool.ts";
import { createFunctions, type ProgramFunctions } from "./programs.ts";
import { storableDocument } from "./storable.ts";
import { PostgresError } from "./store-error.ts";
import { transact } from "./transact.ts";

interface LogNeeds {
  program: Program;
  migrations: readonly Migration[];
  oldestReader: number;
}

interface PostgresNeeds {
  url: string;
  programs: Readonly<Record<string, Program>>;
  log: LogNeeds;
  /** Told when nothing is open any more, or could not be opened. */
  closed?(): void;
}

const logProgramName = "log";
const poolSize = 8;
const statementMsMax = 30_000;
/** What a batch may take: admission refuses long before. */
const appendMsMax = 10_000;

export async function openPostgres(needs: PostgresNeeds): Promise<Store> {
  const { url, closed = () => {} } = needs;
  const timers = systemTimers;
  const functions = await prepare(needs).catch((error: unknown) => {
    closed();
    throw error;
  });
  const turns = new PostgresConnection({ url, timers, statementMsMax: appendMsMax });
  const pool = new ConnectionPool(poolSize, { url, timers, statementMsMax });
  return toStore({ turns, pool, functions, closed });
}

/** Nobody starts with tables or functions that are half there. */
async function prepare({ url, programs, log }: PostgresNeeds): Promise<ProgramFunctions> {
  const connection = new PostgresConnection({ url, timers: systemTimers, statementMsMax: 0 });
  try {
    return await connection.together((session) =>
      inStart(session, async () => {
        const versions = toPostgresVersions(migrations);
        await migratePart(session, { schema: mainSchema, versions, oldestReader });
        await migratePart(session, {
          schema: logSchema,
          versions: toPostgresVersions(log.migrations),
          oldestReader: log.oldestReader,
        });
        return await createFunctions(session, { ...programs, [logProgramName]: log.program });
      }),
    );
  } finally {
    connection.drop();
  }
}

interface Opened {
  /** One commit of the ledger at a time, in order. */
  turns: PostgresConnection;
  pool: ConnectionPool;
  functions: ProgramFunctions;
  closed(): void;
}

function toStore({ turns, pool, functions, closed }: Opened): Store {
  const run = (session: Session, ran: ProgramRun) => runProgram(session, functions, ran);
  const read = async (statement: Statement) =>
    await pool.use((connection) => readOnce(connection, statement));
  let turn: Promise<unknown> = Promise.resolve();
  return {
    dialect: "postgres",
    read,
    readLog: read,
    append(ran) {
      const appended = turn.then(() => transact(turns, systemTimers, (one) => run(one, ran)));
      turn = appended.catch(() => {});
      return appended;
    },
    commit: ({ run: ran, statements = [] }) =>
      pool.use((connection) =>
        transact(connection, systemTimers, async (session) => {
          if (ran) await run(session, ran);
          return await runStatements(session, statements);
        }),
      ),
    writeLog: async ({ documents = [], statements = [] }) =>
      await pool.use((connection) =>
        transact(connection, systemTimers, async (session) => {
          for (const document of documents) {
            await run(session, { program: logProgramName, document });
          }
          await runStatements(session, statements);
        }),
      ),
    // What is appended shows in reads at once.
    applied: async () => {},
    logApplied: async () => {},
    async close() {
      await turn;
      turns.drop();
      pool.close();
      closed();
    },
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
