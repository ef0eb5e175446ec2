// What clients, operators and the disk do to a world. Each action asks the reference book first
// and then demands that the ledger did just that.
import { GatewayError } from "../../src/core/errors.ts";
import { micros } from "../../src/core/money.ts";
import type { Reservation } from "../../src/quota/ledger.ts";
import { StoreError } from "../../src/store/store.ts";
import { must, mustEqual } from "./failure.ts";
import type { Machine } from "./machine.ts";
import type { World } from "./world.ts";

export interface Ask {
  account: string;
  key: string;
  micros: number;
}

/** Reserves, and demands the book's verdict. Returns whether it was admitted. */
export function ask(world: World, { account, key, micros: wanted }: Ask): string {
  const { machine, book } = world;
  const id = world.nextId("req");
  const parts = { account: machine.account(account), key: machine.key(key) };
  const expected = isOverloaded(world) ? "overloaded" : book.judge(account, key, wanted);
  const found = reserve(machine, { ...parts, id, micros: wanted });
  const verdict = typeof found === "string" ? found : "admitted";
  world.note(`ask ${id} ${key} ${wanted}: ${verdict}`);
  const isExcused = verdict === "overloaded" && isStalled(world);
  if (!isExcused) mustEqual(verdict, expected, `${id} for ${wanted} with ${key}`);
  if (typeof found === "string") return verdict;
  machine.open.push(found);
  world.record({ kind: "hold", hold: { id, account, key, micros: wanted } }, found.written);
  return verdict;
}

type Parts = Pick<Reservation, "id" | "account" | "key"> & { micros: number };

function reserve(machine: Machine, parts: Parts): Reservation | string {
  try {
    const amount = micros(parts.micros);
    return machine.ledger.reserve({ ...parts, micros: amount, group: "g", model: "m", price: "p" });
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

function isOverloaded({ machine, waiting, weather }: World): boolean {
  return machine.isFaulted || waiting.length > weather.limits.queueMax;
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

/** Less than what a ledger waits before it lets go. */
export const grantWaitMsMax = 4000;

export interface Gift {
  id: string;
  account: string;
  micros: number;
}

/** Grants, and demands that it is answered with the book's amount and not before it is safe. */
export function grant(world: World, { id, account, micros: wanted }: Gift): void {
  const { machine, book } = world;
  const balance = machine.account(account);
  const amount = book.grantFor(account, wanted);
  const isRefused = isOverloaded(world);
  // Operators do not grant while the journal lags: it may let them go without an answer.
  if (!isRefused && (isStalled(world) || world.oldestWaitMs > grantWaitMsMax)) return;
  world.note(`grant ${id} ${account} ${wanted}${isRefused ? ": overloaded" : ""}`);
  const request = { id, account: balance, micros: micros(wanted), reason: "top-up", actor: "op" };
  const granted = machine.ledger.grant(request);
  if (isRefused) {
    granted.then(
      () => machine.complaints.push(`${id} was granted by an overloaded ledger`),
      () => undefined,
    );
    return;
  }
  const told = granted.then(
    (found) => found === amount || machine.complaints.push(`${id} granted ${found}`),
    (error: unknown) => machine.complaints.push(`${id} was refused: ${error}`),
  );
  world.record({ kind: "grant", id, account, micros: amount }, told);
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
  const { dice, machine, weather } = world;
  if (world.outageLeft === 0 && dice.chance(weather.outage)) {
    world.outageLeft = dice.between(1, 6);
    world.disk.setFull(true);
  }
  const isRefused = world.outageLeft > 0 && dice.chance(0.7);
  world.note(isRefused ? "disk refuses" : "disk");
  world.passTime(dice.between(0, 2));
  machine.journal.step(isRefused ? "refused" : "smooth");
  if (dice.chance(0.5)) machine.journal.step("smooth");
  if (dice.chance(world.outageLeft > 0 ? 0.5 : weather.apply)) apply(world);
  if (world.outageLeft > 0 && --world.outageLeft === 0) world.endOutage();
}

/** The database takes over the journal's records; if it is full, they stay where they are. */
function apply(world: World): void {
  try {
    world.disk.commit([]);
    world.note("applied");
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== "full") throw error;
    world.note("not applied: full");
  }
}
