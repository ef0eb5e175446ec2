// Accounts whose requests keep using more than their wallet pays for. Only what was delivered or
// can have been read counts, never what a vendor claims beyond that: nobody is hit for a lie.
import type { AccountBalance } from "./balance.ts";

/** So often at least, so that one long answer at the end of a wallet is nothing. */
const timesLeast = 5;
/** A tenth of what the account has ever paid is more than slack. */
const partOfSpent = 10;
const accountsMax = 10_000;

interface Overrun {
  times: number;
  micros: number;
}

export class Overruns {
  readonly #byAccount = new Map<string, Overrun>();

  /** True once the account is to wait for an operator. */
  note({ id, spentMicros }: Pick<AccountBalance, "id" | "spentMicros">, micros: number): boolean {
    const overrun = this.#byAccount.get(id) ?? { times: 0, micros: 0 };
    overrun.times++;
    overrun.micros += micros;
    if (overrun.times >= timesLeast && overrun.micros * partOfSpent > spentMicros) {
      this.#byAccount.delete(id);
      return true;
    }
    if (this.#byAccount.size >= accountsMax) this.#byAccount.clear();
    this.#byAccount.set(id, overrun);
    return false;
  }
}
