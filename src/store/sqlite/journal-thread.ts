// The thread that owns the only write connections: to the main database, and to the log's.
import type { Program } from "../step.ts";
import type { LogCommit, ProgramRun, Row, Statement } from "../store.ts";
import { SqliteConnection } from "./connection.ts";
import { logProgramName } from "./log-taker.ts";
import { serveCalls } from "./serve-calls.ts";
import { readSequence } from "./taker.ts";

export type JournalRequest =
  | { kind: "open"; main: DatabaseNeeds; log: DatabaseNeeds }
  | { kind: "commit"; runs: readonly ProgramRun[]; statements: readonly Statement[] }
  | { kind: "commit-log"; commit: LogCommit; sync: boolean }
  | { kind: "close" };

interface DatabaseNeeds {
  path: string;
  programs: Readonly<Record<string, Program>>;
  versions: readonly (readonly string[])[];
}

let open: { main: SqliteConnection; log: SqliteConnection } | null = null;

/** A writer comes back to the pages it has just written; with more, memory only fills up. */
const cacheKib = 512;

function openOne(needs: DatabaseNeeds): SqliteConnection {
  const connection = new SqliteConnection({ ...needs, cacheKib });
  connection.migrate(needs.versions);
  return connection;
}

serveCalls<JournalRequest, Row[][]>(async (request) => {
  if (request.kind === "open") {
    open = { main: openOne(request.main), log: openOne(request.log) };
    return [open.main.all(readSequence), open.log.all(readSequence)];
  }
  if (!open) throw new Error("the databases are not open");
  switch (request.kind) {
    case "commit":
      return open.main.commit(request.runs, request.statements, true);
    case "commit-log": {
      const { documents = [], statements = [] } = request.commit;
      const runs = documents.map((document) => ({ program: logProgramName, document }));
      return open.log.commit(runs, statements, request.sync);
    }
    case "close":
      open.main.close();
      open.log.close();
      open = null;
      return [];
  }
});
