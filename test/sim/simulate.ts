// Runs one seed: a world, its weather and some dozens of steps, checked after each.
import { drainMicrotasks } from "bun:jsc";
import * as actions from "./actions.ts";
import { genuine, type Build } from "./build.ts";
import { checkInvariants } from "./checks.ts";
import { Dice } from "./dice.ts";
import { BrokenPromise, mustEqual } from "./failure.ts";
import { rollGifts, three } from "./weather.ts";
import { World } from "./world.ts";

export interface Outcome {
  trace: readonly string[];
  decisions: number;
  crashes: number;
  powerLosses: number;
}

const traceShown = 25;

/** Throws with the seed and the last events when the ledger breaks a promise. */
export function simulate(seed: number, build: Build = genuine): Outcome {
  // Every other one has caps.
  const capDice = seed % 2 === 1 ? new Dice(seed + 1_000_003) : null;
  const world = new World(new Dice(seed), build, capDice);
  try {
    raceForThree(world);
    for (const [account, micros] of rollGifts(world.dice)) {
      actions.grant(world, { id: world.nextId("op"), account, micros });
    }
    for (let step = 0; step < world.weather.steps; step++) takeStep(world);
    world.quiesce();
    world.crash(false);
    checkInvariants(world.disk);
  } catch (error) {
    const events = world.trace.slice(-traceShown).join("\n  ");
    const message = `${error instanceof Error ? error.message : String(error)}
seed ${seed}; replay it with SIM_SEED=${seed}; what happened last:\n  ${events}`;
    throw new BrokenPromise(message, { cause: error });
  } finally {
    world.disk.close();
  }
  const { trace, crashes, powerLosses } = world;
  return { trace, decisions: world.decisionCount, crashes, powerLosses };
}

/** Money for three requests admits three, however they mix with the writing of the journal. */
function raceForThree(world: World): void {
  const { dice } = world;
  const price = dice.between(1, 500);
  const micros = 3 * price + dice.between(0, price - 1);
  actions.grant(world, { id: world.nextId("op"), account: three, micros });
  world.quiesce();
  const keys = world.book.terms.keys.filter(({ account }) => account === three);
  const verdicts: string[] = [];
  const askers = dice.between(4, 9);
  while (verdicts.length < askers) {
    const verdict = actions.ask(world, { account: three, key: dice.pick(keys).id, micros: price });
    if (verdict === "overloaded" || verdict === "forgetting") world.quiesce();
    else verdicts.push(verdict);
    while (dice.chance(0.5)) {
      world.machine.endTurn();
      world.machine.base.stepSmoothly();
      drainMicrotasks();
      world.history.checkAcknowledged();
    }
  }
  world.check();
  mustEqual(verdicts.filter((verdict) => verdict === "admitted").length, 3, "admitted of three");
}

function takeStep(world: World): void {
  const { dice, weather } = world;
  if (dice.chance(weather.powerLoss / 20)) return losePowerTwice(world);
  // Death comes more often where it hurts most.
  if (dice.chance(world.disk.folder.isSplit ? 0.3 : weather.crash)) {
    // Half of the deaths fall into a turn of the event loop, before anything decided in it is sent.
    if (dice.chance(0.5)) takeRound(world);
    world.crash(dice.chance(weather.powerLoss));
    // Troubles with the power come in rows, and what was promised between two of them must hold.
    while (dice.chance(weather.powerLoss / 2)) {
      for (let left = dice.between(0, 4); left > 0; left--) {
        dice.pick([giveOrTake, takeRound])(world);
        actions.stepDisk(world);
        world.check();
      }
      world.crash(true);
    }
    return;
  }
  if (dice.chance(weather.diskPace)) actions.stepDisk(world);
  else if (dice.chance(0.15)) waitAWhile(world);
  else if (dice.chance(0.03)) world.time.jump(dice.between(-86_400_000, 86_400_000));
  else if (dice.chance(0.04)) world.quiesce();
  else takeRound(world);
  world.check();
}

/**
 * Power fails when part of one file is synced and the other one is begun, and again soon after:
 * the numbers of what the first loss left behind a gap are just being given anew.
 */
function losePowerTwice(world: World): void {
  const { dice, disk } = world;
  takeRound(world);
  world.passTime(dice.between(20, 40));
  disk.folder.step("smooth");
  takeRound(world);
  world.passTime(0);
  actions.readBack(world);
  for (let left = dice.between(1, 3); left > 0; left--) {
    takeRound(world);
    world.passTime(0);
  }
  world.check();
  world.crash(true);
  for (let left = dice.between(0, 2); left > 0; left--) {
    takeRound(world);
    world.passTime(0);
  }
  world.check();
  world.crash(true);
}

/** Perhaps long enough for the ledger to let those go who wait. */
function waitAWhile(world: World): void {
  const { dice } = world;
  world.passTime(dice.pick([dice.between(0, 800), dice.between(0, 8000)]));
}

/** Several decisions within one turn of the event loop. */
function takeRound(world: World): void {
  const { dice } = world;
  for (let left = dice.between(1, 4); left > 0; left--) dice.pick(deeds)(world);
  if (dice.chance(world.weather.poison)) actions.poison(world);
}

function giveOrTake(world: World): void {
  const { dice } = world;
  if (world.unanswered.length > 0 && dice.chance(0.5)) return actions.retryGrant(world);
  const { id: account } = dice.pick(world.book.terms.accounts);
  const micros = dice.pick([dice.between(1, 500), -dice.between(1, 500), -10_000_000_000_000]);
  actions.grant(world, { id: world.nextId("op"), account, micros });
}

function askSomehow(world: World): void {
  const { dice, machine } = world;
  const { id: key, account } = dice.pick(world.book.terms.keys);
  if (dice.chance(0.02)) machine.failingReads = 1;
  const micros = dice.pick([0, dice.between(1, 30), dice.between(1, 300), dice.between(1, 3000)]);
  // Some can do with less, where there is no more.
  const least = dice.chance(0.2) ? dice.between(0, micros) : micros;
  actions.ask(world, { account, key, micros, least });
}

/** Deeds of a turn, the common ones more than once. */
const deeds: readonly ((world: World) => void)[] = [
  giveOrTake,
  actions.grantAgain,
  actions.closeAgain,
  actions.closeDead,
  actions.readBack,
  actions.close,
  actions.close,
  actions.close,
  actions.close,
  askSomehow,
  askSomehow,
  askSomehow,
  askSomehow,
  askSomehow,
];
