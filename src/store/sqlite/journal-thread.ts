// The thread that owns the only write connection to the main database.
import type { Program } from "../step.ts";
import type { ProgramRun, Row, Statement } from "../store.ts";
import { SqliteConnection } from "./connection.ts";
import { serveCalls } from "./serve-calls.ts";

export type JournalRequest =
  | {
      kind: "open";
      path: string;
      programs: Readonly<Record<string, Program>>;
      versions: readonly (readonly string[])[];
    }
  | { kind: "commit"; runs: readonly ProgramRun[]; statements: readonly Statement[] }
  | { kind: "close" };

const readSequence: Statement = { sql: "select sequence from journal_state", parameters: [] };

let connection: SqliteConnection | null = null;

serveCalls<JournalRequest, Row[][]>(async (request) => {
  switch (request.kind) {
    case "open":
      connection = new SqliteConnection(request);
      connection.migrate(request.versions);
      return [connection.all(readSequence)];
    case "commit":
      if (!connection) throw new Error("the database is not open");
      return connection.commit(request.runs, request.statements, true);
    case "close":
      connection?.close();
      connection = null;
      return [];
  }
});
