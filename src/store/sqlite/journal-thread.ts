// The thread that owns the only write connection to the main database.
import type { ProgramRun, Row, Statement } from "../store.ts";
import { Journal, type JournalOptions } from "./journal.ts";
import { serveCalls } from "./serve-calls.ts";

export type JournalRequest =
  | { kind: "open"; options: JournalOptions }
  | { kind: "append"; run: ProgramRun; sync: boolean }
  | { kind: "commit"; run?: ProgramRun; statements: readonly Statement[] }
  | { kind: "apply" | "close" };

let journal: Journal | null = null;

function opened(): Journal {
  if (!journal) throw new Error("the journal is not open");
  return journal;
}

serveCalls<JournalRequest, Row[][]>(async (request) => {
  switch (request.kind) {
    case "open":
      journal = new Journal(request.options);
      break;
    case "append":
      await opened().append(request.run, request.sync);
      break;
    case "commit":
      return opened().commit(request.run, request.statements);
    case "apply":
      opened().apply();
      break;
    case "close":
      opened().close();
      journal = null;
  }
  return [];
});
