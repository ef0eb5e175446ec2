// Work of the living on dead nodes: their leases have run out, their slices go back, and the holds
// of their requests are given back, with all that these may have cost as a loss.
import type { Clock, Timers } from "../../core/clock.ts";
import type { CommitRounds } from "../../store/turns.ts";
import { Batch } from "../batch.ts";
import type { RecoverNeeds } from "../recover.ts";
import { holdOf } from "../rows.ts";
import type { RoundTaker } from "./round-taker.ts";

interface ReapNeeds extends Pick<RecoverNeeds, "toRecords"> {
  turns: CommitRounds;
  clock: Clock;
  reaped(nodes: readonly string[]): void;
}

interface ReaperNeeds extends ReapNeeds {
  taker: RoundTaker;
  timers: Timers;
  faulted(error: unknown): void;
}

const everyMs = 2000;
const accountsAtOnce = 500;

export class Reaper {
  readonly #needs: ReaperNeeds;
  #isBusy = false;

  constructor(needs: ReaperNeeds) {
    this.#needs = needs;
    needs.timers.every(everyMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { taker, faulted } = this.#needs;
    if (this.#isBusy || !taker.mayReap) return;
    this.#isBusy = true;
    try {
      await reapDead(this.#needs);
    } catch (error) {
      faulted(error);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Calls nobody dead: a node that starts cannot know who only could not renew its lease. */
  async fold(): Promise<void> {
    await foldDead(this.#needs);
  }
}

/** May be interrupted anywhere: each step leaves the book whole. */
export async function reapDead(needs: ReapNeeds): Promise<void> {
  const dead = await needs.turns.reap();
  if (dead.length > 0) needs.reaped(dead);
  await foldDead(needs);
}

async function foldDead({ turns, clock, toRecords }: ReapNeeds): Promise<void> {
  let records = new Batch();
  for (let holdIds: string[] = []; ;) {
    const ask = { accountsMax: accountsAtOnce, atMs: clock.nowMs(), logged: records.logged() };
    const { slices, holds } = await turns.fold({ ...ask, holdIds });
    if (slices === 0) break;
    const dead = holds.map(holdOf);
    records = new Batch();
    if (dead.length > 0) records.record(await toRecords(dead));
    holdIds = dead.map(({ id }) => id);
  }
  await turns.tidy();
}
