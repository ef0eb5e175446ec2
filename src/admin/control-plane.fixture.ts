// A control plane over a real store in a folder of its own, for the tests of this module.
import { logProgram, mainPrograms } from "../app/programs.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Control } from "../app/control.ts";
import { systemClock, systemTimers } from "../core/clock.ts";
import { Deadlines } from "../core/deadline.ts";
import { createIds } from "../core/ids.ts";
import { createLog, type Log } from "../core/log.ts";
import { send } from "../core/wire/send.ts";
import { systemRandom } from "../core/random.ts";
import { createSeal } from "../core/seal.ts";
import { Channels } from "../distribution/channels.ts";
import { Guesses } from "../identity/access/guesses.ts";
import { Sessions } from "../identity/access/sessions.ts";
import { Authenticator } from "../identity/authenticate.ts";
import type { Operator } from "../identity/caller.ts";
import { SecondFactors } from "../identity/factors/second-factors.ts";
import { Groups } from "../identity/groups.ts";
import { findAccountByName } from "../identity/queries.ts";
import { usageLogMigrations } from "../observe/versions/queries.ts";
import { Balances } from "../quota/balances.ts";
import { Ledger } from "../quota/ledger.ts";
import { Prices } from "../quota/prices.ts";
import { ledgerProgram } from "../quota/queries.ts";
import { verify } from "../quota/recover.ts";
import { createDatabase } from "../store/database.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Store } from "../store/store.ts";
import { WebhookSecrets } from "../tasks/webhooks/secrets.ts";
import { ensureRoot } from "./first-run.ts";
import { Reload } from "./reload.ts";
import { createUser } from "./user/create.ts";

export interface Plane extends AsyncDisposable {
  control: Control;
  root: Operator;
  folder: string;
  /** What was logged. */
  lines: string[];
  /** An account with a password of its own, as who it would call. */
  person(username: string, role?: "user" | "admin" | "root"): Promise<Operator>;
}

/** No password is hashed until a test asks for one: hashing is slow by design. */
export async function openPlane(): Promise<Plane> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-admin-"));
  const lines: string[] = [];
  const { control, close } = await openControl(folder, lines);
  await ensureRoot(control, { password: null, key: null, token: null });
  const root = await toOperator(control, "root");
  return {
    control,
    root,
    folder,
    lines,
    async person(username, role = "user") {
      await createUser(control, root, { username, password: "a long password", role });
      return await toOperator(control, username);
    },
    async [Symbol.asyncDispose]() {
      await control.ledger.settled();
      await control.store.applied();
      const violations = await verify((statement) => control.store.read(statement));
      await close();
      rmSync(folder, { recursive: true, force: true });
      if (violations.length > 0) throw new Error(JSON.stringify(violations));
    },
  };
}

export async function openControl(folder: string, lines: string[]) {
  const store = await openSqlite({
    folder,
    programs: mainPrograms,
    log: { program: logProgram, migrations: usageLogMigrations },
  });
  const database = createDatabase(store);
  const deadlines = new Deadlines(systemClock, systemTimers);
  const groups = new Groups();
  const log = createLog({
    level: "debug",
    clock: systemClock,
    timers: systemTimers,
    write: (text) => void lines.push(text),
  });
  const ledger = openLedger(store, log);
  const ids = createIds(systemClock, systemRandom);
  const system = { clock: systemClock, random: systemRandom };
  const secret = "the secret of a test";
  const seal = createSeal(secret, systemRandom);
  const authenticator = new Authenticator(database, groups, systemClock);
  const ejection = { failuresToEject: 1, ejectionMs: 60_000, ejectionMsMax: 60_000 };
  const channels = new Channels(ejection);
  const prices = new Prices("refuse");
  const control: Control = {
    store,
    database,
    seal,
    webhookSecrets: new WebhookSecrets({ master: secret, database, clock: systemClock }),
    ids,
    ...system,
    log,
    send,
    deadlines,
    ledger,
    balances: new Balances({ database, store }),
    groups,
    authenticator,
    sessions: new Sessions({
      store,
      database,
      ...system,
      ids,
      limits: { idleMs: 60_000, absoluteMs: 600_000 },
    }),
    guesses: new Guesses(systemClock),
    registration: "off",
    keysMax: 20,
    secondFactors: new SecondFactors({ database, seal, log, ...system }),
    adminSecondFactor: "optional",
    channels,
    prices,
    reload: new Reload({
      database,
      seal,
      channels,
      prices,
      groups,
      authenticator,
      sandboxChannels: async () => [],
      isSandboxKept: false,
    }),
  };
  async function close(): Promise<void> {
    deadlines.close();
    await store.close();
  }
  return { control, close };
}

function openLedger(store: Store, log: Log): Ledger {
  return new Ledger(
    {
      write: ({ document, sync }) =>
        store.append({ program: ledgerProgram, document }, sync ? "synced" : "written"),
      clock: systemClock,
      timers: systemTimers,
      faulted: (error) => log.error(String(error)),
    },
    { queueMax: 1000, stallMs: 5000 },
  );
}

async function toOperator({ database }: Control, username: string): Promise<Operator> {
  const account = await findAccountByName(database, username);
  if (!account) throw new Error(`no account ${username}`);
  return { accountId: account.id, username, role: account.role };
}

/** The error that the work ends with, in the words a client reads. */
export async function refusal(work: Promise<unknown>): Promise<{ code: string; param: unknown }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && "param" in error) {
      return { code: String(error.code), param: error.param };
    }
    throw error;
  }
  throw new Error("it was not refused");
}

/** What the work ends with. Awaited here, because the runner's own wait starves the threads. */
export async function thrown(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("nothing was thrown");
}
