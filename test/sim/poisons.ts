// Records that the database must refuse, slipped into the journal: what becomes of them, and that
// nothing else is ever set aside.
import { ledgerProgram } from "../../src/quota/queries.ts";
import { rejectedFileName } from "../../src/store/sqlite/rejected-records.ts";
import type { ProgramRun } from "../../src/store/store.ts";
import type { Base } from "./base.ts";
import type { Disk } from "./disk.ts";
import { must, mustEqual } from "./failure.ts";

export class Poisons {
  readonly #all = new Set<string>();
  /** Those that a process was told to be kept and that were not reported yet. */
  readonly #owed = new Set<string>();
  readonly #reported = new Set<string>();

  /** A grant under an id that is taken. */
  brew(takenId: string, account: string): ProgramRun {
    const reason = `poison ${this.#all.size}`;
    const cells = [takenId, "grant", account, null, null, null, 0, 0, 0, null, null, reason];
    const document = JSON.stringify({ entries: [[...cells, "op", 0]] });
    this.#all.add(document);
    return { program: ledgerProgram, document };
  }

  kept({ document }: ProgramRun): void {
    if (!this.#reported.has(document)) this.#owed.add(document);
  }

  /** Hears what a process has set aside. Only a loss of power may make that more than poison. */
  hear(base: Base, hadPower: boolean): void {
    for (const { run, error } of base.rejections.splice(0)) {
      const isPoison = this.#all.has(run.document);
      must(isPoison, () => `set aside: ${error.message}: ${run.document}`);
      this.#hearOf(run);
    }
    for (const run of base.orphans.splice(0)) {
      must(!hadPower, () => `orphaned without a loss of power: ${run.document}`);
      this.#hearOf(run);
    }
    if (!hadPower) this.#owed.clear();
    mustEqual(base.damages, [], "torn, and taken for damaged");
  }

  #hearOf({ document }: ProgramRun): void {
    this.#owed.delete(document);
    this.#reported.add(document);
  }

  /** Everything that was set aside is there for a person to read. */
  checkFile(disk: Disk): void {
    const text = disk.folder.textOf(rejectedFileName);
    const missing = [...this.#reported].filter((document) => !text.includes(document));
    mustEqual(missing, [], "reported and not kept aside");
  }

  /** Once all is applied, none is left in silence. */
  checkReported(): void {
    mustEqual([...this.#owed], [], "poison that was not reported");
  }
}
