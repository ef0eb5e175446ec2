// Builds of the money core that are broken on purpose. A simulation that lets one of them pass is
// itself broken.
import { Balances } from "../../src/quota/balances.ts";
import { ledgerSteps } from "../../src/quota/queries.ts";
import type { JournalWrite, SoleLedger } from "../../src/quota/sole-ledger.ts";
import { createDatabase } from "../../src/store/database.ts";
import type { DiskFile, DiskFolder } from "../../src/store/sqlite/disk-file.ts";
import type { JournalDatabase } from "../../src/store/sqlite/journal.ts";
import { rejectedFileName } from "../../src/store/sqlite/rejected-records.ts";
import type { Store } from "../../src/store/store.ts";
import { genuine, type Build, type Write } from "./build.ts";
import { ledgerMutations } from "./ledger-mutants.ts";

/** Writes everything in order and does not give up, but does not let anyone wait for it. */
function acknowledgeEarly(write: Write): Write {
  const batches: JournalWrite[] = [];
  let isWriting = false;
  async function writeAll(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    try {
      for (let [batch] = batches; batch; [batch] = batches) {
        await write(batch);
        batches.shift();
      }
    } catch {
      // The next batch comes behind this one.
    }
    isWriting = false;
  }
  return async (batch) => {
    batches.push(batch);
    void writeAll();
  };
}

function dropFailed(write: Write): Write {
  return (batch) => write(batch).catch(() => undefined);
}

function neverSync(write: Write): Write {
  return (batch) => write({ ...batch, sync: false });
}

/** The lines in one record and the sums in the next. */
function tear(write: Write): Write {
  return async (batch) => {
    const { accounts, keys, caps, ...lines }: Document = JSON.parse(batch.document);
    await write({ ...batch, document: JSON.stringify(lines) });
    await write({ ...batch, document: JSON.stringify({ accounts, keys, caps }) });
  };
}

interface Document {
  entries: (string | number | null)[][];
  closed?: [string][];
  accounts: [string, number, number, number, number][];
  keys: [string, number, number][];
  caps?: [string, number, number, number][];
}

/** Gives back on disk what was never held there. */
function freeUnheld(write: Write): Write {
  return (batch) => {
    const document: Document = JSON.parse(batch.document);
    const { entries = [], accounts = [], closed = [] } = document;
    const wasHeld = new Set(closed.map(([id]) => id));
    for (const [id, kind, account, , , , held] of entries) {
      const moved = accounts.find(([name]) => name === account);
      if (kind === "grant" || wasHeld.has(String(id)) || !moved) continue;
      moved[2] += Number(held);
      moved[3] -= Number(held);
    }
    return write({ ...batch, document: JSON.stringify(document) });
  };
}

/** Grants again under a new id when the first write of a batch was refused. */
function grantOnRetry(write: Write): Write {
  const refused = new Set<string>();
  return (batch) => {
    if (refused.has(batch.document)) return write(doubleGrants(batch));
    return write(batch).catch((error: unknown) => {
      refused.add(batch.document);
      throw error;
    });
  };
}

function doubleGrants(batch: JournalWrite): JournalWrite {
  const document: Document = JSON.parse(batch.document);
  const grants = document.entries.filter(([, kind]) => kind === "grant");
  for (const [id, kind, account, ...rest] of grants) {
    document.entries.push([`${id}_again`, kind ?? null, account ?? null, ...rest]);
    const moved = document.accounts.find(([name]) => name === account);
    const amount = Number(rest[4]);
    if (!moved) continue;
    moved[1] += amount;
    moved[2] += amount;
  }
  return { ...batch, document: JSON.stringify(document) };
}

/** Takes the newest post for an abandoned one and pays it back. */
async function voidPosted(store: Store, nowMs: number): Promise<number> {
  const count = await genuine.recover(store, nowMs);
  const [post] = await store.read({
    sql: `select id, account_id, key_id, micros from entry
          where kind = 'post' and micros > 0 order by at_ms desc, id limit 1`,
    parameters: [],
  });
  if (!post) return count;
  const statements = [
    {
      sql: `insert into entry (id, kind, account_id, key_id, held_micros, micros, at_ms)
            values (?, 'void', ?, ?, ?, 0, ?)`,
      parameters: [`${post["id"]}_void`, ...["account_id", "key_id", "micros"].map(part), nowMs],
    },
    {
      sql: `update ledger_account set available_micros = available_micros + ?1,
              spent_micros = spent_micros - ?1 where account_id = ?2`,
      parameters: ["micros", "account_id"].map(part),
    },
  ];
  function part(name: string): string | number | null {
    return post?.[name] ?? null;
  }
  await store.commit({ statements });
  return count;
}

/** Gives holds back to their accounts and keys alone. */
async function forgetHeldCaps(store: Store, nowMs: number): Promise<number> {
  const append: Store["append"] = (run, gate) => {
    const { caps: _caps, ...rest }: Document = JSON.parse(run.document);
    return store.append({ ...run, document: JSON.stringify(rest) }, gate);
  };
  return await genuine.recover({ ...store, append }, nowMs);
}

/** A copy of the balance for whoever asks. */
function copyBalances(store: Store): Pick<Balances, "account" | "key" | "wallet"> {
  const database = createDatabase(store);
  return {
    account: (id) => new Balances({ database, store }).account(id),
    key: (id) => new Balances({ database, store }).key(id),
    wallet: (payer) => new Balances({ database, store }).wallet(payer),
  };
}

/** Does not wait until the database has what was done with a balance. */
function forgetAtOnce(store: Store, _ledger: SoleLedger, countMax: number): Balances {
  return new Balances({
    database: createDatabase(store),
    store: { ...store, applied: async () => undefined },
    ledger: { settled: async () => true },
    countMax,
  });
}

type FileChange = (file: DiskFile, name: string) => Partial<DiskFile>;

function files(change: FileChange): Pick<Build, "wrapFolder"> {
  const wrapFolder = (folder: DiskFolder): DiskFolder => ({
    open(name) {
      const file = folder.open(name);
      return { ...file, ...change(file, name) };
    },
  });
  return { wrapFolder };
}

/** Sync only the file of the journal's two that was written last. */
function syncNewestOnly(): Pick<Build, "wrapFolder"> {
  let newest = "";
  return files((file, name) => ({
    write(bytes) {
      newest = name;
      return file.write(bytes);
    },
    sync: () =>
      name === newest || name === rejectedFileName || file.size() === 0
        ? file.sync()
        : Promise.resolve(),
  }));
}

/** A file that was emptied is taken for synced where nothing was written since its last sync. */
function syncWrittenOnly(): Pick<Build, "wrapFolder"> {
  return files((file) => {
    let writes = 0;
    let synced = -1;
    return {
      write(bytes) {
        writes++;
        return file.write(bytes);
      },
      async sync() {
        const upTo = writes;
        if (synced === upTo) return;
        await file.sync();
        synced = Math.max(synced, upTo);
      },
    };
  });
}

function database(change: (commit: Commit) => Commit): Pick<Build, "wrapDatabase"> {
  return { wrapDatabase: (inner) => ({ commit: change((...call) => inner.commit(...call)) }) };
}

type Commit = JournalDatabase["commit"];

function forgetNumbers(commit: Commit): Commit {
  return (runs, statements) => commit(runs, runs.length > 0 ? [] : statements);
}

function believeFailed(commit: Commit): Commit {
  return (runs, statements) => commit(runs, statements).catch(() => []);
}

/** The halves of what was refused go in as they come. */
function skipRefused(commit: Commit): Commit {
  return async (runs, statements) => {
    try {
      return await commit(runs, statements);
    } catch (error) {
      if (runs.length > 1) return await commit([], statements);
      throw error;
    }
  };
}

function withoutSums(list: string): Pick<Build, "program"> {
  return { program: ledgerSteps.filter((step) => step.list !== list) };
}

const mutations: Readonly<Record<string, Partial<Build>>> = {
  ...ledgerMutations,
  "every request gets its own copy of a balance": { createBalances: copyBalances },
  "a balance is forgotten before it is written": { createBalances: forgetAtOnce },
  "the journal acknowledges before it writes": { wrapJournal: acknowledgeEarly },
  "the journal drops a batch that failed": { wrapJournal: dropFailed },
  "the journal never syncs": { wrapJournal: neverSync },
  "the journal writes a batch in two records": { wrapJournal: tear },
  "a hold that was never written is given back all the same": { wrapJournal: freeUnheld },
  "a grant counts twice when its write is tried again": { wrapJournal: grantOnRetry },
  "a sync covers only the newest file": syncNewestOnly(),
  "a sync that failed is tried once more": files((file) => ({
    sync: () => file.sync().catch(() => file.sync()),
  })),
  "an emptied file is not synced at the start": files((file) => ({
    sync: () => (file.size() > 0 ? file.sync() : Promise.resolve()),
  })),
  "an emptied file counts as synced where nothing was written": syncWrittenOnly(),
  "what was cut short is not taken back": files((file) => ({
    truncate: (toBytes) => (toBytes === 0 ? file.truncate(0) : undefined),
  })),
  "what was set aside is not kept": files((_file, name) =>
    name === rejectedFileName ? { write: (bytes) => bytes.length } : {},
  ),
  "the database does not remember how far it is": database(forgetNumbers),
  "a commit that failed is believed": database(believeFailed),
  "one refused record takes others with it": database(skipRefused),
  "the log does not remember how far it is": {
    wrapLog: (log) => ({ commit: (documents) => log.commit(documents, []) }),
  },
  "a commit of the log that failed is believed": {
    wrapLog: (log) => ({ commit: (...commit) => log.commit(...commit).catch(() => []) }),
  },
  "a batch is written without its records": {
    wrapJournal: (write) => (batch) => write({ ...batch, logged: undefined }),
  },
  "the sums of keys are not written": withoutSums("keys"),
  "the sums of caps are not written": withoutSums("caps"),
  "recovery forgets what a window held": { recover: forgetHeldCaps },
  "recovery is skipped": { recover: async () => 0 },
  "recovery voids what was posted": { recover: voidPosted },
};

export const mutants: readonly { name: string; build: Build }[] = Object.entries(mutations).map(
  ([name, mutation]) => ({ name, build: { ...genuine, ...mutation } }),
);
