// Opens the data folder of a gateway that has it to itself, and says what is found wrong in it.
import { systemTimers } from "../../core/clock.ts";
import { describe, type Log } from "../../core/log.ts";
import { usageLogMigrations } from "../../observe/versions/queries.ts";
import { openSqlite, type FolderThreads } from "../../store/sqlite/open.ts";
import { rejectedFileName } from "../../store/sqlite/rejected-records.ts";
import type { Store, StoreError } from "../../store/store.ts";
import { logProgram, mainPrograms } from "../programs.ts";

export interface StoreWatch {
  obstacle(text: string): void;
  lost(count: number): void;
}

interface FolderNeeds {
  folder: string;
  threads: FolderThreads;
  log: Log;
}

export async function openFolder(needs: FolderNeeds, watch: StoreWatch): Promise<Store> {
  const { folder, threads, log } = needs;
  const { obstacle, lost } = watch;
  function keptAside(message: string, error: StoreError): void {
    obstacle(message);
    log.error(message, { error: describe(error), file: rejectedFileName });
  }
  return await openSqlite({
    folder,
    threads,
    programs: mainPrograms,
    log: {
      program: logProgram,
      migrations: usageLogMigrations,
      onFault(error) {
        if (error) log.warn("the usage log cannot be written", { error: describe(error) });
        else log.info("the usage log is written again", {});
      },
      onLost(count, error) {
        lost(count);
        log.error("the usage log goes on without records", { count, error: describe(error) });
      },
    },
    onExposed({ file, reason }) {
      log.warn("a file of the data folder can be read by others", { file, reason });
    },
    onRejected(_run, error) {
      keptAside("the database refused a record of the journal; it is kept aside", error);
    },
    onOrphaned() {
      // No obstacle: what was not synced was promised to nobody for this case.
      log.error("records of the journal went with the power; those behind are kept aside", {
        file: rejectedFileName,
      });
    },
    onOtherProcess: otherProcess(folder, log, watch).lost,
    onDamaged: (error) => keptAside("a record of the journal is damaged; it is kept aside", error),
  });
}

/** Two that serve one folder spend the same money: this one takes no more of it. */
export function otherProcess(folder: string, log: Log, { obstacle }: StoreWatch) {
  return {
    timers: systemTimers,
    lost() {
      obstacle("another process uses the data folder");
      log.error("another process uses the data folder: stop one of them", { folder });
    },
  };
}
