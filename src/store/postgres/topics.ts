// Turns of nodes, by topic. A lock in the database gives them their order; a version of each topic,
// which every commit of a turn raises, says what others have not seen yet, and refuses whoever
// believes to have a turn that is over. Nodes hear of it by a notice, which may be lost, and look
// once a second, which may not.
import { AsyncLocalStorage } from "node:async_hooks";
import { sleep, type Stop, type Timers } from "../../core/clock.ts";
import type { Turning } from "../sharing.ts";
import type { Statement, Store } from "../store.ts";
import type { Session } from "./connection.ts";
import type { ConnectionPool } from "./pool.ts";

interface TopicsNeeds {
  /** Connections that nothing else waits for: each turn keeps one. */
  gates: ConnectionPool;
  read: Store["read"];
  timers: Timers;
  countNodes(): Promise<number>;
  /** Told of what could not be brought up to date; it is tried again. */
  faulted(error: unknown): void;
}

interface HeldTopic {
  topic: string;
  version: number;
  isOver: boolean;
}

export const channelOfNotices = "sluice";
const lookMs = 1000;
/** With the time that a look takes. */
const spreadMs = lookMs + 250;

export class Topics implements Turning {
  readonly #needs: TopicsNeeds;
  readonly #turns = new AsyncLocalStorage<HeldTopic>();
  /** The versions that memory is at. */
  readonly #known = new Map<string, number>();
  readonly #watchers = new Map<string, () => Promise<void>>();
  readonly #stop: Stop;
  #looking: Promise<void> | null = null;
  /** Versions may have risen since they were last read. */
  #isBehind = false;

  constructor(needs: TopicsNeeds) {
    this.#needs = needs;
    this.#stop = needs.timers.every(lookMs, () => void this.look());
  }

  async exclusively<Result>(topic: string, work: () => Promise<Result>): Promise<Result> {
    return await this.#needs.gates.use((gate) =>
      gate.together(async (session) => {
        const lock = `sluice ${topic}`;
        await session.ask("select pg_advisory_lock(hashtextextended($1, 0))", [lock]);
        const turn: HeldTopic = { topic, version: 0, isOver: false };
        try {
          turn.version = await readVersion(session, topic);
          await this.#catchUp(topic, turn.version);
          return await this.#turns.run(turn, work);
        } finally {
          turn.isOver = true;
          // A connection that is lost has let go of it already.
          const unlock = "select pg_advisory_unlock(hashtextextended($1, 0))";
          await session.ask(unlock, [lock]).catch(() => {});
        }
      }),
    );
  }

  async spread(): Promise<void> {
    if ((await this.#needs.countNodes()) > 1) await sleep(this.#needs.timers, spreadMs);
  }

  get known(): ReadonlyMap<string, number> {
    return this.#known;
  }

  watch(topic: string, changed: () => Promise<void>): Stop {
    this.#watchers.set(topic, changed);
    return () => this.#watchers.delete(topic);
  }

  /** Commits, with what a commit of the turn that runs carries. */
  async carrying<Result>(commit: (statements: Statement[]) => Promise<Result>): Promise<Result> {
    const turn = this.#turns.getStore();
    if (!turn || turn.isOver) return await commit([]);
    const { topic, version } = turn;
    const result = await commit([
      {
        sql: "update version set n = n + 1 where topic = $1 and n = $2",
        parameters: [topic, version],
        changes: 1,
      },
      { sql: "select pg_notify($1, $2)", parameters: [channelOfNotices, topic] },
    ]);
    turn.version = version + 1;
    this.#known.set(topic, turn.version);
    return result;
  }

  /** Brings memory up to what other nodes have changed. */
  look(): Promise<void> {
    this.#isBehind = true;
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#needs.faulted(error))
      .finally(() => (this.#looking = null));
    return this.#looking;
  }

  /** Memory is empty as yet: whatever it reads from now on is at least as new as this. */
  async begin(): Promise<void> {
    for (const [topic, version] of await this.#readVersions()) this.#known.set(topic, version);
  }

  close(): void {
    this.#stop();
  }

  /** A notice that comes while memory is brought up to the one before is not overheard. */
  async #look(): Promise<void> {
    while (this.#isBehind) {
      this.#isBehind = false;
      for (const [topic, version] of await this.#readVersions()) {
        await this.#catchUp(topic, version);
      }
    }
  }

  async #catchUp(topic: string, version: number): Promise<void> {
    if ((this.#known.get(topic) ?? 0) >= version) return;
    await this.#watchers.get(topic)?.();
    this.#known.set(topic, Math.max(version, this.#known.get(topic) ?? 0));
  }

  async #readVersions(): Promise<[string, number][]> {
    const rows = await this.#needs.read({ sql: "select topic, n from version", parameters: [] });
    return rows.map(({ topic, n }) => [String(topic), Number(n)]);
  }
}

async function readVersion(session: Session, topic: string): Promise<number> {
  const insert = "insert into version (topic, n) values ($1, 0) on conflict do nothing";
  await session.ask(insert, [topic]);
  const { rows } = await session.ask("select n from version where topic = $1", [topic]);
  return Number(rows[0]?.["n"] ?? 0);
}
