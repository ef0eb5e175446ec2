import { describe, expect, test } from "bun:test";
import { AssertionError } from "../core/assert.ts";
import type { Timers } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import type { AccountId, KeyId } from "../core/ids.ts";
import { micros } from "../core/money.ts";
import type { AccountBalance, KeyBalance } from "./balance.ts";
import { freshCap, type CapBalance, type CapMode } from "./cap.ts";
import type { Reservation } from "./ledger.ts";
import { SoleLedger, type JournalWrite } from "./sole-ledger.ts";

interface Written extends JournalWrite {
  done(): void;
  fail(): void;
}

/** A ledger whose journal and time are moved by the test. */
class Bench {
  readonly writes: Written[] = [];
  readonly faults: unknown[] = [];
  readonly account: AccountBalance;
  readonly key: KeyBalance;
  caps: CapBalance[] = [];
  readonly ledger: SoleLedger;
  nowMs = 0;
  #alarms: { atMs: number; run(): void }[] = [];
  #ticks: (() => void)[] = [];

  constructor(grantedMicros: number, limitMicros: number | null = null) {
    this.account = {
      id: "acc_1" as AccountId,
      uses: 0,
      isForgotten: false,
      unwrittenMicros: 0,
      unlimited: false,
      grantedMicros,
      availableMicros: grantedMicros,
      heldMicros: 0,
      spentMicros: 0,
    };
    this.key = {
      id: "key_1" as KeyId,
      uses: 0,
      isForgotten: false,
      unwrittenMicros: 0,
      accountId: this.account.id,
      limitMicros,
      heldMicros: 0,
      spentMicros: 0,
    };
    const timers: Timers = {
      after: (delayMs, run) => {
        this.#alarms.push({ atMs: this.nowMs + delayMs, run });
        return () => undefined;
      },
      every: (_periodMs, run) => {
        this.#ticks.push(run);
        return () => undefined;
      },
    };
    this.ledger = new SoleLedger(
      {
        write: (batch) =>
          new Promise<void>((done, fail) => {
            this.writes.push({ ...batch, done, fail: () => fail(new Error("full")) });
          }),
        clock: { nowMs: () => this.nowMs, monotonicMs: () => this.nowMs },
        timers,
        faulted: (error) => this.faults.push(error),
      },
      { queueMax: 10, stallMs: 2000 },
    );
  }

  ask(id: string, amount: number): Reservation {
    const { account, key, caps } = this;
    const rest = { account, key, caps, group: "g", model: "m", price: "p" };
    return this.ledger.tryAdmit({ ...rest, id, micros: micros(amount) });
  }

  /** Reserves, and waits for the hold to be written. */
  hold(id: string, amount: number): Reservation {
    const reservation = this.ask(id, amount);
    void reservation.written;
    return reservation;
  }

  /** The code of the refusal, or "admitted". */
  verdict(id: string, amount: number): string {
    try {
      this.ask(id, amount);
      return "admitted";
    } catch (error) {
      if (error instanceof GatewayError) return error.code;
      throw error;
    }
  }

  grant(amount: number, id = "op_1"): Promise<number> {
    const { account } = this;
    return this.ledger.grant({ id, account, micros: micros(amount), reason: "r", actor: "a" });
  }

  async wait(forMs: number): Promise<void> {
    this.nowMs += forMs;
    const due = this.#alarms.filter(({ atMs }) => atMs <= this.nowMs);
    this.#alarms = this.#alarms.filter(({ atMs }) => atMs > this.nowMs);
    for (const { run } of due) run();
    for (const tick of this.#ticks) tick();
    await settle();
  }

  /** Answers every write, and the ones that follow from it. */
  async writeAll(): Promise<void> {
    await this.wait(1);
    for (let at = 0; at < this.writes.length; at++) {
      this.writes[at]?.done();
      await this.wait(1);
    }
  }

  get sums(): [available: number, held: number, spent: number] {
    const { availableMicros, heldMicros, spentMicros } = this.account;
    return [availableMicros, heldMicros, spentMicros];
  }
}

/** Lets everything run that waits for nothing but its turn. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

function idsIn({ document }: JournalWrite): unknown[] {
  const { holds = [], entries = [] }: Record<string, unknown[][]> = JSON.parse(document);
  return [...holds, ...entries].map(([id]) => id);
}

describe("reserve", () => {
  test("money for three requests admits three of many", () => {
    const bench = new Bench(30);
    const verdicts = Array.from({ length: 50 }, (_, at) => bench.verdict(`req_${at}`, 10));
    expect(verdicts.filter((verdict) => verdict === "admitted").length).toBe(3);
    expect(bench.sums).toEqual([0, 30, 0]);
  });

  test("a key's limit counts what it holds and what it spent", () => {
    const bench = new Bench(1000, 100);
    bench.ledger.post(bench.ask("req_1", 60), micros(40), "{}");
    bench.ask("req_2", 50);
    expect(bench.verdict("req_3", 11)).toBe("insufficient_quota");
    expect(bench.verdict("req_4", 10)).toBe("admitted");
  });

  test("the account's money is the limit even of a key without one", () => {
    const bench = new Bench(100);
    expect(bench.verdict("req_1", 101)).toBe("insufficient_user_quota");
    expect(bench.verdict("req_2", 100)).toBe("admitted");
    expect(bench.verdict("req_3", 1)).toBe("insufficient_user_quota");
    expect(bench.verdict("req_4", 0)).toBe("admitted");
  });

  test("an unlimited account goes below zero", () => {
    const bench = new Bench(0);
    bench.account.unlimited = true;
    expect(bench.verdict("req_1", 100)).toBe("admitted");
    expect(bench.sums).toEqual([-100, 100, 0]);
  });

  test("a key of another account is a bug", () => {
    const bench = new Bench(100);
    bench.key.accountId = "acc_2" as AccountId;
    expect(() => bench.ask("req_1", 1)).toThrow("the key belongs to the account");
  });
});

describe("post and void", () => {
  test("a post charges what was used and frees the rest", () => {
    const bench = new Bench(100);
    expect(bench.ledger.post(bench.ask("req_1", 60), micros(40), "{}").charged).toBe(micros(40));
    expect(bench.sums).toEqual([60, 0, 40]);
  });

  test("a post past the hold takes what is left, and the rest is a loss", async () => {
    const bench = new Bench(100);
    const reservation = bench.ask("req_1", 60);
    bench.ask("req_2", 30);
    expect(bench.ledger.post(reservation, micros(500), "{}").charged).toBe(micros(70));
    expect(bench.sums).toEqual([0, 30, 70]);
    await settle();
    const { entries }: { entries: unknown[][] } = JSON.parse(bench.writes[0]?.document ?? "{}");
    expect(entries[0]?.slice(0, 9)).toEqual([
      "req_1",
      "post",
      "acc_1",
      "key_1",
      "g",
      "m",
      60,
      70,
      430,
    ]);
  });

  test("a post past the hold stays within the key's limit", () => {
    const bench = new Bench(1000, 100);
    const reservation = bench.ask("req_1", 60);
    bench.ask("req_2", 30);
    expect(bench.ledger.post(reservation, micros(500), "{}").charged).toBe(micros(70));
    expect(bench.key).toMatchObject({ heldMicros: 30, spentMicros: 70 });
  });

  test("a void frees everything", () => {
    const bench = new Bench(100);
    void bench.ledger.void(bench.ask("req_1", 60), "failed");
    expect(bench.sums).toEqual([100, 0, 0]);
    expect(bench.key).toMatchObject({ heldMicros: 0, spentMicros: 0 });
  });

  test("the first close stands, every other is counted and changes nothing", async () => {
    const bench = new Bench(100);
    const { ledger } = bench;
    const reservation = bench.hold("req_1", 60);
    await settle();
    ledger.post(reservation, micros(40), "{}");
    expect(ledger.post(reservation, micros(50), "{}").charged).toBe(micros(0));
    await ledger.void(reservation, "again");
    expect(ledger.closedTwice).toBe(2);
    expect(bench.sums).toEqual([60, 0, 40]);
    await bench.writeAll();
    expect(bench.writes.flatMap(idsIn)).toEqual(["req_1", "req_1"]);
  });
});

describe("grant", () => {
  test("money given can be spent once it is written, and is written synced", async () => {
    const bench = new Bench(0);
    const granted = bench.grant(50);
    await settle();
    expect(bench.sums).toEqual([0, 0, 0]);
    expect(bench.writes.map(({ sync }) => sync)).toEqual([true]);
    await bench.writeAll();
    expect(await granted).toBe(50);
    expect(bench.account).toMatchObject({ grantedMicros: 50, availableMicros: 50 });
  });

  test("money taken back is gone at once, and never more than is left", async () => {
    const bench = new Bench(100);
    bench.ask("req_1", 30);
    const taken = bench.grant(-500);
    expect(bench.verdict("req_2", 1)).toBe("insufficient_user_quota");
    await bench.writeAll();
    expect(await taken).toBe(-70);
    expect(bench.account).toMatchObject({ grantedMicros: 30, availableMicros: 0, heldMicros: 30 });
  });
});

describe("a grant that is on its way", () => {
  test("is not answered before it is written, however long that takes", async () => {
    const bench = new Bench(0);
    let answer: unknown = "none";
    void bench.grant(50).then((amount) => (answer = amount));
    await settle();
    for (let second = 0; second < 60; second++) await bench.wait(1000);
    expect(answer).toBe("none");
    bench.writes[0]?.done();
    await settle();
    expect(answer).toBe(50);
    expect(bench.sums).toEqual([50, 0, 0]);
  });

  test("is refused a second time, and taken again once it is written", async () => {
    const bench = new Bench(0);
    const granted = bench.grant(50);
    await expect(bench.grant(50)).rejects.toMatchObject({ code: "conflict" });
    const other = bench.grant(7, "op_2");
    await bench.writeAll();
    expect([await granted, await other]).toEqual([50, 7]);
    expect(bench.sums).toEqual([57, 0, 0]);
    expect(bench.writes.flatMap(idsIn)).toEqual(["op_1", "op_2"]);
  });
});

describe("a balance", () => {
  test("is in use by what is open and by grants under way", async () => {
    const bench = new Bench(100);
    const { account, key, ledger } = bench;
    const uses = () => [account.uses, key.uses];
    const one = bench.ask("req_1", 0);
    const two = bench.ask("req_2", 5);
    const granted = bench.grant(1);
    expect(uses()).toEqual([3, 2]);
    ledger.post(one, micros(1), "{}");
    void ledger.void(two, "failed");
    void ledger.void(two, "again");
    expect(uses()).toEqual([1, 0]);
    await bench.writeAll();
    await granted;
    expect(uses()).toEqual([0, 0]);
  });

  test("that was put away takes nothing more", async () => {
    const bench = new Bench(100);
    bench.key.isForgotten = true;
    expect(bench.verdict("req_1", 1)).toBe("overloaded");
    bench.key.isForgotten = false;
    bench.account.isForgotten = true;
    expect(bench.verdict("req_2", 1)).toBe("overloaded");
    await expect(bench.grant(1)).rejects.toThrow(GatewayError);
    expect(bench.sums).toEqual([100, 0, 0]);
  });
});

describe("the journal", () => {
  test("what is decided while a batch is written goes into the next one", async () => {
    const bench = new Bench(100);
    bench.hold("req_1", 1);
    bench.hold("req_2", 1);
    await settle();
    bench.hold("req_3", 1);
    await settle();
    expect(bench.writes.map(idsIn)).toEqual([["req_1", "req_2"]]);
    await bench.writeAll();
    expect(bench.writes.map(idsIn)).toEqual([["req_1", "req_2"], ["req_3"]]);
    expect(bench.ledger.queueLength).toBe(0);
  });

  test("a batch that failed is tried again, whole and first, until it is written", async () => {
    const bench = new Bench(100);
    const { ledger, writes } = bench;
    const reservation = bench.ask("req_1", 1);
    let isWritten = false;
    void reservation.written.then((answer) => (isWritten = answer));
    await settle();
    ledger.post(reservation, micros(1), "{}");
    for (let attempt = 0; attempt < 3; attempt++) {
      writes.at(-1)?.fail();
      await settle();
      expect(ledger.isFaulted).toBe(true);
      await bench.wait(500);
    }
    expect(new Set(writes.map(({ document }) => document)).size).toBe(1);
    expect([writes.length, bench.faults.length, isWritten]).toEqual([4, 3, false]);
    writes.at(-1)?.done();
    await settle();
    expect([ledger.isFaulted, isWritten]).toEqual([false, true]);
  });

  test("while it cannot write, nothing is admitted and everything can be closed", async () => {
    const bench = new Bench(100);
    const open = bench.hold("req_1", 10);
    await settle();
    bench.writes[0]?.fail();
    await settle();
    expect(bench.verdict("req_2", 1)).toBe("overloaded");
    await expect(bench.grant(5)).rejects.toThrow(GatewayError);
    expect(bench.ledger.post(open, micros(10), "{}").charged).toBe(micros(10));
    await bench.wait(500);
    await bench.writeAll();
    expect(bench.verdict("req_3", 1)).toBe("admitted");
  });

  test("a full queue admits nothing until it is written", async () => {
    const bench = new Bench(100);
    for (let at = 0; at <= 10; at++) bench.hold(`req_${at}`, 1);
    expect(bench.verdict("late", 1)).toBe("overloaded");
    await bench.writeAll();
    expect(bench.verdict("later", 1)).toBe("admitted");
  });

  test("a disk that does not answer stops admission after the time it may stall", async () => {
    const bench = new Bench(100);
    bench.hold("req_1", 1);
    await bench.wait(2000);
    expect(bench.verdict("req_2", 1)).toBe("admitted");
    await bench.wait(1);
    expect(bench.verdict("req_3", 1)).toBe("overloaded");
  });

  test("a quiet spell is not a stall", async () => {
    const bench = new Bench(100);
    bench.hold("req_1", 1);
    await bench.writeAll();
    bench.ask("req_0", 1);
    await bench.wait(60_000);
    expect(bench.verdict("req_2", 1)).toBe("admitted");
    expect(bench.verdict("req_3", 1)).toBe("admitted");
    await settle();
    expect(bench.verdict("req_4", 1)).toBe("admitted");
  });

  test("a hold is written once somebody waits for it, and not with others before it", async () => {
    const bench = new Bench(100);
    const open = bench.ask("req_1", 1);
    bench.hold("req_2", 2);
    await settle();
    expect(bench.writes.map(idsIn)).toEqual([["req_2"]]);
    const { accounts, keys } = JSON.parse(bench.writes[0]?.document ?? "{}");
    expect([accounts, keys]).toEqual([[["acc_1", 0, -2, 2, 0]], [["key_1", 2, 0]]]);
    bench.writes[0]?.done();
    await settle();
    let isWritten = false;
    void open.written.then((answer) => (isWritten = answer));
    await settle();
    bench.writes[1]?.done();
    await settle();
    expect([bench.writes.slice(1).map(idsIn), isWritten]).toEqual([[["req_1"]], true]);
  });

  test("a hold that lasts is written before a second is over, though nobody waits for it", async () => {
    const bench = new Bench(100);
    bench.ask("req_1", 1);
    await bench.wait(699);
    const answered = bench.ask("req_2", 1);
    expect(bench.writes).toEqual([]);
    await bench.wait(1);
    expect(bench.writes.map(idsIn)).toEqual([["req_1"]]);
    bench.ledger.post(answered, micros(1), "{}");
    await bench.writeAll();
    expect(bench.writes.map(idsIn)).toEqual([["req_1"], ["req_2"]]);
    expect(JSON.parse(bench.writes[1]?.document ?? "{}")).not.toHaveProperty("closed");
  });

  test("who asks for all that was decided has open holds written as well", async () => {
    const bench = new Bench(100);
    bench.ask("req_1", 1);
    const settled = bench.ledger.settled();
    await bench.writeAll();
    expect(await settled).toBe(true);
    expect(bench.writes.map(idsIn)).toEqual([["req_1"]]);
  });

  test("a hold that is closed before it was written is never written", async () => {
    const bench = new Bench(100);
    bench.ledger.post(bench.ask("req_1", 50), micros(20), "{}");
    await bench.writeAll();
    const { holds, closed, accounts } = JSON.parse(bench.writes[0]?.document ?? "{}");
    expect([holds, closed, accounts]).toEqual([undefined, undefined, [["acc_1", 0, -20, 0, 20]]]);
  });

  test("a disk that does not answer lets requests go, whichever batch they wait for", async () => {
    const bench = new Bench(100);
    const { ledger } = bench;
    const answers: unknown[] = [];
    const reservation = bench.ask("req_1", 1);
    void reservation.written.then((answer) => answers.push(answer));
    await settle();
    void ledger.post(reservation, micros(1), "{}").written.then((answer) => answers.push(answer));
    await bench.wait(5000);
    expect(answers).toEqual([]);
    await bench.wait(1);
    expect(answers).toEqual([false, false]);
    // Their debts stay in line.
    await bench.writeAll();
    expect(bench.writes.map(idsIn)).toEqual([["req_1"], ["req_1"]]);
  });

  test("a batch that waited behind another keeps its age", async () => {
    const bench = new Bench(100);
    bench.hold("req_1", 1);
    await settle();
    bench.hold("req_2", 1);
    await bench.wait(1500);
    bench.writes[0]?.done();
    await settle();
    expect(bench.ledger.oldestMs).toBe(1500);
  });

  test("settled waits for the batch in writing and the one behind it", async () => {
    const bench = new Bench(100);
    bench.hold("req_1", 1);
    await settle();
    bench.ask("req_2", 1);
    let isSettled = false;
    void bench.ledger.settled().then((answer) => (isSettled = answer));
    bench.writes[0]?.done();
    await bench.wait(1);
    expect([bench.writes.length, isSettled]).toEqual([2, false]);
    bench.writes[1]?.done();
    await bench.wait(1);
    expect([bench.writes.length, isSettled]).toEqual([2, true]);
    expect(await bench.ledger.settled()).toBe(true);
  });

  test("settled says so when the disk does not answer", async () => {
    const bench = new Bench(100);
    bench.hold("req_1", 1);
    const settled = bench.ledger.settled();
    await bench.wait(5001);
    expect(await settled).toBe(false);
  });
});

describe("a record", () => {
  const rows = (id: string) => [{ list: "rows", cells: [id] }];

  test("is written in the batch of the money that was decided in the same step", async () => {
    const bench = new Bench(1000);
    const reservation = bench.ask("req_1", 100);
    bench.ledger.post(reservation, micros(70), "u");
    bench.ledger.record(rows("req_1"), true);
    await Promise.resolve();
    expect(bench.writes).toHaveLength(1);
    expect(bench.writes[0]?.document).toContain("req_1");
    expect(bench.writes[0]?.logged).toBe(JSON.stringify({ rows: [["req_1"]] }));
  });

  test("without money is written as well, and a batch without one has nothing for the log", async () => {
    const bench = new Bench(1000);
    bench.ledger.record(rows("req_1"), false);
    await Promise.resolve();
    expect(bench.writes.map(({ logged }) => logged)).toEqual([
      JSON.stringify({ rows: [["req_1"]] }),
    ]);
    bench.writes[0]?.done();
    await Promise.resolve();
    bench.hold("req_2", 1);
    await Promise.resolve();
    expect(bench.writes[1]?.logged).toBeUndefined();
  });

  test("what is held and lost is known without asking the disk", () => {
    const bench = new Bench(1000);
    const [kept, given, gone] = [bench.ask("a", 100), bench.ask("b", 50), bench.ask("c", 30)];
    expect(bench.ledger.heldMicros).toBe(180);
    bench.ledger.post(kept, micros(70), "u", micros(5));
    void bench.ledger.void(given, "no", micros(50));
    bench.ledger.disown(gone);
    bench.ledger.disown(gone);
    expect(bench.ledger.heldMicros).toBe(0);
    expect(bench.ledger.losses.list()).toEqual([{ model: "m", channel: "", micros: 55 }]);
  });

  test("of a refused request is left out and counted when too many wait, and no other is", async () => {
    const bench = new Bench(1000);
    const reservation = bench.ask("req_paid", 100);
    for (let at = 0; at < 30; at++) bench.ledger.record(rows(`req_${at}`), false);
    bench.ledger.post(reservation, micros(70), "u");
    bench.ledger.record(rows("req_paid"), true);
    expect(bench.ledger.recordsDropped).toBe(19);
    await Promise.resolve();
    expect(bench.writes[0]?.logged).toContain("req_paid");
  });
});

describe("a balance that cannot be true", () => {
  test("refuses every movement whole, and moves again once it is true", async () => {
    const bench = new Bench(100);
    const held = bench.ask("req_1", 30);
    bench.account.availableMicros++;
    const { ledger } = bench;
    expect(() => bench.ask("req_2", 1)).toThrow(AssertionError);
    expect(() => ledger.post(held, micros(10), "{}")).toThrow(AssertionError);
    expect(() => ledger.void(held, "r")).toThrow(AssertionError);
    expect([held.state, bench.sums, ledger.heldMicros]).toEqual(["open", [71, 30, 0], 30]);
    bench.account.availableMicros--;
    expect(ledger.post(held, micros(10), "{}").charged).toBe(micros(10));
    await bench.writeAll();
    expect(bench.writes.flatMap(idsIn)).toEqual(["req_1"]);
    expect([bench.sums, ledger.heldMicros, ledger.closedTwice]).toEqual([[90, 0, 10], 0, 0]);
  });

  test("a hold that the process does not count is not closed", () => {
    const bench = new Bench(100);
    const held = bench.ask("req_1", 30);
    bench.ledger.void(held, "r");
    held.state = "open";
    expect(() => bench.ledger.void(held, "r")).toThrow(AssertionError);
    expect(bench.sums).toEqual([100, 0, 0]);
  });
});

function capOf(mode: CapMode, limitMicros: number, number = 1): CapBalance {
  const terms = { id: `bud_${number}@0`, budgetId: `bud_${number}`, name: `budget ${number}` };
  const window = { subjectId: null, openedAtMs: 0, closesAtMs: 7_200_000 };
  return freshCap({ ...terms, ...window, accountId: "acc_1" as AccountId, mode, limitMicros });
}

/** Lists of all that was written. */
function listsIn(bench: Bench, list: string): unknown[][] {
  return bench.writes.flatMap(({ document }) => JSON.parse(document)[list] ?? []);
}

describe("caps", () => {
  test("money for three under any of five hard caps admits three of many", () => {
    for (const tight of [1, 2, 3, 4, 5]) {
      const bench = new Bench(1_000_000);
      bench.caps = [1, 2, 3, 4, 5].map((at) => capOf("hard", at === tight ? 399 : 9999, at));
      const verdicts = Array.from({ length: 500 }, (_, at) => bench.verdict(`req_${at}`, 100));
      const refused = verdicts.filter((verdict) => verdict === "budget_exceeded");
      expect([verdicts.slice(0, 3), refused.length]).toEqual([Array(3).fill("admitted"), 497]);
      expect(bench.caps.map(({ heldMicros }) => heldMicros)).toEqual(Array(5).fill(300));
    }
  });

  test("one that stops refuses once it is spent, and what runs may pass it", () => {
    const bench = new Bench(1000);
    bench.caps = [capOf("stop", 100), capOf("watch", 1, 2)];
    const held = [bench.ask("req_1", 90), bench.ask("req_2", 90)];
    for (const one of held) bench.ledger.post(one, micros(90), "{}");
    expect(bench.caps.map(({ spentMicros }) => spentMicros)).toEqual([180, 180]);
    expect(bench.verdict("req_3", 1)).toBe("budget_exceeded");
    expect(bench.verdict("req_4", 0)).toBe("admitted");
  });

  test("a charge past its hold stays within a hard cap, and the rest is a loss", async () => {
    const bench = new Bench(1000);
    bench.caps = [capOf("stop", 10), capOf("hard", 100, 2)];
    expect(bench.ledger.post(bench.ask("req_1", 40), micros(150), "{}").charged).toBe(micros(100));
    await bench.writeAll();
    expect(listsIn(bench, "entries")[0]?.slice(7, 9)).toEqual([100, 50]);
  });

  test("a hold that may shrink takes what a hard cap leaves", () => {
    const bench = new Bench(1000);
    bench.caps = [capOf("hard", 60)];
    const { account, key, caps } = bench;
    const least = { leastMicros: micros(10), within: (room: number) => micros(room) };
    const rest = { account, key, caps, group: "g", model: "m", price: "p", shrink: least };
    expect(bench.ledger.tryAdmit({ ...rest, id: "req_1", micros: micros(99) }).micros).toBe(
      micros(60),
    );
  });

  test("a refusal names the budget, how much of how much and when it starts anew", () => {
    const bench = new Bench(100_000_000);
    const spent = { ...capOf("stop", 25_000_000), name: "research, week", spentMicros: 25_000_000 };
    bench.caps = [{ ...spent, closesAtMs: Date.UTC(2026, 10, 23) }];
    const refusal = () => {
      try {
        return bench.ask("req_1", 5_000_000);
      } catch (error) {
        return error;
      }
    };
    expect(refusal()).toMatchObject({
      code: "budget_exceeded",
      param: "research, week",
      retryAfterSeconds: null,
      message:
        'The budget "research, week" is spent: $25.00 of $25.00. ' +
        "It starts anew on 2026-11-23 00:00 UTC.",
    });
    bench.caps = [{ ...spent, mode: "hard", spentMicros: 21_000_000, closesAtMs: 90_500 }];
    expect(refusal()).toMatchObject({
      retryAfterSeconds: 91,
      message:
        'The budget "research, week" has $4.00 left of $25.00, and the request can cost up to ' +
        "$5.00. It starts anew on 1970-01-01 00:01 UTC.",
    });
  });

  test("rows name them, and the book has what is held and spent of each", async () => {
    const bench = new Bench(1000);
    bench.caps = [capOf("hard", 500), capOf("watch", 1, 2)];
    const [long, short] = [bench.hold("req_long", 100), bench.ask("req_short", 7)];
    bench.ledger.post(short, micros(5), "{}");
    await bench.writeAll();
    bench.ledger.void(long, "r");
    await bench.writeAll();
    const named = "bud_1@0 bud_2@0";
    expect(listsIn(bench, "holds").map((cells) => cells.at(-1))).toEqual([named]);
    expect(listsIn(bench, "entries").map((cells) => cells.at(-1))).toEqual([named, named]);
    expect(listsIn(bench, "caps")).toEqual([
      ["bud_1@0", 100, 5, 0],
      ["bud_2@0", 100, 5, 0],
      ["bud_1@0", -100, 0, 0],
      ["bud_2@0", -100, 0, 0],
    ]);
    expect(bench.caps.map(({ uses, unwrittenMicros }) => uses + unwrittenMicros)).toEqual([0, 0]);
  });
});
