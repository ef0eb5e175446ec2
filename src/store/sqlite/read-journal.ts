// The records of a data folder's journal, read beside whoever writes it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeRecords, type JournalRecord } from "./journal-line.ts";
import { journalFileNames } from "./journal.ts";

const readsMax = 5;

/** A file that is emptied and begun anew while it is read makes no sense, and is read again. */
export function readJournal(folder: string): JournalRecord[] {
  return journalFileNames
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      for (let reads = 1; ; reads++) {
        try {
          return decodeRecords(readFileSync(path));
        } catch (error) {
          if (reads === readsMax) throw error;
        }
      }
    });
}
