import { describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../core/clock.ts";
import { Deadlines } from "../../core/deadline.ts";
import { taken } from "../../core/later.ts";
import { cut, type Piece } from "./pump.ts";
import { Relay } from "./relay.ts";

/** A stream whose upstream tells its reader at once that it was aborted, as sockets do. */
function openRelay() {
  const deadlines = new Deadlines(systemClock, systemTimers);
  const [abort, left] = [new AbortController(), new AbortController()];
  const ends: string[] = [];
  let ready = () => {};
  abort.signal.addEventListener("abort", () => ready());
  left.signal.addEventListener("abort", () => abort.abort());
  let piece: Piece | undefined;
  const next = (tell: () => void): Piece | undefined => {
    ready = tell;
    return abort.signal.aborted ? { kind: "cut" } : piece;
  };
  const relay = new Relay({
    pump: { next },
    first: { kind: "bytes", bytes: Buffer.from("first") },
    abort,
    left: left.signal,
    deadlines,
    stallMs: 60_000,
    totalMs: 60_000,
    isSpent: () => false,
    settle: async ({ kind }) => void ends.push(`${kind}${abort.signal.aborted ? "" : ", open"}`),
    encodeError: ({ message }) => Buffer.from(message),
  });
  const pull = () => taken((tell) => relay.take(tell));
  const give = (given: Piece) => {
    piece = given;
    ready();
  };
  return { relay, pull, give, abort, left, ends, [Symbol.dispose]: () => deadlines.close() };
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
      left: left.signal,
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
    expect(stream.told).toEqual([{ kind: "client_abort", isShown }, "closed"]);
  });

  test("keeps fillers out while it is in the midst of something", () => {
    using stream = relayOf([]);
    expect(stream.relay.isWhole).toBe(false);
    stream.pump.isWhole = true;
    expect(stream.relay.isWhole).toBe(true);
  });
});
