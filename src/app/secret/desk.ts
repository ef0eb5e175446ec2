// The exchange of the secret while the gateway serves. A secret of the data folder is replaced
// here; one that is given from outside is replaced where it is given, and sealed with here.
import type { SecretStep } from "../../admin/secret/contract.ts";
import { secretSteps } from "../../admin/secret/contract.ts";
import type { SecretNeeds, SecretResult, SecretWork } from "../../admin/secret/needs.ts";
import { sealAnew } from "../../admin/secret/seal-anew.ts";
import type { Config } from "../../config/config.ts";
import type { Clock, Timers } from "../../core/clock.ts";
import { describe, type Log } from "../../core/log.ts";
import { systemRandom } from "../../core/random.ts";
import type { TwofoldSeal } from "../../core/seal.ts";
import type { Database } from "../../store/database.ts";
import { dropOldSecret, exchangeSecret, oldSecret } from "../../store/kept-secret.ts";
import type { Store } from "../../store/store.ts";
import type { Control } from "../control.ts";
import { WorkSlot } from "../maintenance/work-slot.ts";

const most = { ms: 6 * 3_600_000, words: "six hours" };
const busy = "The secret is being exchanged already: wait until that has ended.";
const isGiven =
  "SLUICE_SECRET is given from outside, so it is exchanged there. 1: set SLUICE_SECRET_ALSO to a " +
  "new secret (openssl rand -base64 32) and restart every node. 2: set SLUICE_SECRET to the new " +
  "one and SLUICE_SECRET_ALSO to the old, and restart every node. 3: come back here, or run " +
  "sluice secret rotate. 4: take SLUICE_SECRET_ALSO away. One process alone can begin with 2.";
const isUnrestarted =
  "The secret was exchanged since the start: restart the gateway before it is exchanged again.";
const takeAway = "Take SLUICE_SECRET_ALSO away, on every node, and restart.";
const restart =
  "The old secret is kept in the file secret.old until the next start, which deletes it.";

interface DeskNeeds {
  config: Pick<Config, "dataFolder" | "secret">;
  seal: TwofoldSeal;
  store: Store;
  database: Database;
  clock: Clock;
  timers: Timers;
  log: Log;
}

export class SecretDesk {
  readonly #needs: DeskNeeds;
  readonly #slot: WorkSlot<"rotate", SecretStep, SecretResult>;
  #sealing: Promise<void> = Promise.resolve();
  #wasExchanged = false;

  constructor(needs: DeskNeeds) {
    const { clock, timers } = needs;
    this.#needs = needs;
    this.#slot = new WorkSlot({ clock, timers, busy, most });
  }

  get place(): SecretNeeds["secrets"]["place"] {
    return this.#needs.config.secret === null ? "file" : "variable";
  }

  get hasSecond(): boolean {
    const { seal, config } = this.#needs;
    return this.place === "file" ? oldSecret(config.dataFolder) !== null : seal.isTwofold;
  }

  get obstacle(): string | null {
    if (this.place === "variable") return this.hasSecond ? null : isGiven;
    const isExchanged = this.#wasExchanged && this.work?.problem === null && !this.#slot.isBusy;
    return isExchanged ? isUnrestarted : null;
  }

  get work(): SecretWork | null {
    return this.#slot.work;
  }

  /** Goes on with an exchange that a process before has begun. */
  begin(): void {
    if (this.place === "variable" || !this.hasSecond) return;
    // The same twice: it died before the new one was in its place.
    if (this.#needs.seal.isTwofold) this.#seal();
    else dropOldSecret(this.#needs.config.dataFolder);
  }

  assertIdle(): void {
    this.#slot.assertIdle();
  }

  rotate(): SecretWork {
    this.assertIdle();
    const { config, seal } = this.#needs;
    if (this.place === "file" && !this.hasSecond) {
      seal.turnTo(exchangeSecret(config.dataFolder, systemRandom));
      this.#wasExchanged = true;
    }
    return this.#seal();
  }

  /** Leaves the rest to the next start. */
  async close(): Promise<void> {
    this.#slot.close();
    await this.#sealing;
  }

  #seal(): SecretWork {
    const slot = this.#slot;
    const { store, database, seal, log } = this.#needs;
    let isOver = false;
    const work = slot.begin({
      kind: "rotate",
      name: "secret",
      stepsTotal: secretSteps.length,
      end: () => {
        isOver = true;
      },
      failed: () => log.warn("the exchange of the secret is not at its end"),
    });
    const onStep = (step: SecretStep) => slot.toStep(step);
    this.#sealing = sealAnew({ store, database, seal, onStep, isOver: () => isOver })
      .then((sum) => {
        if (!isOver) this.#done(sum);
      })
      .catch((error: unknown) => {
        if (isOver) return;
        log.error("rows could not be sealed anew", { error: describe(error) });
        slot.fail("rows could not be written: run it again");
      });
    return work;
  }

  /** A process that has never sealed with the old secret knows that nothing is on its way. */
  #done({ rows, unreadable }: { rows: number; unreadable: number }): void {
    const { config, log } = this.#needs;
    let next: string | null = null;
    if (this.place === "variable") next = takeAway;
    else if (this.#wasExchanged) next = restart;
    else dropOldSecret(config.dataFolder);
    log.info("everything is sealed with the present secret", { rows, unreadable });
    this.#slot.done({ rows, unreadable, next });
  }
}

export function createSecrets(config: Config, control: Control): SecretDesk {
  const { seal, store, database, clock, machine, log } = control;
  const { timers } = machine;
  return new SecretDesk({ config, seal, store, database, clock, timers, log });
}
