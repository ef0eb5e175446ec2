// What clients, operators and the disk do to a world. Each action asks the reference book first
// and then demands that the ledger did just that.
import { GatewayError } from "../../src/core/errors.ts";
import { micros } from "../../src/core/money.ts";
import type { Reservation } from "../../src/quota/ledger.ts";
import { must, mustEqual } from "./failure.ts";
import type { Passage } from "./journal.ts";
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
  const expected = isOverloaded(world) ? "overloaded" : book.judge(account, key, wanted);
  const parts = { account: machine.account(account), key: machine.key(key) };
  const found = reserve(machine, { ...parts, id, micros: wanted });
  const verdict = typeof found === "string" ? found : "admitted";
  world.note(`ask ${id} ${key} ${wanted}: ${verdict}`);
  const isExcused = machine.isStuck && verdict === "overloaded";
  if (!isExcused) mustEqual(verdict, expected, `${id} for ${wanted} with ${key}`);
  if (typeof found === "string") return verdict;
  machine.open.push(found);
  const made = world.history.record({ kind: "hold", hold: { id, account, key, micros: wanted } });
  world.follow(found.written, made);
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

function isOverloaded({ machine, history, weather }: World): boolean {
  return machine.journal.isFaulted || history.unacknowledgedCount > weather.queueMax;
}

/** Posts or voids a random open reservation. */
export function close(world: World): void {
  const { machine, dice, book, history } = world;
  const reservation = dice.take(machine.open);
  if (!reservation) return;
  machine.closed.push(reservation);
  const { id } = reservation;
  if (dice.chance(0.3)) {
    world.note(`void ${id}`);
    const written = machine.ledger.void(reservation, "failed");
    world.follow(written, history.record({ kind: "void", id, loss: 0 }));
    return;
  }
  const hold = book.open.get(id);
  must(hold !== undefined, () => `the simulation lost ${id}`);
  const actual = rollActual(world, hold.micros);
  const expected = book.chargeFor(hold, actual);
  const { charged, written } = machine.ledger.post(reservation, micros(actual), rollUsage(world));
  world.note(`post ${id} ${actual}: ${charged}`);
  mustEqual(charged, expected, `charge of ${id} for ${actual} of ${hold.micros} held`);
  const loss = actual - expected;
  world.follow(written, history.record({ kind: "post", id, micros: expected, loss }));
}

function rollActual({ dice }: World, held: number): number {
  return dice.pick([0, dice.between(0, held), held, held + dice.between(1, 40), held * 3 + 500]);
}

/** Now and then as long as several pages of the database. */
function rollUsage({ dice }: World): string {
  return dice.chance(0.1) ? "u".repeat(dice.between(1000, 20_000)) : "{}";
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
  const { machine, history, book } = world;
  const isRefused = isOverloaded(world);
  const balance = machine.account(account);
  const amount = book.grantFor(account, wanted);
  world.note(`grant ${id} ${account} ${wanted}${isRefused ? ": overloaded" : ""}`);
  const request = { id, account: balance, micros: micros(wanted), reason: "top-up", actor: "op" };
  const granted = machine.ledger.grant(request);
  if (isRefused || machine.isStuck) {
    granted.catch(() => undefined);
    must(isRefused, () => "the simulation granted to a process that is stuck");
    return;
  }
  const made = history.record({ kind: "grant", id, account, micros: amount });
  const checked = granted.then((found) => mustEqual(found, amount, `amount of ${id}`));
  world.follow(checked, made);
}

/** Sends a grant whose entry is already there: it must never count twice. */
export function grantAgain(world: World): void {
  const { machine, dice, book } = world;
  const grants = [...book.entries.values()].filter(({ kind, micros }) => {
    return kind === "grant" && micros > 0;
  });
  if (grants.length === 0 || machine.isStuck) return;
  const { id, account, micros: amount } = dice.pick(grants);
  world.note(`grant again ${id}`);
  const request = { id, micros: micros(amount), reason: "top-up", actor: "op" };
  const isRefused = isOverloaded(world);
  machine.ledger.grant({ ...request, account: machine.account(account) }).catch(() => undefined);
  if (!isRefused) machine.isStuck = true;
}

/** The sender of a grant that was never answered tries again under the same id. */
export function retryGrant(world: World): void {
  const { dice, machine, book } = world;
  if (machine.isStuck) return;
  const gift = dice.take(world.unanswered);
  if (!gift || book.entries.has(gift.id)) return;
  grant(world, gift);
}

/** Lets the disk work, or not. */
export function stepDisk(world: World): void {
  const { dice, machine, weather } = world;
  if (world.outageLeft === 0 && dice.chance(weather.outage)) {
    world.outageLeft = dice.between(1, 4);
    world.disk.setFull(true);
  }
  let passage: Passage = "smooth";
  if (world.outageLeft > 0) {
    // Half of the failures are the engine's own, found while the batch is being written.
    if (dice.chance(0.5)) passage = "refused";
    if (--world.outageLeft === 0) world.endOutage();
  } else if (!machine.journal.isIdle && dice.chance(weather.misreport)) {
    passage = "misreported";
    machine.isStuck = true;
  }
  world.note(`disk ${passage}`);
  machine.journal.step(passage);
  if (dice.chance(0.5)) machine.journal.step("smooth");
}
