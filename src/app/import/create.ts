// The desk of imports, with the gateway's own verbs.
import type { Config } from "../../config/config.ts";
import type { Control } from "../control.ts";
import { ImportDesk } from "./desk.ts";
import { answerOwnCall } from "./own-calls.ts";

/** A file that was uploaded to one node is not on the next one. */
const elsewhere =
  "This gateway's rows are in PostgreSQL, which nodes may share, and a file that is uploaded to " +
  "one node is on no other. Run sluice import where the source can be read, with --url and an " +
  "access token of root, or on a node's machine.";

export function createImports(config: Config, control: Control): ImportDesk {
  const { clock, machine, log } = control;
  return new ImportDesk({
    dataFolder: config.dataFolder,
    elsewhere: config.databaseUrl === null ? null : elsewhere,
    clock,
    timers: machine.timers,
    log,
    answer: (operator, call) => answerOwnCall({ rows: control, log }, operator, call),
  });
}
