import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Clock, Timers } from "../../../core/clock.ts";
import { Deadlines } from "../../../core/deadline.ts";
import { encodeEvent } from "../../../core/sse.ts";
import { estimateTokens } from "../../../formats/usage.ts";
import { Meter, meterRules, type MeterRules, type Tally } from "./meter.ts";
import type { CountCall } from "./meter-thread.ts";
import type { CountingWorker } from "./thread.ts";

/** Stands still until it is told to pass. */
class FakeTime implements Clock, Timers {
  #nowMs = 0;
  #tick: () => void = () => {};

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(): () => void {
    throw new Error("a meter sets no timer of its own");
  }

  every(_periodMs: number, run: () => void): () => void {
    this.#tick = run;
    return () => {};
  }

  pass(forMs: number): void {
    this.#nowMs += forMs;
    this.#tick();
  }
}

interface Started {
  calls: CountCall[];
  closed: Promise<void>;
}

type Given = Bun.Transferable[] | Bun.StructuredSerializeOptions;

interface SetUp {
  rules?: Partial<MeterRules>;
  /** A file to run in place of the thread. */
  file?: string;
}

/** A meter whose threads and the calls to them can be looked at. */
function setUp({ rules = {}, file = "./meter-thread.ts" }: SetUp = {}) {
  const time = new FakeTime();
  const threads: Started[] = [];
  const meter = new Meter(
    {
      deadlines: new Deadlines(time, time),
      startThread() {
        const worker = new Worker(new URL(file, import.meta.url), { smol: true });
        const calls: CountCall[] = [];
        const closed = new Promise<void>((resolve) => {
          worker.addEventListener("close", () => resolve());
        });
        threads.push({ calls, closed });
        const post = worker.postMessage.bind(worker);
        worker.postMessage = (call: CountCall, given?: Given) => {
          calls.push(call);
          if (Array.isArray(given)) post(call, given);
          else post(call, given);
        };
        return worker;
      },
    },
    { ...meterRules, ...rules },
  );
  return { time, threads, meter, [Symbol.dispose]: () => meter.close() };
}

function exactly(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set<string>() });
}

function roughly(text: string): number {
  return Math.ceil(estimateTokens(text));
}

function chunk(content: string): Uint8Array {
  return encodeEvent(JSON.stringify({ choices: [{ index: 0, delta: { content } }] }));
}

function pushAll(tally: Tally, text: string, charactersEach: number): void {
  for (let at = 0; at < text.length; at += charactersEach) {
    tally.push(chunk(text.slice(at, at + charactersEach)));
  }
  tally.push(encodeEvent("[DONE]"));
}

const shared = setUp();
const prose = "It wasn't the raven's 1,024th word; 烏鴉說：「永不復焉」。\n\n\tNevermore! ";
/** A thread that hears everything and never answers. */
const mute = URL.createObjectURL(new Blob(["self.onmessage = () => {};"]));

afterAll(() => shared.meter.close());

describe("a tally", () => {
  test("counts as the tokenizer does, wherever the events cut the text", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 }).map((odd) => prose + odd + prose);
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 50 }), async (written, charactersEach) => {
        const tally = shared.meter.open("chat");
        pushAll(tally, written, charactersEach);
        expect(await tally.count()).toBe(exactly(written));
      }),
      { numRuns: 50 },
    );
  });

  test("counts each text of a whole reply", async () => {
    const message = { content: "Nothing more.", refusal: "Nevermore." };
    const tally = shared.meter.open("chat");
    tally.push(Buffer.from(JSON.stringify({ choices: [{ index: 0, message }] })));
    expect(await tally.count()).toBe(exactly("Nothing more.") + exactly("Nevermore."));
  });

  test.each([
    ["completions", { choices: [{ index: 0, text: prose }] }],
    ["responses", { type: "response.output_text.delta", delta: prose }],
    ["messages", { type: "content_block_delta", delta: { type: "text_delta", text: prose } }],
    ["content", { candidates: [{ content: { role: "model", parts: [{ text: prose }] } }] }],
  ] as const)("reads events of %s", async (format, event) => {
    const tally = shared.meter.open(format);
    tally.push(encodeEvent(JSON.stringify(event)));
    expect(await tally.count()).toBe(exactly(prose));
  });

  test("counts what looks like a special token as text", async () => {
    const tally = shared.meter.open("chat");
    pushAll(tally, "<|endoftext|><|im_start|>", 3);
    expect(await tally.count()).toBe(exactly("<|endoftext|><|im_start|>"));
  });

  test("hands a long stream over in pieces and loses no token between them", async () => {
    using parts = setUp();
    const tally = parts.meter.open("chat");
    const text = prose.repeat(4_000);
    for (let at = 0; at < text.length; at += 100_000) {
      pushAll(tally, text.slice(at, at + 100_000), 50);
      // The thread is given its time, as a stream would.
      await parts.meter.countRequest("chat", "word");
    }
    expect(await tally.count()).toBe(exactly(text));
    const handed = parts.threads[0]?.calls.filter(({ request }) => request?.kind === "reply") ?? [];
    expect(handed.length).toBeGreaterThan(2);
  });

  test("is counted once, however often it is asked", async () => {
    const tally = shared.meter.open("chat");
    pushAll(tally, prose, 7);
    const counts = [tally.count(), tally.count()];
    expect(await Promise.all(counts)).toEqual([exactly(prose), exactly(prose)]);
  });

  test("that was dropped counts nothing and needs no thread", async () => {
    using parts = setUp();
    const tally = parts.meter.open("chat");
    pushAll(tally, prose, 7);
    tally.drop();
    pushAll(tally, prose.repeat(1_000), 50);
    expect(await tally.count()).toBe(0);
    expect(parts.threads).toHaveLength(0);
  });

  test("that got nothing counts nothing and needs no thread", async () => {
    using parts = setUp();
    expect(await parts.meter.open("chat").count()).toBe(0);
    expect(await parts.meter.countRequest("chat", { messages: [] })).toBe(0);
    expect(parts.threads).toHaveLength(0);
  });

  test("of a long reply in one piece waits for the question", async () => {
    using parts = setUp();
    const message = { content: prose.repeat(10_000) };
    const tally = parts.meter.open("chat");
    tally.push(Buffer.from(JSON.stringify({ choices: [{ index: 0, message }] })));
    expect(parts.threads).toHaveLength(0);
    expect(await tally.count()).toBe(exactly(message.content));
  });

  test("keeps less when others keep much", async () => {
    using parts = setUp({ rules: { sharedBytesMax: 256 * 1024 } });
    const first = parts.meter.open("chat");
    const text = prose.repeat(600);
    pushAll(first, text, 50);
    expect(parts.threads).toHaveLength(0);
    const second = parts.meter.open("chat");
    pushAll(second, text, 50);
    expect(parts.threads).toHaveLength(1);
    const counts = await Promise.all([first.count(), second.count()]);
    expect(counts).toEqual([exactly(text), exactly(text)]);
  });
});

describe("a request", () => {
  test("is counted from its body and from its JSON alike", async () => {
    const body = { model: "any", messages: [{ role: "user", content: prose }] };
    const tokens = await shared.meter.countRequest("chat", body);
    expect(tokens).toBeGreaterThanOrEqual(exactly(prose));
    expect(await shared.meter.countRequest("chat", JSON.stringify(body))).toBe(tokens);
  });
});

describe("an estimate", () => {
  test("takes the place of a count when no thread can be started", async () => {
    const time = new FakeTime();
    const startThread = (): CountingWorker => {
      throw new Error("there are no threads");
    };
    const meter = new Meter({ deadlines: new Deadlines(time, time), startThread });
    const tally = meter.open("chat");
    pushAll(tally, prose.repeat(10_000), 50);
    expect(await tally.count()).toBe(roughly(prose.repeat(10_000)));
    expect(await meter.countRequest("chat", "some words")).toBe(roughly("some words"));
  });

  test("takes the place of a count when the thread dies, and the next is not started at once", async () => {
    using parts = setUp({ file: "../../meter/no-such-file.ts" });
    const tally = parts.meter.open("chat");
    pushAll(tally, prose, 7);
    expect(await tally.count()).toBe(roughly(prose));
    expect(await parts.meter.countRequest("chat", "some words")).toBe(roughly("some words"));
    expect(parts.threads).toHaveLength(1);
    parts.time.pass(meterRules.silenceMs);
    expect(await parts.meter.countRequest("chat", "some words")).toBe(roughly("some words"));
    expect(parts.threads).toHaveLength(2);
  });

  test("takes the place of a count when the thread is late; it is told, and ended when it stays silent", async () => {
    using parts = setUp({ file: mute });
    const tally = parts.meter.open("chat");
    pushAll(tally, prose, 7);
    const count = tally.count();
    await Promise.resolve();
    parts.time.pass(meterRules.waitMs);
    expect(await count).toBe(roughly(prose));
    const thread = parts.threads[0];
    expect(thread?.calls.map(({ request }) => request?.kind)).toEqual(["reply", undefined]);
    parts.time.pass(meterRules.silenceMs);
    await thread?.closed;
  });

  test("takes the place of a count when too much waits already", async () => {
    using parts = setUp({ file: mute, rules: { queueBytesMax: 1_000 } });
    const waiting = parts.meter.countRequest("chat", "word ".repeat(150));
    const words = "word ".repeat(100);
    expect(await parts.meter.countRequest("chat", words)).toBe(roughly(words));
    parts.time.pass(meterRules.waitMs);
    expect(await waiting).toBe(roughly("word ".repeat(150)));
  });

  test("takes the place of a count for a stream that is faster than the thread", async () => {
    using parts = setUp({ file: mute });
    const tally = parts.meter.open("chat");
    const text = prose.repeat(20_000);
    pushAll(tally, text, 50);
    const count = tally.count();
    parts.time.pass(meterRules.waitMs);
    // The last piece is asked for when the first has been given up.
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    expect(parts.threads[0]?.calls).toHaveLength(3);
    parts.time.pass(meterRules.waitMs);
    expect(await count).toBe(roughly(text));
  });

  test("takes the place of a count when the meter is closed, also for what is waited for", async () => {
    const parts = setUp({ file: mute });
    const tally = parts.meter.open("chat");
    pushAll(tally, prose, 7);
    const count = tally.count();
    await Promise.resolve();
    parts.meter.close();
    expect(await count).toBe(roughly(prose));
    expect(await parts.meter.countRequest("chat", "some words")).toBe(roughly("some words"));
    expect(parts.threads).toHaveLength(1);
    await parts.threads[0]?.closed;
  });
});

test("a thread without work ends after a while, and starts again for more", async () => {
  using parts = setUp();
  const tally = parts.meter.open("chat");
  pushAll(tally, prose.repeat(1_200), 50);
  expect(await parts.meter.countRequest("chat", prose)).toBe(exactly(prose));
  expect(parts.threads).toHaveLength(1);
  parts.time.pass(meterRules.idleMs + 1000);
  await parts.threads[0]?.closed;
  pushAll(tally, prose.repeat(1_200), 50);
  expect(await tally.count()).toBe(exactly(prose.repeat(2_400)));
  expect(parts.threads).toHaveLength(2);
});

describe("a prompt that is bounded", () => {
  const encodeText = (text: string) => new TextEncoder().encode(text);
  const json = JSON.stringify({ messages: [{ role: "user", content: prose.repeat(200) }] });

  test("has at most what is counted in its Latin text, and the rest by its letters", async () => {
    using one = setUp();
    const ask = { written: [encodeText(json)], mediaBytes: 0, percent: 100, withinMs: 60_000 };
    const most = (await one.meter.boundPrompt(ask)) ?? 0;
    expect(most).toBeGreaterThan(exactly(json));
    expect(most).toBeLessThan(Buffer.byteLength(json));
    expect(await one.meter.boundPrompt({ ...ask, percent: 200 })).toBeGreaterThan(most);
  });

  test("is taken for its bytes where the time is over", async () => {
    using one = setUp();
    const words = JSON.stringify("word after word ".repeat(20_000));
    const ask = { written: [encodeText(words)], mediaBytes: 0, percent: 100, withinMs: 0 };
    const most = (await one.meter.boundPrompt(ask)) ?? 0;
    expect(most).toBeLessThanOrEqual(words.length);
    expect(most).toBeGreaterThan(words.length - 40_000);
  });

  test("is read without the escapes that its client wrote, and in all its parts", async () => {
    using one = setUp();
    const terms = { mediaBytes: 0, percent: 100, withinMs: 60_000 };
    const plain = JSON.stringify({ content: `${prose} 你好，世界`.repeat(20) });
    const escaped = plain.replaceAll(
      /[^ -~]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    expect(escaped).not.toBe(plain);
    const boundOf = (...written: string[]) =>
      one.meter.boundPrompt({ ...terms, written: written.map(encodeText) });
    const most = (await boundOf(plain)) ?? 0;
    expect(await boundOf(escaped)).toBe(most);
    expect(await boundOf(plain, escaped)).toBeGreaterThan(most * 1.9);
  });

  test("takes no place from what is to be charged", async () => {
    using one = setUp({ rules: { queueBytesMax: 100 } });
    const ask = { written: [encodeText(json)], mediaBytes: 0, percent: 100, withinMs: 60_000 };
    const bounded = one.meter.boundPrompt(ask);
    const body = { messages: [{ role: "user", content: "one two three" }] };
    expect(await one.meter.countRequest("chat", body)).toBe(exactly("one two three"));
    expect(await bounded).not.toBeNull();
  });
});
