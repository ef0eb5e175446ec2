// Acts of clients, operators and the disk on a world. Each action asks the reference book first and
// then demands that the ledger did just that.
import { drainMicrotasks } from "bun:jsc";
import { GatewayError } from "../../src/core/errors.ts";
import { micros } from "../../src/core/money.ts";
import { usageRow } from "../../src/observe/fixtures/log-database.ts";
import { encodeRecords, toRecord } from "../../src/observe/queries.ts";
import type { Wallet } from "../../src/quota/balance.ts";
import type { Reservation, Shrink } from "../../src/quota/ledger.ts";
import type { CapTerm, Decision } from "./book.ts";
import { lookOnDisk } from "./checks.ts";
import { must, mustEqual } from "./failure.ts";
import type { Machine } from "./machine.ts";
import type { World } from "./world.ts";

export interface Ask {
  account: string;
  key: string;
  micros: number;
  /** Caps that it is held under; rolled where they are not said. */
  caps?: readonly CapTerm[];
  /** Least that it can do with. */
  least?: number;
}

/** Reserves, and demands the book's verdict. Returns whether it was admitted. */
export function ask(world: World, asked: Ask): string {
  const { account, key, micros: wanted, least = wanted } = asked;
  const { machine, book, dice } = world;
  const terms = asked.caps ?? world.rollCaps(account);
  const wallet = { account, key, caps: terms };
  const parts = dice.chance(0.05) ? recall(machine, wallet) : find(machine, wallet);
  if (!parts) return "forgetting";
  const caps = terms.map(({ id }) => id);
  const id = world.nextId("req");
  const { account: payer, key: spender } = parts;
  const isGone = [payer, spender, ...parts.caps].some(({ isForgotten }) => isForgotten);
  const isRefused = isGone || isOverloaded(world);
  const shrink = least < wanted ? shrinkTo(least) : undefined;
  const { verdict: judged, held } = book.judgeLeast({ account, key, caps, micros: wanted }, least);
  const expected = isRefused ? "overloaded" : judged;
  const found = reserve(machine, { ...parts, id, micros: wanted, shrink });
  const verdict = typeof found === "string" ? found : "admitted";
  world.note(`ask ${id} ${key} ${caps} ${wanted}, at least ${least}: ${verdict}`);
  const isExcused = verdict === "overloaded" && isStalled(world);
  if (!isExcused) mustEqual(verdict, expected, `${id} for ${wanted} with ${key}`);
  if (typeof found === "string") return verdict;
  mustEqual(found.micros, held, `${id} holds of ${wanted} with ${key}`);
  machine.open.push(found);
  // Some do not wait for their hold: they answer once, and wait for what they paid.
  const decision: Decision = { kind: "hold", hold: { id, account, key, micros: held, caps } };
  if (dice.chance(0.6)) world.record(decision, found.written);
  else world.recordSilent(decision, found);
  return verdict;
}

/** All that is there. */
export function shrinkTo(least: number): Shrink {
  return {
    leastMicros: micros(least),
    within: (room) => (room >= least ? micros(room) : null),
  };
}

interface WalletNames {
  account: string;
  key: string;
  caps: readonly CapTerm[];
}

function find(machine: Machine, names: WalletNames): Wallet | null {
  const account = machine.account(names.account);
  const key = account && machine.key(names.key);
  if (!key) return null;
  const caps = names.caps.flatMap((term) => machine.cap(names.key, term) ?? []);
  return caps.length === names.caps.length ? { account, key, caps } : null;
}

/** A wallet fetched a while ago, which may have become a copy that nobody must use. */
function recall(machine: Machine, names: WalletNames): Wallet | null {
  const account = machine.accounts.get(names.account);
  const key = machine.keys.get(names.key);
  const caps = names.caps.flatMap(({ id }) => machine.caps.get(id) ?? []);
  return account && key && caps.length === names.caps.length ? { account, key, caps } : null;
}

type Parts = Pick<Reservation, "id" | "account" | "key" | "caps" | "shrink"> & { micros: number };

function reserve(machine: Machine, parts: Parts): Reservation | string {
  try {
    const amount = micros(parts.micros);
    return machine.ledger.tryAdmit({
      ...parts,
      micros: amount,
      group: "g",
      model: "m",
      price: "p",
    });
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

function isOverloaded({ machine, queueLength, weather }: World): boolean {
  return machine.isFaulted || queueLength > weather.limits.queueMax;
}

/** Whether something has waited so long that new work may be refused. */
function isStalled(world: World): boolean {
  return world.oldestWaitMs > world.weather.limits.stallMs;
}

/** Posts or voids a random open reservation. */
export function close(world: World): void {
  const { machine, dice, book } = world;
  const reservation = dice.take(machine.open);
  if (!reservation) return;
  machine.closed.push(reservation);
  const { id } = reservation;
  if (dice.chance(0.3)) {
    world.note(`void ${id}`);
    world.record({ kind: "void", id, loss: 0 }, machine.ledger.void(reservation, "failed"));
    machine.ledger.record(recordOf(reservation, 0), false);
    return;
  }
  const hold = book.open.get(id);
  must(hold !== undefined, () => `the simulation lost ${id}`);
  const actual = rollActual(world, hold.micros);
  const expected = book.chargeFor(hold, actual);
  const { charged, written } = machine.ledger.post(reservation, micros(actual), rollUsage(world));
  world.note(`post ${id} ${actual}: ${charged}`);
  mustEqual(charged, expected, `charge of ${id} for ${actual} of ${hold.micros} held`);
  world.record({ kind: "post", id, micros: expected, loss: actual - expected }, written);
  machine.ledger.record(recordOf(reservation, charged), true);
}

/** The log's record of a request. */
function recordOf({ id, account, key }: Reservation, charged: number) {
  return toRecord(usageRow({ id, account_id: account.id, key_id: key.id, micros: charged }));
}

function rollActual({ dice }: World, held: number): number {
  return dice.pick([0, dice.between(0, held), held, held + dice.between(1, 40), held * 3 + 500]);
}

/** Now and then as long as several pages of the database. */
function rollUsage({ dice }: World): string {
  return dice.chance(0.2) ? "u".repeat(dice.between(1000, 20_000)) : "{}";
}

/** Closes what is closed: the first close stands and nothing is written. */
export function closeAgain(world: World): void {
  const { machine, dice } = world;
  if (machine.closed.length === 0) return;
  const reservation = dice.pick(machine.closed);
  world.note(`close again ${reservation.id}`);
  machine.secondCloses++;
  if (dice.chance(0.5)) void machine.ledger.void(reservation, "again");
  else mustEqual(machine.ledger.post(reservation, micros(7), "{}").charged, 0, "a second charge");
}

/** The stream of a dead process ends late: the book of the living must not notice. */
export function closeDead(world: World): void {
  const { dice } = world;
  const late = dice.take(world.dead);
  if (!late) return;
  const { machine, reservation } = late;
  world.note(`late close of ${reservation.id}`);
  if (dice.chance(0.5)) void machine.ledger.void(reservation, "late");
  else machine.ledger.post(reservation, micros(dice.between(0, 100)), "{}");
}

export interface Gift {
  id: string;
  account: string;
  micros: number;
}

/** Grants, and demands that it is answered with the book's amount and not before it is safe. */
export function grant(world: World, { id, account, micros: wanted }: Gift): void {
  const { machine, book } = world;
  const balance = machine.account(account);
  if (!balance) return;
  const amount = book.grantFor(account, wanted);
  const isInLine = world.waiting.some(
    ({ decision }) => decision.kind === "grant" && decision.id === id,
  );
  const isRefused = isOverloaded(world) || isInLine;
  const request = { id, account: balance, micros: micros(wanted), reason: "top-up", actor: "op" };
  const granted = machine.ledger.grant(request);
  // A fault found here leaves the rest unheard.
  granted.catch(() => undefined);
  const wasRefused = Bun.peek.status(granted) === "rejected";
  world.note(`grant ${id} ${account} ${wanted}${wasRefused ? ": refused" : ""}`);
  if (!isStalled(world)) mustEqual(wasRefused, isRefused, `${id} refused`);
  const told = granted.then(
    (found) => found === amount || machine.complaints.push(`${id} granted ${found}`),
    (error: unknown) => wasRefused || machine.complaints.push(`${id} failed: ${error}`),
  );
  if (!wasRefused) world.record({ kind: "grant", id, account, micros: amount }, told);
}

/** A sender who cannot wait sends a grant again that is still on its way. */
export function grantAgain(world: World): void {
  const inLine = world.waiting.flatMap(({ decision }) =>
    decision.kind === "grant" ? [decision] : [],
  );
  if (inLine.length > 0) grant(world, world.dice.pick(inLine));
}

/** A record comes into the journal that can never be applied. */
export function poison(world: World): void {
  const { machine, poisons, dice } = world;
  const taken = world.history
    .first(world.history.acknowledgedCount)
    .find(({ decision }) => decision.kind === "grant");
  if (taken?.decision.kind !== "grant") return;
  // A refused record must not be in the log either.
  const logged = encodeRecords([usageRow({ id: "poison", micros: 1 })]);
  const run = { ...poisons.brew(taken.decision.id, taken.decision.account), logged };
  world.note("poison");
  void machine.base.journal.append(run, dice.chance(0.5)).then(
    () => machine.isAlive && poisons.kept(run),
    () => undefined,
  );
}

/** Someone reads their own writes: what was acknowledged shows once the journal is applied. */
export function readBack(world: World): void {
  const { machine, history, disk, dice } = world;
  const { journal } = machine.base;
  const promised = history.first(history.acknowledgedCount).slice(-8);
  const shows = () => {
    if (!machine.isAlive) return;
    const isOnDisk = lookOnDisk(disk);
    const missing = promised.find(({ decision }) => !isOnDisk(decision));
    if (missing) machine.complaints.push(`not applied: ${JSON.stringify(missing)}`);
  };
  world.note("read back");
  const applied = dice.chance(0.5)
    ? journal.apply()
    : journal.commit([{ sql: "select 1", parameters: [] }]);
  void applied.then(shows, () => undefined);
}

/** The sender of a grant that was never answered looks for it, and tries again under its id. */
export function retryGrant(world: World): void {
  const { dice, book } = world;
  const gift = dice.take(world.unanswered);
  if (!gift || book.entries.has(gift.id)) return;
  grant(world, gift);
}

/** Lets the disk work, or not: while it is full it refuses the journal or the database. */
export function stepDisk(world: World): void {
  const { dice, machine, weather, disk } = world;
  if (world.outageLeft === 0 && dice.chance(weather.outage)) {
    world.outageLeft = dice.between(1, 6);
    disk.setFull(true);
    world.note("outage");
  }
  const isRefused = world.outageLeft > 0 && dice.chance(0.5);
  world.passTime(dice.pick([0, 1, 5, 25, 120]));
  for (let left = dice.between(1, 3); left > 0; left--) {
    const passage = isRefused ? "refused" : "smooth";
    if (dice.chance(weather.threadPace)) machine.base.thread.step(passage);
    const isLogRefused = isRefused || dice.chance(weather.syncFault);
    if (dice.chance(weather.threadPace)) {
      machine.base.logThread.step(isLogRefused ? "refused" : "smooth");
    }
    const isUnsynced = isRefused || dice.chance(weather.syncFault);
    if (dice.chance(weather.syncPace)) {
      disk.folder.step(isUnsynced ? "refused" : "smooth");
      if (isUnsynced) world.hadSyncFault = true;
    }
    drainMicrotasks();
    world.history.checkAcknowledged();
  }
  world.note(isRefused ? "disk refuses" : "disk");
  if (dice.chance(weather.apply)) readBack(world);
  if (world.outageLeft > 0 && --world.outageLeft === 0) world.endOutage();
}
