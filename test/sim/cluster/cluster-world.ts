// A cluster under one seed: some nodes, their database, and what befalls them, checked after each
// step against the book.
import { shrinkTo } from "../actions.ts";
import { drainMicrotasks } from "bun:jsc";
import { AssertionError } from "../../../src/core/assert.ts";
import type { AccountId, KeyId } from "../../../src/core/ids.ts";
import { GatewayError } from "../../../src/core/errors.ts";
import { micros } from "../../../src/core/money.ts";
import type { CapTerms } from "../../../src/quota/cap.ts";
import type { Ask, Posted, Reservation } from "../../../src/quota/ledger.ts";
import { Dice } from "../dice.ts";
import { BrokenPromise } from "../failure.ts";
import { SimulatedTime } from "../simulated-time.ts";
import { SharedDatabase, type Flaws } from "./database.ts";
import { FreeMoney, type Asking, type Part } from "./free-money.ts";
import { LimitChanges } from "./limit-changes.ts";
import { Network } from "./network.ts";
import { SimulatedNode, ttlMs, type WrongMovement } from "./node.ts";

export interface ClusterFlaws extends Flaws {
  acknowledgesEarly?: boolean;
  leavesHoldsUnwritten?: boolean;
  /** A hold under several forgets one. */
  forgetsCap?: boolean;
  /** Wrong movement of money by a node's ledger. */
  wrongMovement?: WrongMovement;
}

interface Terms {
  account: AccountId;
  key: KeyId;
  /** Rolled where they are not said. */
  caps?: readonly CapTerms[];
}

const rich = "acc_rich" as AccountId;
/** Time after which a vendor's work leaves a trace, if the database could be asked. */
const tracedMs = 1000;
const calmRounds = 60;

export class ClusterWorld {
  readonly dice: Dice;
  readonly time = new SimulatedTime();
  readonly database: SharedDatabase;
  readonly network: Network;
  readonly terms: Terms[] = [];
  /** Every other seed has caps, rolled apart: the rest goes as it would without them. */
  readonly caps: readonly CapTerms[];
  readonly #capDice: Dice;
  readonly #limits: LimitChanges;
  nodes: SimulatedNode[] = [];
  /** From here on even the rich account is spent. */
  isEnding = false;
  /** Tasks whose hold is the account's and that nobody has ended. */
  tasks: Reservation[] = [];
  readonly counts = { admitted: 0, refused: 0, acknowledged: 0, crashes: 0 };
  /** Acknowledged requests that are not yet looked up. */
  #acknowledged: { id: string; kind: string; charged: number }[] = [];
  readonly #faults: BrokenPromise[] = [];
  readonly #freeMoney = new FreeMoney();
  /** Requests that died with their node, long after it had sent them on. */
  readonly #died: string[] = [];
  readonly #leavesHoldsUnwritten: boolean;
  readonly #forgetsCap: boolean;
  /** Caps that each request was asked for under. */
  readonly #asked = new Map<string, readonly string[]>();
  readonly #wrongMovement: WrongMovement | undefined;
  #idCount = 0;

  constructor(seed: number, flaws: ClusterFlaws) {
    this.dice = new Dice(seed);
    this.#capDice = new Dice(seed + 1_000_003);
    this.#limits = new LimitChanges(seed + 2_000_003);
    this.database = new SharedDatabase(flaws);
    this.network = new Network(this.database);
    this.network.isHasty = flaws.acknowledgesEarly === true;
    this.#leavesHoldsUnwritten = flaws.leavesHoldsUnwritten === true;
    this.#forgetsCap = flaws.forgetsCap === true;
    this.#wrongMovement = flaws.wrongMovement;
    this.#open(rich, 1_000_000);
    this.#open("acc_poor" as AccountId, this.dice.between(1, 900));
    this.#open("acc_some" as AccountId, this.dice.between(1000, 9000));
    this.caps = seed % 2 === 0 ? [] : this.#rollCaps();
    for (let left = this.dice.between(2, 3); left > 0; left--) this.#start();
    this.smooth(3);
  }

  nextId(prefix: string): string {
    return `${prefix}_${++this.#idCount}`;
  }

  get living(): SimulatedNode[] {
    return this.nodes.filter(({ isAlive, isFrozen }) => isAlive && !isFrozen);
  }

  /** Asks for money somewhere; what comes of it is told when it is known. */
  ask(node: SimulatedNode, terms: Terms, amount: number, isTask = false): Ticket {
    const { account, key, caps = this.#capsFor(account) } = terms;
    const ticket: Ticket = { reservation: null, error: null };
    const wallet = node.ledger.slices.wallet(account, key, caps);
    const id = this.nextId(isTask ? "task" : "req");
    this.#asked.set(
      id,
      caps.map((cap) => cap.id),
    );
    const facts = { id, group: "g", model: "m", price: "p", micros: micros(amount), isTask };
    // Some can do with less, where there is no more.
    const mayShrink = !isTask && !this.isEnding && amount % 5 === 0;
    const least = mayShrink ? Math.floor(amount / 7) : amount;
    const shrink = least < amount ? shrinkTo(least) : undefined;
    const asking = this.#freeMoney.ask(least, this.#partsOf(account, key, caps));
    const heard = (reservation: Reservation) => this.#admitted(node, ticket, reservation);
    try {
      const held = this.#forgetsCap && caps.length > 1 ? wallet.caps.slice(0, -1) : wallet.caps;
      const asked = { ...wallet, ...facts, shrink, caps: held };
      const admitted = node.ledger.tryAdmit(asked);
      if (admitted) heard(admitted);
      else {
        const refused = (error: unknown) => this.#refused(ticket, asking, error);
        node.ledger.admit(asked).then(heard, refused);
      }
    } catch (error) {
      this.#refused(ticket, asking, error);
    }
    return ticket;
  }

  /** Charges, or gives back. */
  close(node: SimulatedNode, reservation: Reservation): void {
    const { dice } = this;
    if (dice.chance(0.2)) return this.giveBack(node, reservation);
    const past = dice.chance(0.1) ? dice.between(1, 100) : 0;
    const actual = past > 0 ? reservation.micros + past : dice.between(0, reservation.micros);
    this.charge(node, reservation, actual);
  }

  charge(node: SimulatedNode, reservation: Reservation, actual: number): void {
    const { id } = reservation;
    const posted = node.ledger.post(reservation, micros(actual), "u");
    this.#freeMoney.charge(id, posted.charged);
    this.#hear(node, { id, posted, kind: "post" });
  }

  giveBack(node: SimulatedNode, reservation: Reservation): void {
    const { id } = reservation;
    node.ledger.void(reservation, "r").then(
      () => this.#acknowledge(node, { id, kind: "void", charged: 0 }),
      () => undefined,
    );
  }

  /** A task is ended by whichever node. */
  endTask(node: SimulatedNode): void {
    const task = this.dice.take(this.tasks);
    if (!task) return;
    const held = this.caps.filter(({ id }) => task.caps.some((cap) => cap.id === id));
    const wallet = node.ledger.slices.wallet(task.account.id, task.key.id, held);
    const ask: Ask = { ...wallet, ...factsOf(task), isTask: true };
    const adopted = node.ledger.adopt(ask);
    this.charge(node, adopted, this.dice.between(0, task.micros + 20));
  }

  /** Lowers or raises the limit of a cap, where there is any. */
  changeLimit(): void {
    this.#limits.change(this.caps, this.living, this.database.rows);
  }

  /** At rest a cap has its limit, and no node has any of it beyond that. */
  checkLimits(): void {
    this.#limits.check(this.database.rows);
  }

  crash(node: SimulatedNode): void {
    this.counts.crashes++;
    node.die();
    for (const id of node.ids) this.network.abandon(id);
    this.nodes = this.nodes.filter((other) => other !== node);
    this.#start();
  }

  /** A death in the midst of requests that their vendors have had for long, in calm weather. */
  crashLate(node: SimulatedNode): void {
    const lasting = [...node.open];
    this.pass(tracedMs);
    const { holds } = this.database.rows;
    // It forgets them where others have called it dead meanwhile.
    const open = () => lasting.filter((held) => node.open.includes(held));
    const isUnwritten = () => open().some(({ id }) => !holds.has(id));
    for (let round = 0; round < calmRounds && isUnwritten(); round++) this.smooth(1);
    this.#died.push(...open().map(({ id }) => id));
    this.crash(node);
  }

  /** Everybody whose lease has run out is dead, and some of what they had goes back. */
  reap(): void {
    this.database.reap();
    if (this.dice.chance(0.7)) this.database.fold();
  }

  /** One node hears of what was recalled. */
  recall(node: SimulatedNode): void {
    for (const subject of this.database.notices) node.ledger.slices.recall(subject);
  }

  pass(byMs: number): void {
    this.time.advance(byMs);
    this.database.nowMs += byMs;
    for (const node of this.nodes) node.ring();
    this.settle();
  }

  /** Lets everything happen that needs no outside event. */
  settle(): void {
    for (const node of this.nodes) node.endTurn();
    drainMicrotasks();
  }

  /** So many rounds in which nothing goes wrong. */
  smooth(rounds: number): void {
    for (let round = 0; round < rounds; round++) {
      this.settle();
      this.network.flush();
      for (const node of this.living) this.recall(node);
      this.database.notices.clear();
      this.settle();
      this.pass(6);
    }
  }

  check(): void {
    this.settle();
    const [fault] = this.#faults;
    if (fault) throw fault;
    const { entries } = this.database.rows;
    for (const { id, kind, charged } of this.#acknowledged) {
      const entry = entries.get(id);
      if (entry?.kind !== kind || entry.micros !== charged) {
        throw new BrokenPromise(`${kind} of ${id}, ${charged}, is ${JSON.stringify(entry)}`);
      }
      const asked = this.#asked.get(id) ?? [];
      if (entry.caps.toSorted().join(" ") !== asked.toSorted().join(" ")) {
        throw new BrokenPromise(`${id} was asked under ${asked}, and is under ${entry.caps}`);
      }
    }
    this.#acknowledged = [];
    this.database.rows.check();
  }

  /** The dead are folded, the frozen thaw, and all that was on its way is there. */
  heal(): void {
    for (const node of this.nodes) node.isFrozen = false;
    for (let round = 0; round < 5; round++) {
      this.smooth(8);
      for (const node of this.nodes) this.#voidAll(node);
      // Those who wait are served or sent away in this time.
      this.pass(ttlMs / 4);
    }
    this.smooth(8);
    this.database.nowMs += 1;
    this.database.reap();
    while (this.database.fold()) this.check();
    this.smooth(10);
    this.check();
    const { entries } = this.database.rows;
    for (const id of this.#died) {
      if (entries.get(id)?.kind !== "void") throw new BrokenPromise(`${id} left no trace`);
    }
  }

  #open(account: AccountId, granted: number): void {
    const { rows } = this.database;
    rows.accounts.set(account, { granted, available: granted, lent: 0, held: 0, spent: 0 });
    for (const limit of [null, this.dice.between(50, 1500)]) {
      const key = `key_${account}_${limit === null ? "free" : "limited"}` as KeyId;
      rows.keys.set(key, { account, limit, lent: 0, held: 0, spent: 0 });
      this.terms.push({ account, key });
    }
  }

  #rollCaps(): CapTerms[] {
    const dice = this.#capDice;
    const modes = ["hard", "stop", "hard", "watch", "hard"] as const;
    const accounts = [...new Set(this.terms.map(({ account }) => account))];
    return accounts.flatMap((accountId) =>
      modes.map((mode, at) => ({
        id: `bud_${at}/${accountId}@0`,
        budgetId: `bud_${at}`,
        accountId,
        subjectId: accountId,
        name: mode,
        mode,
        limitMicros: dice.between(100, 6000),
        openedAtMs: 0,
        closesAtMs: null,
      })),
    );
  }

  #capsFor(account: AccountId): readonly CapTerms[] {
    return this.caps.filter(({ accountId }) => accountId === account && this.#capDice.chance(0.7));
  }

  #start(): void {
    const { time, database, network } = this;
    const nextId = (prefix: string) => this.nextId(prefix);
    const leavesHoldsUnwritten = this.#leavesHoldsUnwritten;
    const wrongMovement = this.#wrongMovement;
    const asserted = (error: unknown) => void this.#faults.push(new BrokenPromise(String(error)));
    const needs = {
      time,
      database,
      network,
      nextId,
      leavesHoldsUnwritten,
      wrongMovement,
      asserted,
    };
    this.nodes.push(new SimulatedNode(needs));
    drainMicrotasks();
  }

  #admitted(node: SimulatedNode, ticket: Ticket, reservation: Reservation): void {
    this.counts.admitted++;
    const { id, account, key, caps, micros: held } = reservation;
    const from = [account.id, key.id, ...caps.map((cap) => cap.id)];
    this.#freeMoney.take({ id, micros: held, from });
    ticket.reservation = reservation;
    if (reservation.isTask) {
      reservation.kept.then(
        () => void this.tasks.push(reservation),
        () => undefined,
      );
    } else node.open.push(reservation);
  }

  #refused(ticket: Ticket, asking: Asking, error: unknown): void {
    this.counts.refused++;
    if (error instanceof AssertionError) this.#faults.push(new BrokenPromise(String(error)));
    ticket.error = error instanceof GatewayError ? error.code : String(error);
    const fault = this.#freeMoney.falselyRefused(asking, ticket.error);
    if (fault !== null) this.#faults.push(new BrokenPromise(fault));
  }

  #partsOf(account: AccountId, key: KeyId, caps: readonly CapTerms[]): Part[] {
    const { rows } = this.database;
    const granted = () => rows.accounts.get(account)?.granted ?? 0;
    const limit = () => rows.keys.get(key)?.limit ?? Infinity;
    return [
      { id: account, code: "insufficient_user_quota", isStop: false, limitMicros: granted },
      { id: key, code: "insufficient_quota", isStop: false, limitMicros: limit },
      ...caps
        .filter(({ mode }) => mode !== "watch")
        .map(({ id, mode, limitMicros }) => ({
          id,
          code: "budget_exceeded",
          isStop: mode === "stop",
          limitMicros: () => rows.caps.get(id)?.whole ?? limitMicros,
          limitChanges: () => rows.caps.get(id)?.limits ?? [],
        })),
    ];
  }

  #voidAll(node: SimulatedNode): void {
    for (const held of node.open) this.giveBack(node, held);
    node.open = [];
  }

  #hear(node: SimulatedNode, { id, posted, kind }: { id: string; posted: Posted; kind: string }) {
    posted.written.then(
      () => this.#acknowledge(node, { id, kind, charged: posted.charged }),
      () => undefined,
    );
  }

  #acknowledge(node: SimulatedNode, made: { id: string; kind: string; charged: number }): void {
    if (!node.isAlive) return;
    this.counts.acknowledged++;
    this.#freeMoney.end(made.id, made.charged);
    this.#acknowledged.push(made);
  }
}

export interface Ticket {
  reservation: Reservation | null;
  error: string | null;
}

function factsOf({ id, group, model, micros: held, price }: Reservation) {
  return { id, group, model, micros: held, price };
}
