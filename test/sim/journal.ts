// The way from a ledger to the disk and back, in steps, so that a crash can fall between any two.
import type { JournalWrite } from "../../src/quota/ledger.ts";
import { ledgerProgram } from "../../src/quota/queries.ts";
import { toStoreError } from "../../src/store/sqlite/connection.ts";
import { StoreError } from "../../src/store/store.ts";
import type { Disk } from "./disk.ts";

interface Parcel {
  write: JournalWrite;
  resolve(): void;
  reject(error: StoreError): void;
  outcome: "waiting" | "done" | StoreError;
}

/** What happens to a batch on its way: the last one is written, but the answer says it was not. */
export type Passage = "smooth" | "refused" | "misreported";

export class Journal {
  readonly #disk: Disk;
  #parcels: Parcel[] = [];
  #isCut = false;
  isFaulted = false;

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
  step(passage: Passage): void {
    const [parcel] = this.#parcels;
    if (!parcel) return;
    if (parcel.outcome === "waiting") {
      parcel.outcome = passage === "refused" ? noSpace() : this.#commit(parcel.write, passage);
      return;
    }
    this.#parcels.shift();
    this.isFaulted = parcel.outcome !== "done";
    if (parcel.outcome === "done") parcel.resolve();
    else parcel.reject(parcel.outcome);
  }

  /** The process is dead: nothing it says is heard any more, and nothing is answered. */
  cut(): void {
    this.#isCut = true;
    this.#parcels = [];
  }

  #commit({ document, counts, sync }: JournalWrite, passage: Passage): "done" | StoreError {
    try {
      this.#disk.commit({ program: ledgerProgram, document, counts }, [], sync);
      return passage === "misreported" ? new StoreError("io", "the answer was lost") : "done";
    } catch (error) {
      return toStoreError(error);
    }
  }
}

function noSpace(): StoreError {
  return new StoreError("full", "there is no space left");
}
