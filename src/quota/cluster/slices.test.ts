import { expect, test } from "bun:test";
import type { AccountId, KeyId } from "../../core/ids.ts";
import type { Clock, Timers } from "../../core/clock.ts";
import { settleHold, takeHold } from "../movement.ts";
import { Slices } from "./slices.ts";

const accountId = "acc_1" as AccountId;
const keyId = "key_1" as KeyId;

function begin() {
  const time = { ms: 0 };
  const clock: Clock = { nowMs: () => time.ms, monotonicMs: () => time.ms };
  const due: (() => void)[] = [];
  const timers: Timers = {
    after(_delayMs, run) {
      due.push(run);
      return () => undefined;
    },
    every: () => () => undefined,
  };
  const slices = new Slices({ clock, timers, wanted: () => undefined });
  const wallet = slices.wallet(accountId, keyId);
  const wait = (micros: number) =>
    slices.wait(slices.of(wallet), micros, () =>
      slices.covers(wallet, micros) ? "served" : "refused",
    );
  /** Tells how much was there to take. */
  const waitForLess = (micros: number, leastMicros: number) =>
    slices.wait(slices.of(wallet), micros, () => wallet.account.availableMicros, { leastMicros });
  const hear = (lentEver: number, pending: number, unheardMs = 0) => {
    const { sent } = slices.take();
    slices.hear(
      {
        again: false,
        slices: [[accountId, 0, lentEver, pending, unheardMs]],
        keys: [[keyId, 0, 0, 0, 0]],
      },
      sent,
    );
  };
  const ring = () => {
    for (const run of due.splice(0)) run();
  };
  return { slices, wallet, wait, waitForLess, hear, ring, time };
}

test("what is not covered waits, and is served by the turn that brings it", async () => {
  const { slices, wallet, wait, hear } = begin();
  expect(slices.covers(wallet, 5)).toBe(false);
  const served = wait(5);
  hear(100, 0);
  expect(await served).toBe("served");
  expect(slices.covers(wallet, 100)).toBe(true);
});

test("an account is gathered only where nobody else holds anything of it", async () => {
  const idle = begin();
  const gathered = idle.slices.gathers(accountId, 100);
  idle.hear(60, 40);
  // While others want it too, what is not enough goes back, and all of it is asked for again.
  idle.ring();
  idle.hear(160, 0);
  expect(await gathered).toBe(true);
  const busy = begin();
  const held = busy.slices.gathers(accountId, 100);
  busy.hear(60, 40);
  busy.time.ms += 3000;
  busy.ring();
  busy.hear(120, 40);
  expect(await held).toBe(false);
});

test("an answer that is heard twice lends once", () => {
  const { wallet, wait, hear, slices } = begin();
  void wait(5);
  hear(100, 0);
  hear(100, 0);
  expect(wallet.account.availableMicros).toBe(100);
  expect(slices.covers(wallet, 101)).toBe(false);
});

test("nobody is refused while another node may have something", async () => {
  const { wait, hear, ring } = begin();
  const verdict = wait(50);
  hear(10, 40);
  ring();
  hear(10, 0);
  expect(await verdict).toBe("refused");
});

test("nobody is refused for what another node holds before that node was heard of again", async () => {
  const { wait, hear, ring, time } = begin();
  time.ms = 1000;
  const verdict = wait(50);
  // It holds all of it, and may have died since.
  hear(10, 0, 3);
  time.ms = 1010;
  ring();
  hear(10, 0, 11);
  time.ms = 1020;
  ring();
  hear(10, 0, 9);
  expect(await verdict).toBe("refused");
  const served = wait(50);
  hear(10, 0, 400);
  ring();
  // It was dead, and what it held came back.
  hear(60, 0, 0);
  expect(await served).toBe("served");
});

test("nobody is judged by a turn that did not carry what they ask for", async () => {
  const { slices, wait, hear, ring } = begin();
  const first = wait(5);
  const { sent } = slices.take();
  const second = wait(50);
  const reply = [[accountId, 0, 10, 0, 0]] as const;
  slices.hear({ again: false, slices: reply, keys: [[keyId, 0, 0, 0, 0]] }, sent);
  expect(await first).toBe("served");
  hear(60, 0);
  ring();
  expect(await second).toBe("served");
});

test("who gets no answer of another node for two seconds is sent away", async () => {
  const { wait, hear, ring, time } = begin();
  const sentAway = wait(50).catch((error: Error) => error.name);
  hear(10, 40);
  time.ms = 2001;
  ring();
  hear(10, 40);
  expect(await sentAway).toBe("GatewayError");
});

test("what is recalled goes back with the next turn, even nothing", () => {
  const { slices, wait, hear } = begin();
  void wait(5);
  hear(100, 0);
  slices.recall(accountId);
  expect(slices.take().lists.returns).toEqual([[accountId, 100]]);
  slices.recall(accountId);
  expect(slices.take().lists.returns).toEqual([[accountId, 0]]);
});

test("a key that had no limit is asked for anew once it was recalled", () => {
  const { slices, wallet, wait, hear } = begin();
  void wait(5);
  hear(100, 0);
  expect(slices.covers(wallet, 5)).toBe(true);
  slices.recall(keyId);
  expect(slices.covers(wallet, 5)).toBe(false);
});

test("what nobody has used for a minute goes back", () => {
  const { slices, wait, hear, time } = begin();
  void wait(5);
  hear(100, 0);
  time.ms = 61_000;
  slices.heartbeat();
  expect(slices.take().lists.returns).toEqual([[accountId, 100]]);
});

test("nobody is refused by an answer that comes again after others have taken the slice", async () => {
  const { slices, wait, hear } = begin();
  void wait(5);
  hear(10, 0);
  const verdict = wait(50).catch(() => "sent away");
  const { sent } = slices.take();
  slices.hear({ again: true, slices: [], keys: [] }, sent);
  slices.forget(new Error("others have called this node dead"));
  expect(await verdict).toBe("sent away");
});

test("nobody is refused by an answer that comes again after others have given back", async () => {
  const { slices, wait, hear, ring } = begin();
  const verdict = wait(50);
  const { sent } = slices.take();
  // The turn found nothing; since then another node gave back what it had, and nobody asked for it.
  const told = [[accountId, 0, 0, 0, 0]] as const;
  slices.hear({ again: true, slices: told, keys: [[keyId, 0, 0, 0, 0]] }, sent);
  ring();
  hear(50, 0);
  expect(await verdict).toBe("served");
});

test("nobody is refused where who came before was served with all that was lent", async () => {
  const { slices, wallet, wait, hear, ring } = begin();
  const first = slices.wait(slices.of(wallet), 20, () => takeHold(wallet, 20));
  hear(0, 40);
  const second = wait(30);
  // Money enough for the second one goes to the first, who is not part of this turn.
  hear(30, 0);
  await first;
  ring();
  hear(60, 0);
  expect(await second).toBe("served");
  expect(slices.waitingCount).toBe(0);
});

test("who asks for more of what others want too gives back what it has of it", () => {
  const { slices, wallet, wait, hear } = begin();
  void slices.wait(slices.of(wallet), 3, () => takeHold(wallet, 3));
  hear(3, 0);
  slices.recall(accountId);
  slices.take();
  void wait(50);
  settleHold({ ...wallet, micros: 3, isUnwritten: true }, 0);
  expect(slices.take().lists).toMatchObject({
    asks: [[accountId, 50, 50, 1]],
    returns: [[accountId, 3]],
  });
});

test("who can do with less is served with all there is, once it is certain that no more comes", async () => {
  const { waitForLess, hear, ring } = begin();
  const served = waitForLess(50, 5);
  hear(10, 30);
  ring();
  // The other node gave back what it had, and there is no more.
  hear(40, 0);
  expect(await served).toBe(30);
});

test("who can do with less gets what is here where another node is silent for two seconds", async () => {
  const { waitForLess, hear, ring, time } = begin();
  const served = waitForLess(50, 5);
  hear(10, 40);
  time.ms = 2001;
  ring();
  hear(20, 40);
  expect(await served).toBe(10);
});

test("who can do with less is refused where not even that is there", async () => {
  const { waitForLess, hear } = begin();
  const found = waitForLess(50, 15);
  hear(10, 0);
  expect(await found).toBe(10);
});

test("what ends over a lowered limit goes back at once, and nobody is admitted with it", () => {
  const { slices, time } = begin();
  const window = { budgetId: "bud_1", accountId, subjectId: null, openedAtMs: 0, closesAtMs: null };
  const terms = { ...window, id: "bud_1@0", name: "", mode: "hard" as const, limitMicros: 100 };
  const wallet = slices.wallet(accountId, keyId, [terms]);
  const [cap] = wallet.caps;
  /** Lent so much in all, of a limit that all nodes together are past by the excess. */
  const hear = (lentEver: number, limit: number, excess: number) => {
    const { lists, sent } = slices.take();
    slices.hear(
      {
        again: false,
        slices: [[accountId, 0, 1000, 0, 0]],
        keys: [[keyId, 0, 0, 0, 0]],
        caps: [["bud_1@0", 1, lentEver, 0, 0, limit, 0, null, excess]],
      },
      sent,
    );
    return lists;
  };
  void slices.wait(slices.of(wallet), 80, () => takeHold(wallet, 80));
  hear(80, 100, 0);
  slices.recall("bud_1@0");
  expect(cap?.limitMicros).toBe(80);
  // Long after others have stopped asking for it.
  time.ms += 120_000;
  settleHold({ ...wallet, micros: 80, isUnwritten: true }, 1);
  slices.settled(wallet);
  expect(slices.covers(wallet, 1)).toBe(false);
  void slices.wait(slices.of(wallet), 5, () => undefined).catch(() => undefined);
  expect(hear(85, 10, 3).capReturns).toEqual([["bud_1@0", 79]]);
  expect(cap?.limitMicros).toBe(1);
  void slices.wait(slices.of(wallet), 5, () => undefined).catch(() => undefined);
  hear(90, 10, 0);
  expect(slices.covers(wallet, 5)).toBe(true);
});
