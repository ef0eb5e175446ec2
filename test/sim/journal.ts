// The way from a ledger to the disk and back, in steps, so that a crash can fall between any two.
import type { JournalWrite } from "../../src/quota/ledger.ts";
import { ledgerProgram } from "../../src/quota/queries.ts";
import { StoreError, type ProgramRun } from "../../src/store/store.ts";
import type { Disk } from "./disk.ts";

interface Parcel {
  write: JournalWrite;
  resolve(): void;
  reject(error: StoreError): void;
  outcome: "waiting" | "written" | "refused";
}

export class Journal {
  readonly #disk: Disk;
  #parcels: Parcel[] = [];
  #isCut = false;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  get isIdle(): boolean {
    return this.#parcels.length === 0;
  }

  write(write: JournalWrite): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (!this.#isCut) this.#parcels.push({ write, resolve, reject, outcome: "waiting" });
    return promise;
  }

  /** Takes the oldest batch one step on: to the disk, or its outcome back to the ledger. */
  step(passage: "smooth" | "refused"): void {
    const [parcel] = this.#parcels;
    if (!parcel) return;
    if (parcel.outcome === "waiting") {
      if (passage === "smooth") this.#disk.append(toRun(parcel.write), parcel.write.sync);
      parcel.outcome = passage === "smooth" ? "written" : "refused";
      return;
    }
    this.#parcels.shift();
    if (parcel.outcome === "written") parcel.resolve();
    else parcel.reject(new StoreError("full", "there is no space left"));
  }

  /** Nothing the process says is heard any more. Returns what it was about to write. */
  cut(): ProgramRun | null {
    this.#isCut = true;
    const waiting = this.#parcels.find(({ outcome }) => outcome === "waiting");
    this.#parcels = [];
    return waiting ? toRun(waiting.write) : null;
  }
}

function toRun({ document }: JournalWrite): ProgramRun {
  return { program: ledgerProgram, document };
}
