import { describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../../core/clock.ts";
import { Deadlines } from "../../../core/deadline.ts";
import type { AccountId } from "../../../core/ids.ts";
import { taken } from "../../../core/later.ts";
import type { ByteSource } from "../../answer.ts";
import { ReadOn } from "../../stream/read-on.ts";
import { AnswerRun } from "./answer-run.ts";
import { RunReader } from "./run-reader.ts";
import { RunRoom } from "./run-room.ts";

const accountId = "acc_1" as AccountId;

/** A source that has what it is given, and counts how often it was asked. */
class Given implements ByteSource {
  readonly pieces: (Uint8Array | null)[] = [];
  asked = 0;
  #ready: (() => void) | null = null;

  give(...texts: (string | null)[]): void {
    this.pieces.push(...texts.map((text) => (text === null ? null : Buffer.from(text))));
    const ready = this.#ready;
    this.#ready = null;
    ready?.();
  }

  take(ready: () => void): Uint8Array | null | undefined {
    this.asked++;
    const piece = this.pieces.shift();
    if (piece === undefined) this.#ready = ready;
    return piece;
  }

  cancel(): void {}

  interrupt(): void {
    this.give("The end.", null);
  }
}

function openRun({ bytesMax = 1000, roomBytes = 4000, readOnMs = 60_000 } = {}) {
  const deadlines = new Deadlines(systemClock, systemTimers);
  const readOn = new ReadOn(deadlines, { readOnMs, readOnBytesMax: bytesMax, readOnMax: 4 });
  const room = new RunRoom(roomBytes);
  const run = new AnswerRun({ accountId, readOn, bytesMax, room });
  const source = new Given();
  const begin = () => run.begin({ status: 200, contentType: "text/event-stream", body: source });
  const read = () => new RunReader(run, new AbortController().signal);
  return { run, room, readOn, source, begin, read, [Symbol.dispose]: () => deadlines.close() };
}

async function next(reader: RunReader): Promise<string | null> {
  const piece = await taken<Uint8Array | null>((ready) => reader.take(ready));
  return piece && Buffer.from(piece).toString();
}

describe("an answer that several read", () => {
  test("is theirs from its first byte on, each at a pace of its own", async () => {
    using open = openRun();
    const first = open.read();
    open.begin();
    open.source.give("one ", "two ");
    expect([await next(first), await next(first)]).toEqual(["one ", "two "]);
    const second = open.read();
    const waiting = next(first);
    expect(await next(second)).toBe("one ");
    open.source.give("three", null);
    expect([await waiting, await next(first)]).toEqual(["three", null]);
    const rest = [await next(second), await next(second), await next(second)];
    expect(rest).toEqual(["two ", "three", null]);
    expect(open.room.bytes).toBe(0);
  });

  test("is read from its source only when one of them wants more", async () => {
    using open = openRun();
    const first = open.read();
    open.begin();
    open.source.give("one ", "two ");
    expect(open.source.asked).toBe(0);
    await next(first);
    expect(open.source.asked).toBe(1);
  });

  test("goes on without them, and is there for who comes back", async () => {
    using open = openRun();
    const first = open.read();
    open.begin();
    open.source.give("one ", "two ");
    await next(first);
    first.cancel();
    expect([open.readOn.size, open.source.pieces.length]).toEqual([1, 0]);
    const second = open.read();
    expect(open.readOn.size).toBe(0);
    open.source.give(null);
    expect([await next(second), await next(second), await next(second)]).toEqual([
      "one ",
      "two ",
      null,
    ]);
    expect(open.run.signal.aborted).toBe(false);
  });

  test("is given up when nobody is there and it may not go on", () => {
    using open = openRun({ readOnMs: 0 });
    const first = open.read();
    open.begin();
    first.cancel();
    expect(open.run.signal.aborted).toBe(true);
  });

  test("fails for all of them alike", async () => {
    using open = openRun();
    const readers = [open.read(), open.read()];
    const { run } = open;
    run.begin({
      status: 200,
      contentType: "text/event-stream",
      body: { take: () => fail(), cancel() {}, interrupt() {} },
    });
    for (const reader of readers) expect(next(reader)).rejects.toThrow("It broke.");
    await run.over;
  });
});

function fail(): never {
  throw new Error("It broke.");
}

describe("an answer that is too large to be kept", () => {
  test.each([
    ["by itself", { bytesMax: 6 }],
    ["for the account's part", { roomBytes: 24 }],
  ])("%s, is read in step and let go of", async (_why, bounds) => {
    using open = openRun(bounds);
    const readers = [open.read(), open.read()] as const;
    open.begin();
    open.source.give("one ", "two ", "three ", null);
    expect([await next(readers[0]), await next(readers[0])]).toEqual(["one ", "two "]);
    expect([open.run.isTooLarge, open.run.wholeWith([])]).toEqual([true, null]);
    const ahead = next(readers[0]);
    expect(open.source.pieces.length).toBe(2);
    expect([await next(readers[1]), await next(readers[1])]).toEqual(["one ", "two "]);
    expect(await next(readers[1])).toBe("three ");
    expect(await ahead).toBe("three ");
    expect(await Promise.all(readers.map(next))).toEqual([null, null]);
    expect(open.room.bytes).toBe(0);
  });
});
