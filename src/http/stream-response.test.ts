import { afterAll, describe, expect, test } from "bun:test";
import { RawClient, rawRequest } from "../../test/hazards/raw-client.ts";
import { systemClock, systemTimers } from "../core/clock.ts";
import { Deadlines } from "../core/deadline.ts";
import { Later } from "../core/later.ts";
import type { ByteSource } from "../gateway/answer.ts";
import { OpenStreams, type StreamRules } from "./stream-response.ts";

const deadlines = new Deadlines(systemClock, systemTimers);
afterAll(() => deadlines.close());

const lastChunk = "0\r\n\r\n";
const mebibyte = 1024 * 1024;
/** More than the two sockets between gateway and client hold. */
const floodBytes = 64 * mebibyte;
/** In which something that must not happen would have happened. */
const whileMs = 50;

/** Gives what it is told to, and counts what is asked of it. */
class ScriptedSource implements ByteSource {
  isWhole = true;
  pulls = 0;
  cancels = 0;
  interrupts = 0;
  givenBytes = 0;
  readonly #script: (pull: number) => Promise<Uint8Array | string | null>;
  readonly #cancelled = Promise.withResolvers<void>();

  constructor(script: (pull: number) => Promise<Uint8Array | string | null>) {
    this.#script = script;
  }

  get cancelled(): Promise<void> {
    return this.#cancelled.promise;
  }

  readonly #later = new Later(() => this.#pull());

  take(ready: () => void): Uint8Array | null | undefined {
    return this.#later.take(ready);
  }

  async #pull(): Promise<Uint8Array | null> {
    const given = await this.#script(this.pulls++);
    const bytes = typeof given === "string" ? Buffer.from(given) : given;
    this.givenBytes += bytes?.length ?? 0;
    return bytes;
  }

  cancel(): void {
    this.cancels++;
    this.#cancelled.resolve();
  }

  interrupt(): void {
    this.interrupts++;
  }
}

const forEver = new Promise<never>(() => {});

/** Gives these, and then nothing for as long as anybody waits. */
function thenSilence(...pieces: string[]): ScriptedSource {
  return new ScriptedSource(async (pull) => pieces[pull] ?? (await forEver));
}

/** 64 KiB at a time, so much that a client that does not read holds it up; and then `end`. */
function flood(end: Promise<null> | null = null): ScriptedSource {
  const piece = Buffer.alloc(64 * 1024, "0123456789abcdef");
  return new ScriptedSource(async (pull) => (pull * piece.length < floodBytes ? piece : await end));
}

function serve(
  source: ByteSource,
  rules: Partial<StreamRules & { filler: string; held: Promise<void> }> = {},
) {
  const { keepAliveMs = 60_000, writeStallMs = 60_000, filler, held } = rules;
  const streams = new OpenStreams({ deadlines, keepAliveMs, writeStallMs });
  const told = { answers: 0 };
  const connection = { answered: () => void told.answers++ };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    development: false,
    async fetch() {
      await held;
      const between = filler === undefined ? null : Buffer.from(filler);
      return new Response(streams.open(source, between, connection));
    },
  });
  return {
    streams,
    server,
    told,
    async ask(method = "GET") {
      const client = await RawClient.open(server.url.href);
      client.send(rawRequest(`${method} /`, { connection: "close" }));
      return client;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Until nothing more is pulled: the client is as far behind as it can be. */
async function heldBack(source: ScriptedSource): Promise<void> {
  for (let before = -1; before < source.pulls || before < 1; await Bun.sleep(50)) {
    before = source.pulls;
  }
}

describe("a stream", () => {
  test("passes its pieces on as they come, and ends", async () => {
    const next = Promise.withResolvers<string>();
    const source = new ScriptedSource(async (pull) =>
      pull === 0 ? "first" : pull === 1 ? await next.promise : null,
    );
    await using gateway = serve(source);
    using client = await gateway.ask();
    await client.until(/first\r\n$/);
    expect(gateway.streams.size).toBe(1);
    next.resolve("second");
    expect(await client.until(/0\r\n\r\n$/)).toEndWith(`6\r\nsecond\r\n${lastChunk}`);
    expect(gateway.streams.size).toBe(0);
    expect(gateway.told.answers).toBe(1);
    expect(source).toMatchObject({ pulls: 3, cancels: 0 });
  });

  test("that is empty is an empty answer", async () => {
    await using gateway = serve(new ScriptedSource(async () => null));
    expect(await (await fetch(gateway.server.url)).text()).toBe("");
    expect(gateway.streams.size).toBe(0);
  });

  test("that fails breaks off, before its first piece and behind it", async () => {
    for (const whole of [0, 1]) {
      const source = new ScriptedSource(async (pull) => {
        await Bun.sleep(5);
        if (pull < whole) return "piece";
        throw new Error("the source is broken");
      });
      await using gateway = serve(source);
      using client = await gateway.ask();
      const received = await client.untilClosed();
      expect(received).not.toContain(lastChunk);
      expect(received.includes("piece")).toBe(whole === 1);
      expect(gateway.streams.size).toBe(0);
    }
  });

  test("hears that the process is ending while it is open", async () => {
    const source = thenSilence("piece");
    await using gateway = serve(source);
    using client = await gateway.ask();
    await client.until(/piece/);
    gateway.streams.interrupt();
    expect(source.interrupts).toBe(1);
  });

  test("is filled in its quiet spells, between whole pieces alone", async () => {
    const source = thenSilence("piece");
    await using gateway = serve(source, { keepAliveMs: 20, filler: ":\n" });
    using client = await gateway.ask();
    await client.until(/piece\r\n(?:2\r\n:\n\r\n){2}/);
    source.isWhole = false;
    await Bun.sleep(whileMs);
    const { length } = client.received;
    await Bun.sleep(4 * whileMs);
    expect(client.received).toHaveLength(length);
    source.isWhole = true;
    while (client.received.length === length) await Bun.sleep(5);
  });
});

describe("a client that leaves", () => {
  test("while nothing comes: the source is told at once, and once", async () => {
    for (const pieces of [[], ["piece"]]) {
      const source = thenSilence(...pieces);
      await using gateway = serve(source);
      const client = await gateway.ask();
      while (source.pulls <= pieces.length) await Bun.sleep(5);
      client[Symbol.dispose]();
      await source.cancelled;
      expect(gateway.streams.size).toBe(0);
      await Bun.sleep(whileMs);
      expect(source).toMatchObject({ pulls: pieces.length + 1, cancels: 1 });
    }
  });

  test("while it is waited for: the source is told at once, and nothing more is pulled", async () => {
    const source = flood();
    await using gateway = serve(source);
    const client = await gateway.ask();
    client.pause();
    await heldBack(source);
    const { pulls } = source;
    client[Symbol.dispose]();
    await source.cancelled;
    expect(gateway.streams.size).toBe(0);
    await Bun.sleep(whileMs);
    expect(source).toMatchObject({ pulls, cancels: 1 });
  });

  test("before its answer begins: the source is told, and never pulled", async () => {
    const held = Promise.withResolvers<void>();
    const source = thenSilence("piece");
    await using gateway = serve(source, { held: held.promise });
    const client = await gateway.ask();
    while (gateway.server.pendingRequests === 0) await Bun.sleep(5);
    client[Symbol.dispose]();
    await Bun.sleep(whileMs);
    held.resolve();
    await source.cancelled;
    expect(source).toMatchObject({ pulls: 0, cancels: 1 });
    expect(gateway.streams.size).toBe(0);
  });

  test("or asks for the head alone: the source is told, and never pulled", async () => {
    const source = thenSilence("piece");
    await using gateway = serve(source);
    using client = await gateway.ask("HEAD");
    await client.until(/\r\n\r\n$/);
    expect(source).toMatchObject({ pulls: 0, cancels: 1 });
    expect(gateway.streams.size).toBe(0);
  });

  test("and a source that breaks over that is nobody's error", async () => {
    const broken = Promise.withResolvers<never>();
    const source = new ScriptedSource(async () => await broken.promise);
    await using gateway = serve(source);
    const client = await gateway.ask();
    while (source.pulls === 0) await Bun.sleep(5);
    client[Symbol.dispose]();
    await source.cancelled;
    broken.reject(new Error("the source is broken"));
    await Bun.sleep(whileMs);
    expect(source).toMatchObject({ pulls: 1, cancels: 1 });
    expect(gateway.told.answers).toBe(1);
  });
});

describe("a client that does not read", () => {
  test("holds its source back, and gets all of it when it reads again", async () => {
    const source = flood();
    await using gateway = serve(source);
    using client = await gateway.ask();
    client.pause();
    await heldBack(source);
    expect(source.givenBytes).toBeLessThan(floodBytes / 2);
    client.resume();
    const received = await client.untilClosed();
    expect(received).toEndWith(lastChunk);
    const pieces = received.slice(received.indexOf("\r\n\r\n")).match(/(?:0123456789abcdef)+/g);
    expect(pieces?.reduce((bytes, piece) => bytes + piece.length, 0)).toBe(floodBytes);
    expect(source.cancels).toBe(0);
    expect(gateway.streams.size).toBe(0);
  });

  test("is dropped after its time, and the source is told once", async () => {
    const source = flood();
    await using gateway = serve(source, { writeStallMs: 300 });
    using client = await gateway.ask();
    client.pause();
    await source.cancelled;
    expect(gateway.streams.size).toBe(0);
    client.resume();
    expect(await client.untilClosed()).not.toEndWith(lastChunk);
    expect(source.cancels).toBe(1);
    expect(source.givenBytes).toBeLessThan(floodBytes / 2);
  });

  test("is not dropped for having stopped once", async () => {
    const source = flood(forEver);
    await using gateway = serve(source, { writeStallMs: 1000 });
    using client = await gateway.ask();
    client.pause();
    await heldBack(source);
    client.resume();
    while (source.givenBytes < floodBytes) await Bun.sleep(5);
    await Bun.sleep(1200);
    expect(client.isClosed).toBeFalse();
    expect(source.cancels).toBe(0);
  });

  test("is not dropped while there is nothing to read", async () => {
    const source = thenSilence("piece");
    await using gateway = serve(source, { writeStallMs: 20 });
    using client = await gateway.ask();
    await client.until(/piece/);
    await Bun.sleep(4 * whileMs);
    expect(client.isClosed).toBeFalse();
    expect(source.cancels).toBe(0);
  });
});
