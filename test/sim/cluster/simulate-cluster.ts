// Runs one seed of the cluster: some dozens of steps, checked after each, and at the end every
// account is spent to its last micro from any node.
import { micros } from "../../../src/core/money.ts";
import type { CapTerms } from "../../../src/quota/cap.ts";
import type { Reservation } from "../../../src/quota/ledger.ts";
import { BrokenPromise } from "../failure.ts";
import { ClusterWorld, type ClusterFlaws, type Ticket } from "./cluster-world.ts";
import { ttlMs, type SimulatedNode } from "./node.ts";

const stepsMin = 40;
const stepsMax = 120;

export type ClusterOutcome = ClusterWorld["counts"];

export function simulateCluster(seed: number, flaws: ClusterFlaws = {}): ClusterOutcome {
  const world = new ClusterWorld(seed, flaws);
  try {
    for (let left = world.dice.between(stepsMin, stepsMax); left > 0; left--) {
      takeStep(world);
      world.check();
    }
    world.heal();
    world.checkLimits();
    for (const cap of world.caps) spendCap(world, cap);
    spendAll(world);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new BrokenPromise(`${message}; replay it with SIM_SEED=${seed}`, { cause: error });
  }
  return world.counts;
}

function takeStep(world: ClusterWorld): void {
  const { dice } = world;
  const roll = dice.unit();
  if (roll < 0.35) world.network.step(dice);
  else if (roll < 0.45)
    world.pass(dice.pick([1, 5, 6, dice.between(1, 100), dice.between(1, 3000)]));
  else if (roll < 0.47) world.pass(dice.between(ttlMs / 4, ttlMs));
  else if (roll < 0.5) world.reap();
  else if (roll < 0.52) world.smooth(dice.between(1, 4));
  else if (world.living.length > 0) {
    act(world, dice.pick(world.living));
    world.changeLimit();
  }
  if (dice.chance(0.02)) for (const node of world.nodes) node.isFrozen = false;
}

function act(world: ClusterWorld, node: SimulatedNode): void {
  const { dice } = world;
  const roll = dice.unit();
  if (roll < 0.45) {
    const amount = dice.pick([dice.between(0, 30), dice.between(1, 300), dice.between(1, 1500)]);
    world.ask(node, dice.pick(world.terms), amount, dice.chance(0.15));
  } else if (roll < 0.75) {
    const held: Reservation | undefined = dice.take(node.open);
    if (held) world.close(node, held);
  } else if (roll < 0.82) {
    const [held] = node.open;
    held?.written.catch(() => undefined);
  } else if (roll < 0.87) world.endTask(node);
  else if (roll < 0.91) world.recall(node);
  else if (roll < 0.94) node.isFrozen = true;
  else if (roll < 0.96) world.crash(node);
  else if (roll < 0.97) world.crashLate(node);
  else giveOrTake(world, node);
}

function giveOrTake({ dice, terms }: ClusterWorld, node: SimulatedNode): void {
  const { account } = dice.pick(terms);
  const amount = micros(dice.pick([dice.between(1, 500), -dice.between(1, 500)]));
  const shown = node.ledger.slices.account(account);
  const grant = { id: "", account: shown, micros: amount, reason: "", actor: "" };
  node.ledger.grant(grant).catch(() => undefined);
}

/** A hard cap to its last micro from any node, one that stops up to where it is spent. */
function spendCap(world: ClusterWorld, cap: CapTerms): void {
  const { dice, database } = world;
  const { accountId: account, mode } = cap;
  const limitMicros = database.rows.caps.get(cap.id)?.whole ?? cap.limitMicros;
  const key = world.terms.find((terms) => terms.account === account && terms.key.endsWith("_free"));
  if (account !== "acc_rich" || !key) return;
  const { spent, held } = database.rows.usedOfCap(cap.id);
  const left = limitMicros - spent - (mode === "hard" ? held : 0);
  if (left > 0) {
    const node = dice.pick(world.living);
    const { reservation, error } = wait(world, world.ask(node, { ...key, caps: [cap] }, left));
    if (!reservation) throw new BrokenPromise(`${left} under ${cap.id}: ${error}`);
    world.charge(node, reservation, reservation.micros);
  }
  // Long enough for everybody to hear of it.
  world.smooth(60);
  const expected = mode === "watch" ? null : "budget_exceeded";
  for (const node of world.living) {
    const askOne = () => {
      const { reservation, error } = wait(world, world.ask(node, { ...key, caps: [cap] }, 1));
      if (reservation) world.giveBack(node, reservation);
      world.smooth(3);
      return error;
    };
    // One that only stops may be late by a turn.
    const errors = [askOne(), askOne()];
    const isLate = mode === "hard" && errors[0] !== expected;
    if (errors[1] !== expected || isLate) {
      throw new BrokenPromise(`one micro more under ${cap.id}: ${errors}`);
    }
  }
  world.check();
}

/** To the last micro from any node, and not one more. */
function spendAll(world: ClusterWorld): void {
  const { dice, database } = world;
  world.isEnding = true;
  for (const { account, key } of world.terms.filter(({ key: id }) => id.endsWith("_free"))) {
    for (let rounds = 0; rounds < 40; rounds++) {
      const row = database.rows.accounts.get(account);
      const slices = database.rows.slicesOf(account);
      const left = slices.reduce((sum, slice) => sum + slice.available, row?.available ?? 0);
      if (left === 0) break;
      const amount = rounds > 3 || dice.chance(0.2) ? left : dice.between(1, left);
      const node = dice.pick(world.living);
      const { reservation, error } = wait(
        world,
        world.ask(node, { account, key, caps: [] }, amount),
      );
      if (!reservation) throw new BrokenPromise(`${amount} of ${left} of ${account}: ${error}`);
      world.charge(node, reservation, reservation.micros);
      world.smooth(3);
      world.check();
    }
    const { error } = wait(
      world,
      world.ask(dice.pick(world.living), { account, key, caps: [] }, 1),
    );
    if (error !== "insufficient_user_quota") {
      throw new BrokenPromise(`one micro more of ${account}: ${error}`);
    }
  }
}

function wait(world: ClusterWorld, ticket: Ticket): Ticket {
  for (let rounds = 0; rounds < 500 && !ticket.reservation && !ticket.error; rounds++) {
    world.smooth(1);
  }
  return ticket;
}
