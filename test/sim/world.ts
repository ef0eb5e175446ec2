// The state of one simulated world, and what befalls its process: death, loss of power, a start.
import { drainMicrotasks } from "bun:jsc";
import type { Reservation } from "../../src/quota/ledger.ts";
import { StoreError, type Store } from "../../src/store/store.ts";
import type { Decision, Terms } from "./book.ts";
import type { Build } from "./build.ts";
import { checkDisk, checkInvariants, checkMemory, lookOnDisk } from "./checks.ts";
import type { Dice } from "./dice.ts";
import { Disk } from "./disk.ts";
import { must, mustEqual } from "./failure.ts";
import { History, type Made } from "./history.ts";
import { Machine, settle, storeOn } from "./machine.ts";
import { SimulatedTime } from "./simulated-time.ts";
import { rollTerms, rollWeather, type Weather } from "./weather.ts";

const deadKept = 20;

export interface DeadReservation {
  machine: Machine;
  reservation: Reservation;
}

export class World {
  readonly dice: Dice;
  readonly build: Build;
  readonly weather: Weather;
  readonly time = new SimulatedTime();
  readonly history: History;
  readonly disk: Disk;
  readonly trace: string[] = [];
  /** Reservations of processes that died, whose streams may still end in some callback. */
  dead: DeadReservation[] = [];
  /** Grants whose senders never got an answer. */
  unanswered: Extract<Decision, { kind: "grant" }>[] = [];
  machine: Machine;
  outageLeft = 0;
  crashes = 0;
  powerLosses = 0;
  decisionCount = 0;
  #idCount = 0;

  constructor(dice: Dice, build: Build, journalPath: string) {
    this.dice = dice;
    this.build = build;
    this.weather = rollWeather(dice);
    const terms: Terms = rollTerms(dice);
    this.history = new History(terms);
    const synced = () => this.history.markSynced();
    this.disk = new Disk({ terms, program: build.program, journalPath, synced });
    this.machine = this.#start();
  }

  get book(): History["book"] {
    return this.history.book;
  }

  note(event: string): void {
    this.trace.push(event);
  }

  nextId(prefix: string): string {
    return `${prefix}_${++this.#idCount}`;
  }

  /** Records a decision, and what its maker is told of it if their process lives to hear. */
  record(decision: Decision, told: Promise<unknown>): void {
    const { machine, history } = this;
    const made = history.record(decision, this.time.monotonicMs());
    machine.decisionCount++;
    this.decisionCount++;
    void told.then((answer) => {
      if (!machine.isAlive) return;
      if (answer === false) history.letGo(made);
      else history.acknowledge(made);
    });
  }

  /** What this process decided and was not yet told to be written. */
  get waiting(): Made[] {
    const { decisionCount, answeredCount } = this.machine;
    return this.history.latest(decisionCount - answeredCount);
  }

  get oldestWaitMs(): number {
    const [oldest] = this.waiting;
    return oldest ? this.time.monotonicMs() - oldest.madeAtMs : 0;
  }

  /** Lets everything happen that needs no outside event, then compares. */
  check(): void {
    drainMicrotasks();
    mustEqual(this.machine.complaints, [], "answers");
    this.history.checkAcknowledged();
    checkMemory(this.machine, this.book);
    mustEqual(this.machine.ledger.closedTwice, this.machine.secondCloses, "second closes counted");
  }

  /** A healthy disk takes everything; then memory, disk and book are the same. */
  quiesce(): void {
    this.endOutage();
    for (let round = 0; round < 50; round++) {
      drainMicrotasks();
      if (this.machine.journal.isIdle && this.waiting.length === 0) break;
      this.machine.journal.step("smooth");
      drainMicrotasks();
      this.history.checkAcknowledged();
      if (this.machine.journal.isIdle) this.passTime(500);
    }
    this.check();
    mustEqual(this.waiting, [], "left unwritten by a healthy disk");
    this.disk.commit([]);
    checkDisk(this.disk, this.book);
    checkInvariants(this.disk);
  }

  passTime(byMs: number): void {
    this.time.advance(byMs);
    this.machine.timers.ringDue();
    drainMicrotasks();
  }

  endOutage(): void {
    this.outageLeft = 0;
    this.disk.setFull(false);
  }

  /** The process dies at this very instant; what was synced or written decides what is left. */
  crash(losesPower: boolean): void {
    this.note(losesPower ? "power loss" : "crash");
    this.crashes++;
    if (losesPower) this.powerLosses++;
    const { machine } = this;
    const writing = machine.kill();
    for (const reservation of machine.open) this.dead.push({ machine, reservation });
    this.dead = this.dead.slice(-deadKept);
    this.endOutage();
    if (losesPower) this.disk.losePower(this.dice);
    else this.disk.dieWriting(writing, this.dice);
    drainMicrotasks();
    this.disk.start();
    const lost = this.history.survive(lookOnDisk(this.disk), !losesPower);
    this.unanswered.push(...lost.filter((decision) => decision.kind === "grant"));
    checkDisk(this.disk, this.book);
    this.#recover();
    this.machine = this.#start();
    this.check();
  }

  #start(): Machine {
    const { build, disk, time, weather } = this;
    return new Machine({ build, disk, time, limits: weather.limits });
  }

  /** A start may fail, or die once its work is done; the next one goes on from there. */
  #recover(): void {
    const voids = [...this.book.open.values()].map(({ id, micros }): Decision => ({
      kind: "void",
      id,
      loss: micros,
    }));
    const wasFull = this.dice.chance(0.2);
    if (wasFull) {
      this.#attemptRecovery(() => {
        throw new StoreError("full", "there is no space left");
      });
      checkDisk(this.disk, this.book);
    }
    const diedLate = this.dice.chance(0.2);
    if (diedLate) {
      this.#attemptRecovery((commit) => {
        commit();
        throw new StoreError("closed", "the process died here");
      });
    }
    const count = this.#attemptRecovery((commit) => commit());
    mustEqual(count, { value: diedLate ? 0 : voids.length }, "holds given back");
    this.history.recordRecovered(voids, this.time.monotonicMs());
    checkDisk(this.disk, this.book);
    must(this.book.open.size === 0, () => "a hold outlived recovery");
    if (this.dice.chance(0.3)) {
      mustEqual(
        this.#attemptRecovery((commit) => commit()),
        { value: 0 },
        "recovery run again",
      );
      checkDisk(this.disk, this.book);
    }
  }

  #attemptRecovery(intercept: (commit: () => unknown) => unknown) {
    const store: Store = storeOn(this.disk, intercept);
    const settled = settle(this.build.recover(store, this.time.nowMs()));
    if (!("error" in settled)) return settled;
    const { error } = settled;
    // SQL that is wrong is no broken promise, but a broken test.
    if (!(error instanceof StoreError) || error.kind === "other") throw error;
    return { error: String(error) };
  }
}
