// Brings the source to rest: nobody works on it, and nothing is held by requests any more.
import { systemClock } from "../../core/clock.ts";
import { createRecovery } from "../../app/recovery.ts";
import { reapDead } from "../../quota/cluster/reaper.ts";
import { recover } from "../../quota/recover.ts";
import { ControlError } from "../control-client.ts";
import type { MoveEnd } from "./place.ts";

/** `begun` is done at a moment when nobody can start. */
export async function settleSource(end: MoveEnd, begun: () => Promise<void>): Promise<void> {
  const { store } = end;
  const recovery = createRecovery(end);
  const { turns, sharing } = store;
  if (!turns || !sharing) {
    // The lock of the folder proves that whoever had it is dead.
    await recover(recovery, systemClock.nowMs());
    await store.applied();
    await store.logApplied();
    return await begun();
  }
  const reap = () =>
    reapDead({
      turns,
      clock: systemClock,
      toRecords: recovery.toRecords,
      reaped: () => {},
    });
  await sharing.exclusively("start", async () => {
    await turns.reap();
    const live = await turns.countLive();
    if (live > 0) {
      throw new ControlError(
        `${live} nodes are live on the database: stop them first. One that died is forgotten ` +
          "when its lease has run out (journal.lease_ms)",
      );
    }
    await begun();
  });
  await reap();
}
