import { describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../core/clock.ts";
import { Deadlines } from "../../core/deadline.ts";
import { taken } from "../../core/later.ts";
import { cut, type Piece } from "./pump.ts";
import { Disconnect, ReadOn } from "./read-on.ts";
import { Relay } from "./relay.ts";

interface Opened {
  readOnMs?: number;
  readOnBytesMax?: number;
  readOnMax?: number;
}

/** A stream whose upstream tells its reader at once that it was aborted, as sockets do. */
function openRelay({ readOnMs = 0, readOnBytesMax = 100, readOnMax = 1 }: Opened = {}) {
  const deadlines = new Deadlines(systemClock, systemTimers);
  const readOn = new ReadOn(deadlines, { readOnMs, readOnBytesMax, readOnMax });
  const [abort, left] = [new AbortController(), new AbortController()];
  const ends: string[] = [];
  let ready = () => {};
  abort.signal.addEventListener("abort", () => ready());
  const disconnect = new Disconnect(readOn, left.signal);
  disconnect.follow(abort);
  let piece: Piece | undefined;
  const next = (tell: () => void): Piece | undefined => {
    ready = tell;
    const given = piece;
    piece = undefined;
    return abort.signal.aborted ? { kind: "cut" } : given;
  };
  const relay = new Relay({
    pump: { next },
    first: { kind: "bytes", bytes: Buffer.from("first") },
    abort,
    disconnect,
    deadlines,
    stallMs: 60_000,
    totalMs: 60_000,
    isSpent: () => false,
    async settle(end) {
      const isRead = end.kind === "client_abort" && end.isRead;
      ends.push(`${end.kind}${isRead ? ", read" : ""}${abort.signal.aborted ? "" : ", open"}`);
      disconnect.settled();
    },
    encodeError: ({ message }) => Buffer.from(message),
  });
  const pull = () => taken((tell) => relay.take(tell));
  const give = (given: Piece) => {
    piece = given;
    ready();
  };
  const dispose = { [Symbol.dispose]: () => deadlines.close() };
  return { relay, pull, give, abort, left, ends, readOn, ...dispose };
}

describe("a client that leaves while the upstream is waited for", () => {
  test("is settled once, as one that left, when the stream says so first", async () => {
    using stream = openRelay();
    expect(Buffer.from((await stream.pull()) ?? []).toString()).toBe("first");
    const pulled = stream.pull();
    stream.relay.cancel();
    stream.left.abort();
    expect([await pulled, stream.ends]).toEqual([null, ["client_abort"]]);
    expect(stream.abort.signal.aborted).toBe(true);
  });

  test("is settled once, as one that left, when its request says so first", async () => {
    using stream = openRelay();
    await stream.pull();
    const pulled = stream.pull();
    stream.left.abort();
    stream.relay.cancel();
    expect([await pulled, stream.ends]).toEqual([null, ["client_abort"]]);
    expect([await stream.pull(), stream.ends]).toEqual([null, ["client_abort"]]);
  });
});

describe("an upstream that is read on after its client has left", () => {
  const bytes = (text: string): Piece => ({ kind: "bytes", bytes: Buffer.from(text) });

  test.each(["stream", "request"])("is settled at its end, when the %s says so", async (who) => {
    using stream = openRelay({ readOnMs: 60_000 });
    await stream.pull();
    const pulled = stream.pull();
    if (who === "stream") stream.relay.cancel();
    else stream.left.abort();
    expect([await pulled, stream.ends]).toEqual([null, []]);
    stream.give(bytes("more"));
    expect([stream.abort.signal.aborted, stream.ends]).toEqual([false, []]);
    stream.give({ kind: "end", bytes: Buffer.from("last") });
    await stream.readOn.close();
    expect(stream.ends).toEqual(["client_abort, read"]);
    expect(stream.abort.signal.aborted).toBe(true);
  });

  test("is given up when its time is over", async () => {
    using stream = openRelay({ readOnMs: 1 });
    await stream.pull();
    stream.relay.cancel();
    await Bun.sleep(300);
    expect(stream.ends).toEqual(["client_abort"]);
  });

  test("is given up when it brings too much", async () => {
    using stream = openRelay({ readOnMs: 60_000, readOnBytesMax: 3 });
    await stream.pull();
    stream.relay.cancel();
    stream.give(bytes("four"));
    expect([stream.ends, stream.abort.signal.aborted]).toEqual([["client_abort"], true]);
  });

  test("is given up when the process ends, and none is read on after", async () => {
    using stream = openRelay({ readOnMs: 60_000 });
    await stream.pull();
    stream.relay.cancel();
    await stream.readOn.close();
    expect(stream.ends).toEqual(["client_abort"]);
    expect(stream.readOn.enter(new Disconnect(stream.readOn, new AbortController().signal))).toBe(
      false,
    );
  });

  test("has one of few places, which it gives back", async () => {
    using stream = openRelay({ readOnMs: 60_000 });
    const other = new Disconnect(stream.readOn, new AbortController().signal);
    await stream.pull();
    stream.relay.cancel();
    expect(stream.readOn.enter(other)).toBe(false);
    stream.give({ kind: "end", bytes: Buffer.from("last") });
    await Bun.sleep(1);
    expect(stream.readOn.enter(other)).toBe(true);
  });
});

test("an upstream that is given up breaks the stream, and says why", async () => {
  using stream = openRelay();
  await stream.pull();
  const pulled = stream.pull();
  stream.relay.interrupt();
  expect(Buffer.from((await pulled) ?? []).toString()).toBe("The gateway is shutting down.");
  stream.relay.cancel();
  expect(stream.ends).toEqual(["broken"]);
});

test("a complete one lets its upstream finish, until it is settled", async () => {
  using stream = openRelay();
  await stream.pull();
  const pulled = stream.pull();
  stream.give({ kind: "end", bytes: Buffer.from("last") });
  expect(Buffer.from((await pulled) ?? []).toString()).toBe("last");
  expect([await stream.pull(), stream.ends]).toEqual([null, ["complete, open"]]);
  expect(stream.abort.signal.aborted).toBe(true);
});

describe("what a pump holds", () => {
  /** A relay over pieces that are there, and what it told of its end. */
  function relayOf(pieces: Piece[]) {
    const deadlines = new Deadlines(systemClock, systemTimers);
    const [abort, left] = [new AbortController(), new AbortController()];
    const told: unknown[] = [];
    const pump = {
      isWhole: false,
      next: () => pieces.shift() ?? cut,
      close: async () => void told.push("closed"),
    };
    const relay = new Relay({
      pump,
      first: { kind: "bytes", bytes: Buffer.from("first") },
      abort,
      disconnect: new Disconnect(null, left.signal),
      deadlines,
      stallMs: 60_000,
      totalMs: 60_000,
      isSpent: () => false,
      settle: async (end) => void told.push(end.kind === "client_abort" ? end : end.kind),
      encodeError: ({ message }) => Buffer.from(message),
    });
    const pull = () => taken((tell) => relay.take(tell));
    return { relay, pump, pull, told, [Symbol.dispose]: () => deadlines.close() };
  }

  test("is let go of once, when the stream is settled, before its last bytes", async () => {
    using stream = relayOf([{ kind: "end", bytes: Buffer.from("last") }]);
    await stream.pull();
    expect(stream.told).toEqual([]);
    expect(Buffer.from((await stream.pull()) ?? []).toString()).toBe("last");
    expect([await stream.pull(), stream.told]).toEqual([null, ["complete", "closed"]]);
  });

  test.each([
    [0, false],
    [1, true],
  ])("is let go of when the client leaves after %d pieces", async (pieces, isShown) => {
    using stream = relayOf([]);
    for (let count = 0; count < pieces; count++) await stream.pull();
    stream.relay.cancel();
    stream.relay.cancel();
    expect(await stream.pull()).toBeNull();
    expect(stream.told).toEqual([{ kind: "client_abort", isShown, isRead: false }, "closed"]);
  });

  test("keeps fillers out while it is in the midst of something", () => {
    using stream = relayOf([]);
    expect(stream.relay.isWhole).toBe(false);
    stream.pump.isWhole = true;
    expect(stream.relay.isWhole).toBe(true);
  });
});
