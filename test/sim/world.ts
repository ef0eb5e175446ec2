// The state of one simulated world, and what befalls its process: death, loss of power, a start.
import { drainMicrotasks } from "bun:jsc";
import type { Reservation } from "../../src/quota/ledger.ts";
import { StoreError, type Store } from "../../src/store/store.ts";
import { Base } from "./base.ts";
import type { CapTerm, Decision, Terms } from "./book.ts";
import type { Build } from "./build.ts";
import { checkDisk, checkLog, checkMemory, excuseUnlogged, lookOnDisk } from "./checks.ts";
import type { Dice } from "./dice.ts";
import { Disk } from "./disk.ts";
import { must, mustEqual } from "./failure.ts";
import { History, type Made } from "./history.ts";
import { Machine } from "./machine.ts";
import { Poisons } from "./poisons.ts";
import { SimulatedTime } from "./simulated-time.ts";
import { rollCapTerms, rollTerms, rollWeather, type Weather } from "./weather.ts";

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
  readonly poisons = new Poisons();
  readonly trace: string[] = [];
  /** Reservations of processes that died, whose streams may still end in some callback. */
  dead: DeadReservation[] = [];
  /** Grants whose senders never got an answer. */
  unanswered: Extract<Decision, { kind: "grant" }>[] = [];
  machine: Machine;
  outageLeft = 0;
  /** Whether a sync failed in the life of this process. */
  hadSyncFault = false;
  /** Charges that the log lost with the power, because the journal could not be synced before. */
  readonly unlogged = new Set<string>();
  crashes = 0;
  powerLosses = 0;
  decisionCount = 0;
  #idCount = 0;
  readonly #capDice: Dice | null;

  /** With dice for them there are caps, rolled apart: the rest goes as it would without them. */
  constructor(dice: Dice, build: Build, capDice: Dice | null = null) {
    this.dice = dice;
    this.build = build;
    this.weather = rollWeather(dice);
    this.#capDice = capDice;
    const rolled: Terms = rollTerms(dice);
    const terms: Terms = { ...rolled, caps: capDice ? rollCapTerms(capDice, rolled) : [] };
    this.history = new History(terms);
    this.disk = new Disk({ terms, program: build.program, dice });
    this.machine = this.#serve(this.#open());
  }

  /** Caps that a request of the account is held under. */
  rollCaps(account: string): CapTerm[] {
    const dice = this.#capDice;
    if (!dice) return [];
    return this.book.terms.caps.filter((cap) => cap.account === account && dice.chance(0.8));
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
    if (decision.kind === "post" || decision.kind === "void") machine.spare(decision.id);
    else machine.lineUp();
    const made = history.record(decision, this.time.monotonicMs());
    this.#count(machine);
    void told.then((answer) => {
      if (!machine.isAlive) return;
      if (answer === false) history.letGo(made);
      else history.acknowledge(made);
    });
  }

  /** Records a hold that nobody waits for. */
  recordSilent(decision: Decision, reservation: Reservation): void {
    const made = this.history.holdSilently(decision, this.time.monotonicMs());
    this.machine.silent.push({ reservation, made });
  }

  #count(machine: Machine): void {
    machine.decisionCount++;
    this.decisionCount++;
  }

  /** Decisions of this process that were not yet told to be written. */
  get waiting(): Made[] {
    this.machine.lineUp();
    const { decisionCount, answeredCount } = this.machine;
    return this.history.latest(decisionCount - answeredCount);
  }

  /** Number of lines that makes. */
  get queueLength(): number {
    return this.waiting.filter(({ isSpared }) => !isSpared).length;
  }

  get oldestWaitMs(): number {
    const [oldest] = this.waiting;
    return oldest ? this.time.monotonicMs() - oldest.madeAtMs : 0;
  }

  /** Lets everything happen that needs no outside event, then compares. */
  check(): void {
    const { machine } = this;
    drainMicrotasks();
    mustEqual(machine.complaints, [], "answers");
    this.history.checkAcknowledged();
    this.poisons.hear(machine.base, true);
    checkMemory(machine, this.book);
    mustEqual(machine.ledger.queueLength, this.queueLength, "decisions in line");
    mustEqual(machine.ledger.closedTwice, machine.secondCloses, "second closes counted");
  }

  /** A healthy disk takes everything; then memory, disk and book are the same. */
  quiesce(): void {
    this.endOutage();
    const { base, ledger } = this.machine;
    // Nobody waits for some of the holds, so they are asked for.
    void ledger.settled();
    for (let round = 0; round < 50; round++) {
      this.machine.endTurn();
      if (base.isIdle && this.waiting.length === 0) break;
      base.stepSmoothly();
      drainMicrotasks();
      this.history.checkAcknowledged();
      if (base.isIdle) this.passTime(500);
    }
    this.check();
    mustEqual(this.waiting, [], "left unwritten by a healthy disk");
    mustEqual(base.drive(base.journal.applyLog()), {}, "applied by a healthy disk");
    this.check();
    checkDisk(this.disk, this.book);
    checkLog(this);
    mustEqual(base.lostRecords, [], "records that the log was told to do without");
    this.poisons.checkReported();
    this.poisons.checkFile(this.disk);
  }

  passTime(byMs: number): void {
    this.machine.endTurn();
    this.time.advance(byMs);
    this.machine.base.timers.ringDue();
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
    machine.kill(this.dice.chance(0.5));
    for (const reservation of machine.open) this.dead.push({ machine, reservation });
    this.dead = this.dead.slice(-deadKept);
    this.endOutage();
    this.poisons.hear(machine.base, true);
    if (losesPower) this.disk.folder.losePower();
    const base = this.#open(!losesPower);
    const lost = this.history.survive(lookOnDisk(this.disk), !losesPower);
    this.unanswered.push(...lost.filter((decision) => decision.kind === "grant"));
    checkDisk(this.disk, this.book);
    if (losesPower && this.hadSyncFault) excuseUnlogged(this);
    this.hadSyncFault = false;
    checkLog(this);
    this.poisons.checkReported();
    this.poisons.checkFile(this.disk);
    this.#recover(base);
    this.machine = this.#serve(base);
    this.check();
  }

  /** Starts may die as well, by a kill or with the power; the next one goes on from there. */
  #open(hadPower = true): Base {
    const { build, disk, time, dice } = this;
    while (dice.chance(0.2)) {
      const dying = new Base({ build, disk, time });
      dying.open(dice.between(0, 6));
      dying.kill();
      this.poisons.hear(dying, hadPower);
      if (!hadPower && dice.chance(0.5)) disk.folder.losePower();
    }
    const base = new Base({ build, disk, time });
    must(base.open(), () => "a start does not end");
    this.poisons.hear(base, hadPower);
    return base;
  }

  #serve(base: Base): Machine {
    const { build, time, weather } = this;
    const { limits, isHasty, balancesMax } = weather;
    const machine: Machine = new Machine({
      base,
      build,
      time,
      limits,
      isHasty,
      balancesMax,
      linedUp: (made, isSpared) => {
        this.history.lineUp(made, time.monotonicMs(), isSpared);
        this.#count(machine);
      },
    });
    return machine;
  }

  /** Recovery may fail, or die once its work is done; the next one goes on from there. */
  #recover(base: Base): void {
    const voids = [...this.book.open.values()].map(({ id, micros }): Decision => ({
      kind: "void",
      id,
      loss: micros,
    }));
    const { store } = base;
    const full: Store["append"] = () =>
      Promise.reject(new StoreError("full", "there is no space left"));
    const dead: Store["append"] = async (run, gate) => {
      await store.append(run, gate);
      throw new StoreError("closed", "the process died here");
    };
    if (this.dice.chance(0.2)) {
      this.#attemptRecovery(base, full);
      checkDisk(this.disk, this.book);
    }
    const diedLate = this.dice.chance(0.2);
    if (diedLate) this.#attemptRecovery(base, dead);
    const count = this.#attemptRecovery(base, store.append);
    mustEqual(count, { value: diedLate ? 0 : voids.length }, "holds given back");
    this.history.recordRecovered(voids, this.time.monotonicMs());
    checkDisk(this.disk, this.book);
    must(this.book.open.size === 0, () => "a hold outlived recovery");
    if (this.dice.chance(0.3)) {
      mustEqual(this.#attemptRecovery(base, store.append), { value: 0 }, "recovery run again");
      checkDisk(this.disk, this.book);
    }
  }

  #attemptRecovery(base: Base, append: Store["append"]) {
    const settled = base.drive(this.build.recover({ ...base.store, append }, this.time.nowMs()));
    if (!settled || !("error" in settled)) return settled;
    const { error } = settled;
    // SQL that is wrong is no broken promise, but a broken test.
    if (!(error instanceof StoreError) || error.kind === "other") throw error;
    return { error: String(error) };
  }
}
