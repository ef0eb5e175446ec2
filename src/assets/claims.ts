// Claim of a node to look after an asset: one at a time, until it is judged or the node has not
// been heard of for a while. A verdict is written once in any case.
import type { Clock } from "../core/clock.ts";
import type { AssetId } from "../core/ids.ts";
import { endChore, renewChores, takeChore } from "../store/chores.ts";
import type { Database } from "../store/database.ts";

interface AssetClaimsNeeds {
  database: Database;
  clock: Clock;
  /** There are no other nodes. */
  isSole: boolean;
}

const claimedMs = 15_000;
export const assetChore = "asset ";

export class AssetClaims {
  readonly #needs: AssetClaimsNeeds;

  constructor(needs: AssetClaimsNeeds) {
    this.#needs = needs;
  }

  get isSole(): boolean {
    return this.#needs.isSole;
  }

  /** False while another node has it. */
  async take(id: AssetId): Promise<boolean> {
    const { database, clock, isSole } = this.#needs;
    if (isSole) return true;
    const nowMs = clock.nowMs();
    return await takeChore(database, { name: assetChore + id, nowMs, periodMs: claimedMs });
  }

  /** To be called several times within the time that a claim lasts. */
  async renew(ids: readonly AssetId[]): Promise<void> {
    const { database, clock, isSole } = this.#needs;
    if (isSole || ids.length === 0) return;
    const names = ids.map((id) => assetChore + id);
    await renewChores(database, names, clock.nowMs());
  }

  async end(id: AssetId): Promise<void> {
    const { database, isSole } = this.#needs;
    if (!isSole) await endChore(database, assetChore + id);
  }
}
