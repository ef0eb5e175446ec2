// What everything else stands on: the store, the clock's watches, and the practice vendors.
import type { Config } from "../config/config.ts";
import { systemClock, systemTimers } from "../core/clock.ts";
import { Deadlines } from "../core/deadline.ts";
import { describe, type Log } from "../core/log.ts";
import { systemRandom } from "../core/random.ts";
import { usageLogMigrations } from "../observe/versions/queries.ts";
import { keptSecret } from "../store/kept-secret.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import { rejectedFileName } from "../store/sqlite/rejected-records.ts";
import type { Store } from "../store/store.ts";
import { Practice } from "./practice.ts";
import { logProgram, mainPrograms } from "./programs.ts";

export interface Base {
  log: Log;
  deadlines: Deadlines;
  store: Store;
  practice: Practice;
  /** What keeps the gateway from taking paid work until a person has looked. */
  obstacles: Set<string>;
  /** Records that the log will never have. */
  lostRecords(): number;
  /** When the books were last compared, and whether they agreed. */
  verified: { atMs: number; isGood: boolean } | null;
}

export async function createBase(config: Config, log: Log): Promise<Base> {
  const obstacles = new Set<string>();
  let lost = 0;
  const store = await openSqlite({
    folder: config.dataFolder,
    programs: mainPrograms,
    log: {
      program: logProgram,
      migrations: usageLogMigrations,
      onFault(error) {
        if (error) log.warn("the usage log cannot be written", { error: describe(error) });
        else log.info("the usage log is written again", {});
      },
      onLost(count, error) {
        lost += count;
        log.error("the usage log goes on without records", { count, error: describe(error) });
      },
    },
    onExposed({ file, reason }) {
      log.warn("a file of the data folder can be read by others", { file, reason });
    },
    onRejected(_run, error) {
      obstacles.add("the database refused a record of the journal");
      const fields = { error: describe(error), file: rejectedFileName };
      log.error("the database refused a record of the journal; it is kept aside", fields);
    },
  });
  const deadlines = new Deadlines(systemClock, systemTimers);
  const practice = new Practice(config);
  return { log, deadlines, store, practice, obstacles, lostRecords: () => lost, verified: null };
}

export function secretOf({ secret, dataFolder }: Config): string {
  return secret ?? keptSecret(dataFolder, systemRandom);
}
