// The ground of everything else: the store, the clock's watches, and the practice vendors.
import { mkdirSync } from "node:fs";
import type { Config } from "../config/config.ts";
import type { Clock, Timers } from "../core/clock.ts";
import { Deadlines } from "../core/deadline.ts";
import { describe, type Log } from "../core/log.ts";
import { createTwofoldSeal, type TwofoldSeal } from "../core/seal.ts";
import { systemRandom } from "../core/random.ts";
import { oldestLogReader, usageLogMigrations } from "../observe/versions/queries.ts";
import { keptSecret, oldSecret } from "../store/kept-secret.ts";
import { holdFolder } from "../store/sqlite/lock.ts";
import type { Store } from "../store/store.ts";
import { OwnTimers, type Machine } from "./machine.ts";
import { openFolder, otherProcess, type StoreWatch } from "./folder/open.ts";
import { assertSecretLong } from "./folder/secret.ts";
import { Practice } from "./practice.ts";
import { logProgram, mainPrograms } from "./programs.ts";
import { shareNothing, type Shared, type SharedNeeds } from "./shared.ts";

export interface Base {
  log: Log;
  /** With timers of this gateway alone. */
  machine: Machine & { timers: OwnTimers };
  /** The database's where nodes share one, whatever the machine's says. */
  clock: Clock;
  deadlines: Deadlines;
  store: Store;
  practice: Practice;
  shared: Shared;
  /** Obstacles to taking paid work until a person has looked. */
  obstacles: Set<string>;
  /** It is told to stop, and may take work for a while yet. */
  isLeaving: boolean;
  /** Records that the log will never have. */
  lostRecords(): number;
  /** Time of the last comparison of the books, and whether they agreed. */
  verified: { atMs: number; isGood: boolean } | null;
}

interface BaseNeeds {
  log: Log;
  machine: Machine;
  /** Told once the database that nodes share has answered. */
  reached?(): void;
}

export async function createBase(
  config: Config,
  { log, machine: bare, reached = () => {} }: BaseNeeds,
): Promise<Base> {
  const { clock, soon, rssBytes, startCounting, threads } = bare;
  const timers = new OwnTimers(bare.timers);
  const machine = { clock, timers, soon, rssBytes, startCounting, threads };
  const obstacles = new Set<string>();
  let lost = 0;
  const store = await openStore(
    config,
    { log, threads },
    {
      obstacle: (text) => obstacles.add(text),
      lost: (count) => (lost += count),
      reached,
    },
  );
  const deadlines = new Deadlines(machine.clock, machine.timers);
  const practice = new Practice(config, machine);
  const liveNodes = countNodes(store, machine.timers);
  const shared = await createShared(config, { log, machine, liveNodes });
  return {
    log,
    machine,
    clock: store.sharing?.clock ?? machine.clock,
    deadlines,
    store,
    practice,
    shared,
    obstacles,
    isLeaving: false,
    lostRecords: () => lost,
    verified: null,
  };
}

async function createShared({ redisUrl }: Config, needs: SharedNeeds): Promise<Shared> {
  if (redisUrl === null) return shareNothing(needs);
  const { shareOverRedis } = await import("./nodes/redis.ts");
  return await shareOverRedis(redisUrl, needs);
}

const countPeriodMs = 2000;

/**
 * Number of processes on the database; whoever else would work on a folder is kept out by its lock.
 */
function countNodes({ turns }: Store, timers: Timers): () => number {
  let live = 1;
  async function count(): Promise<void> {
    // One that cannot be reached has not gone away, so what was counted last stays.
    if (turns) live = Math.max(1, await turns.countLive().catch(() => live));
  }
  if (turns) timers.every(countPeriodMs, () => void count());
  return () => live;
}

interface EngineWatch extends StoreWatch {
  /** PostgreSQL has answered. */
  reached(): void;
}

/** One of the two engines; nothing outside the store knows which. */
async function openStore(
  config: Config,
  { log, threads }: Pick<Base, "log"> & Pick<Machine, "threads">,
  watch: EngineWatch,
): Promise<Store> {
  const { databaseUrl, dataFolder } = config;
  if (databaseUrl === null) return await openFolder({ folder: dataFolder, threads, log }, watch);
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  // The node's files beside the database, and the way commands find it, are its own.
  const lock = holdFolder(dataFolder, otherProcess(dataFolder, log, watch));
  const { openPostgres } = await import("../store/postgres/open.ts");
  return await openPostgres({
    url: databaseUrl,
    closed: () => lock.release(),
    reached: watch.reached,
    first: () => assertSecretLong(config),
    faulted: (error) =>
      log.warn("what other nodes changed is not known yet", { error: describe(error) }),
    programs: mainPrograms,
    log: { program: logProgram, migrations: usageLogMigrations, oldestReader: oldestLogReader },
  });
}

/** The seal of this process, or of a command on its data. */
export function sealOf(config: Config): TwofoldSeal {
  const { secret, secretAlso, dataFolder } = config;
  const second = secret === null ? oldSecret(dataFolder) : secretAlso;
  return createTwofoldSeal(secretOf(config), second, systemRandom);
}

export function secretOf({ secret, dataFolder }: Config): string {
  return secret ?? keptSecret(dataFolder, systemRandom);
}
