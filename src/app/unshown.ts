// Remembers that credentials are made which nobody has seen. A start that fails on the way, or
// dies, leaves them unknown: the one that succeeds then makes them anew and shows them. It is in
// the data folder, or where nodes share a database there: it may be another that succeeds.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exclusively } from "../admin/exclusively.ts";
import { sleep, type Timers } from "../core/clock.ts";
import { isAway } from "../core/errors.ts";
import { deleteCanary, findCanary, insertCanary } from "../identity/access/queries.ts";
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";

export interface UnshownMark {
  isThere(): Promise<boolean>;
  /** Before the first of them is made. */
  begin(): Promise<void>;
  end(): Promise<void>;
}

interface UnshownNeeds {
  store: Store;
  database: Database;
}

const name = "unshown";

export function createUnshown({ store, database }: UnshownNeeds, folder: string): UnshownMark {
  return store.sharing ? inDatabase(database) : inFolder(join(folder, name));
}

function inFolder(path: string): UnshownMark {
  return {
    isThere: async () => existsSync(path),
    begin: async () => writeFileSync(path, "", { mode: 0o600 }),
    end: async () => rmSync(path, { force: true }),
  };
}

function inDatabase(database: Database): UnshownMark {
  const isThere = async () => (await findCanary(database, name)) !== null;
  return {
    isThere,
    begin: async () => {
      if (!(await isThere())) await insertCanary(database, name, "");
    },
    end: () => deleteCanary(database, name),
  };
}

const retryMs = 250;

/** They are seen: a database that went away meanwhile is told when it is back. */
export async function endMark(mark: UnshownMark, timers: Timers): Promise<void> {
  for (;;) {
    try {
      return await mark.end();
    } catch (error) {
      if (!isAway(error)) throw error;
      await sleep(timers, retryMs);
    }
  }
}

/** Work of a single start at a time, and the end of its turn. */
interface FirstTurn<Texts> {
  texts: Texts;
  end(): void;
}

/**
 * Nodes that start at once find what the first of them has made. Who has made texts keeps the turn
 * until they are shown: until then another node could not tell whether they ever will be.
 */
export async function beginInTurn<Texts>(
  needs: UnshownNeeds,
  begin: () => Promise<Texts>,
  isToShow: (texts: Texts) => boolean,
): Promise<FirstTurn<Texts>> {
  const begun = Promise.withResolvers<Texts>();
  const over = Promise.withResolvers<void>();
  const turn = exclusively(needs, "start", async () => {
    const texts = await begin();
    begun.resolve(texts);
    if (isToShow(texts)) await over.promise;
  });
  turn.catch(begun.reject);
  return { texts: await begun.promise, end: over.resolve };
}
