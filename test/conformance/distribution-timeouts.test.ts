// Time limits of a channel: its own limits over those of the gateway, and less before a stream
// begins than for a whole answer.
import { describe, expect, test } from "bun:test";
import { chatBody } from "../harness/ask.ts";
import { readStream } from "../harness/event-stream.ts";
import { startGateway } from "../harness/gateway.ts";
import { ImageHost } from "../harness/images/host.ts";
import { ask as askImage } from "../harness/images/stand.ts";
import { completion, delta, usageChunk, Vendor, type VendorScript } from "../harness/vendor.ts";
import { useStand } from "../harness/nodes/stand.ts";

const config = `
sandbox: "off"
unpriced: free
timeouts: { first_byte_ms: 600000, stream_first_byte_ms: 120000, stall_ms: 20000 }
distribution: { failures_to_eject: 1000000, retry_budget_percent: 100 }
`;

let modelCount = 0;

// In this process on whatever engine tests run: its clock is moved.
const gateway = useStand(() => startGateway({ config, isOnFiles: true }));

const good: VendorScript = (request, reply) => {
  if (request.body["stream"] !== true) return reply.json(completion("From the good one."));
  reply.stream();
  reply.event(delta({ role: "assistant", content: "From the good one." }, "stop"));
  reply.event(usageChunk());
  reply.event("[DONE]");
  reply.end();
};

/** Begins at once, and then says a word every 200 ms for ever. */
const endless: VendorScript = async (request, reply) => {
  reply.stream();
  let isOpen = true;
  void request.closed.then(() => (isOpen = false));
  while (isOpen) {
    reply.event(delta({ content: "word " }));
    await Bun.sleep(200);
  }
};

const silent: VendorScript = () => {};

async function addChannel(vendor: Vendor, fields: Record<string, unknown>): Promise<string> {
  const body = vendor.channel({ name: `channel ${crypto.randomUUID().slice(0, 8)}`, ...fields });
  return (await gateway.control<{ id: string }>("POST", "/api/channel", body)).id;
}

interface Timed {
  text: string;
  ms: number;
}

async function timed(model: string, stream: boolean): Promise<Timed> {
  const startedAtMs = performance.now();
  const response = await gateway.post("/v1/chat/completions", chatBody(model, { stream }));
  const text = await response.text();
  return { text, ms: performance.now() - startedAtMs };
}

interface Silence extends Disposable {
  /** From a good channel, which stands behind the silent one. */
  answering: Promise<Timed>;
  /** Times that the good one was asked, once all that is under way has come to rest. */
  timesAsked(): Promise<number>;
}

/** A request that a first channel of this kind has, and says nothing to. */
async function beginSilence(fields: object, stream: boolean): Promise<Silence> {
  const { promise: isThere, resolve } = Promise.withResolvers<void>();
  const slow = new Vendor(() => resolve());
  const next = new Vendor(good);
  modelCount++;
  const models = [`model-${modelCount}`];
  await addChannel(slow, { models, priority: 5, ...fields });
  await addChannel(next, { models });
  const answering = timed(models[0] ?? "", stream);
  await isThere;
  return {
    answering,
    async timesAsked() {
      for (let times = 0; times < 3; times++) await gateway.control("GET", "/api/channel");
      return next.requests.length;
    },
    [Symbol.dispose]() {
      slow[Symbol.dispose]();
      next[Symbol.dispose]();
    },
  };
}

/** Far from each limit on both sides: a busy machine adds seconds of its own. */
describe("before the first byte", () => {
  const own = { first_byte_ms: 30_000 };
  test.each([
    ["a stream has two minutes here", {}, true, [90, 35]],
    ["a whole answer has more than a stream", {}, false, [500, 110]],
    ["a channel's own limit holds for a stream", own, true, [5, 27]],
    ["a channel's own limit holds for an answer", own, false, [5, 27]],
    ["a channel's own limit may be the longer one", { first_byte_ms: 300_000 }, true, [200, 105]],
    ["a whole answer ends with the channel's total", { total_ms: 30_000 }, false, [5, 27]],
  ] as const)("a channel that says nothing: %s", async (_, fields, stream, [within, beyond]) => {
    using silence = await beginSilence(fields, stream);
    gateway.pass(within);
    expect(await silence.timesAsked()).toBe(0);
    gateway.pass(beyond);
    expect((await silence.answering).text).toContain("From the good one.");
  });
});

describe("inside a stream", () => {
  test("a channel's own silence ends it", async () => {
    using vendor = new Vendor((_request, reply) => {
      reply.stream();
      reply.event(delta({ role: "assistant", content: "Half" }));
    });
    await addChannel(vendor, { models: ["half"], stall_ms: 500 });
    const startedAtMs = performance.now();
    const response = await gateway.post("/v1/chat/completions", chatBody("half", { stream: true }));
    const { chunks } = await readStream(response);
    expect(chunks.at(-1)).toHaveProperty("error.message", "The upstream fell silent.");
    expect(performance.now() - startedAtMs).toBeLessThan(15_000);
  });

  test("a channel's own total ends it, however much it says", async () => {
    using vendor = new Vendor(endless);
    await addChannel(vendor, { models: ["endless"], total_ms: 1000 });
    const { text, ms } = await timed("endless", true);
    expect(text).toContain("bad_response");
    expect([ms > 900, ms < 15_000]).toEqual([true, true]);
  });
});

test("an image is waited for as long as its channel says", async () => {
  await using host = new ImageHost(() => new Promise(() => {}));
  await gateway.control("POST", "/api/channel", host.channel({ first_byte_ms: 500 }));
  const startedAtMs = performance.now();
  const answer = await askImage(gateway, { model: "imageA-2", prompt: "A fox" });
  expect(answer.status).toBe(500);
  expect(performance.now() - startedAtMs).toBeLessThan(15_000);
});

test("a channel's limits are shown, changed and taken back", async () => {
  using vendor = new Vendor(silent);
  const limits = { first_byte_ms: 1000, stall_ms: 2000, total_ms: 3000 };
  const id = await addChannel(vendor, { models: ["shown"], ...limits });
  const path = `/api/channel/${id}`;
  expect(await gateway.control<object>("GET", path)).toMatchObject(limits);
  const changed = await gateway.control<object>("PATCH", path, { stall_ms: 5000, total_ms: null });
  expect(changed).toMatchObject({ first_byte_ms: 1000, stall_ms: 5000, total_ms: null });
  const wrong = await gateway.controlEnvelope("PATCH", path, { first_byte_ms: 0 });
  expect([wrong.success, wrong.message]).toEqual([false, expect.stringContaining("first_byte_ms")]);
});
