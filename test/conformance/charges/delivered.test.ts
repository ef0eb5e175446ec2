// Charges for output that was delivered and hardly reported: thoughts past the bound, and usage
// that is told as nothing, or as far less than what came.
import { beforeAll, describe, expect, test } from "bun:test";
import { balanceOf, eventually } from "../../harness/books.ts";
import { entryOf } from "../../harness/entries.ts";
import { startGateway } from "../../harness/gateway.ts";
import { Vendor, type VendorScript } from "../../harness/vendor.ts";
import { tokenizerIsThere } from "../../harness/time/tokenizer.ts";
import { answers } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendor = kept(new Vendor(answers("chat", "Yes.")));
const metered = { input_micros_per_million: 1e6, output_micros_per_million: 1e6 };

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [vendor.channel({ name: "told", models: ["m"] })],
      prices: [{ model: "m", ...metered }],
      notices: { check_seconds: 1 },
    }),
  }),
);

beforeAll(() => tokenizerIsThere(gateway, "m"));

const thousandDollars = 1_000_000_000;

interface Said {
  content?: string;
  reasoning_content?: string;
}

/** The same answer whole and in pieces of a thousand letters. */
function says(said: Said, usage: object): VendorScript {
  return (request, reply) => {
    const head = { id: "chatcmpl-1", created: 1_790_000_000, model: "m" };
    if (request.body["stream"] !== true) {
      const message = { role: "assistant", content: "", ...said };
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      return reply.json({ ...head, object: "chat.completion", choices, usage });
    }
    const chunk = (delta: object, finish: string | null = null) => ({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    reply.stream();
    for (const [field, text] of Object.entries(said)) {
      for (let at = 0; at < text.length; at += 1000) {
        reply.event(chunk({ [field]: text.slice(at, at + 1000) }));
      }
    }
    reply.event(chunk({}, "stop"));
    reply.event({ ...head, object: "chat.completion.chunk", choices: [], usage });
    reply.event("[DONE]");
    reply.end();
  };
}

const usageOf = (input: number, output: number, reasoning = 0) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  completion_tokens_details: { reasoning_tokens: reasoning },
});

async function ask(key: string, stream: boolean, fields: object = {}): Promise<string> {
  const messages = [{ role: "user", content: "hi" }];
  const body = { model: "m", messages, stream, ...fields };
  const response = await gateway.post("/v1/chat/completions", body, key);
  expect(response.status).toBe(200);
  await response.text();
  return response.headers.get("x-request-id") ?? "";
}

const doubts = async () => {
  const { items } = await gateway.first.control<{ items: { implausible: number }[] }>(
    "GET",
    "/api/channel",
  );
  return items[0]?.implausible ?? 0;
};

const words = (count: number) => "word ".repeat(count).trim();

describe.each([false, true])("streamed: %p", (stream) => {
  test("hazard B12 28,000 thoughts that were delivered past a bound of 1 are charged", async () => {
    vendor.script = says(
      { reasoning_content: words(28_000), content: "4" },
      usageOf(10, 28_001, 28_000),
    );
    const { key } = await gateway.customer(thousandDollars);
    const entry = await entryOf(gateway, await ask(key, stream, { max_tokens: 1 }));
    expect(entry).toMatchObject({ micros: 28_011, loss_micros: 0, usage: "10/28001/0/0" });
  });

  test("hazard B12 thoughts past the bound are charged as far as the wallet goes", async () => {
    vendor.script = says(
      { reasoning_content: words(28_000), content: "4" },
      usageOf(10, 28_001, 28_000),
    );
    const { id, key } = await gateway.customer(5000);
    const entry = await entryOf(gateway, await ask(key, stream, { max_tokens: 1 }));
    // A stream is ended when what came costs about as much as there is, and pays for that.
    expect(entry.micros).toBeGreaterThan(stream ? 4000 : 4999);
    expect((await balanceOf(gateway, id)).quota_micros).toBe(5000 - entry.micros);
    if (!stream) expect(entry.loss_micros).toBe(28_011 - 5000);
  });

  test("hazard B12 25,000 words that are told as nothing are counted here and charged", async () => {
    vendor.script = says({ content: words(25_000) }, usageOf(0, 0));
    const { key } = await gateway.customer(thousandDollars);
    const before = await doubts();
    const entry = await entryOf(gateway, await ask(key, stream));
    expect(entry.usage).toMatch(/^~\d+\/2500\d\/0\/0$/);
    expect(entry.micros).toBeGreaterThan(25_000);
    expect((await doubts()) - before).toBe(1);
  });

  test("hazard B12 25,000 words that are told as 100 are charged as told", async () => {
    vendor.script = says({ content: words(25_000) }, usageOf(10, 100));
    const { key } = await gateway.customer(thousandDollars);
    const before = await doubts();
    const entry = await entryOf(gateway, await ask(key, stream));
    expect(entry).toMatchObject({ micros: 110, loss_micros: 0, usage: "10/100/0/0" });
    expect(await doubts()).toBe(before);
  });

  test("hazard B12 a vendor that counts less than we do is believed", async () => {
    vendor.script = says({ content: words(1000) }, usageOf(10, 400));
    const { key } = await gateway.customer(thousandDollars);
    const before = await doubts();
    const entry = await entryOf(gateway, await ask(key, stream));
    expect(entry).toMatchObject({ micros: 410, usage: "10/400/0/0" });
    expect(await doubts()).toBe(before);
  });

  test("hazard B12 what was clamped is told by account and channel", async () => {
    vendor.script = says({ content: "Yes." }, usageOf(10, 5000));
    const { id, key } = await gateway.customer(thousandDollars);
    await entryOf(gateway, await ask(key, stream, { max_tokens: 100 }));
    const metrics = await gateway.metrics();
    expect(metrics).toContain(
      `sluice_clamped_micros_total{account="${id}",channel="told"} ${5000 - 381}`,
    );
  });
});

interface Notice {
  kind: string;
  text: string;
  details: object;
}

test("a vendor that tells far less than it delivers is one notice for its operator", async () => {
  const { key } = await gateway.customer(thousandDollars);
  vendor.script = says({ content: words(25_000) }, usageOf(10, 100));
  for (const stream of [false, true, false]) await ask(key, stream);
  const notices = async () => {
    const { items } = await gateway.control<{ items: Notice[] }>("GET", "/api/notice");
    return items.filter(({ kind }) => kind === "low_usage_report");
  };
  const [notice, ...others] = await eventually("the notice", async () => {
    const found = await notices();
    return found.length > 0 ? found : undefined;
  });
  expect(others).toEqual([]);
  expect(notice?.text).toContain("it reported 100 tokens where 2500");
  expect(notice?.details).toMatchObject({ channel: "told", model: "m", reported_tokens: 100 });
});

describe("an account that keeps using more than it can pay", () => {
  const thoughts = says({ reasoning_content: words(4000), content: "4" }, usageOf(10, 4001, 4000));
  const answered = async (key: string) => {
    const fields = { model: "m", messages: [{ role: "user", content: "hi" }], max_tokens: 1 };
    const response = await gateway.first.post("/v1/chat/completions", fields, key);
    return { status: response.status, text: await response.text() };
  };
  const statusOf = async (id: string) =>
    (await gateway.first.control<{ status: string }>("GET", `/api/user/${id}`)).status;

  /** Five at once, each of which fits into the wallet and costs more than there is. */
  async function overrun(key: string, script: VendorScript) {
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    let came = 0;
    vendor.script = async (request, reply) => {
      came++;
      if (came === 6) resolve();
      await gate;
      await script(request, reply);
    };
    const all = await Promise.all(Array.from({ length: 6 }, () => answered(key)));
    vendor.script = answers("chat", "Yes.");
    return all.map(({ status }) => status);
  }

  test("hazard B12 waits for an operator, and goes on when that one enables it", async () => {
    const { id, key } = await gateway.customer(2000);
    expect(await overrun(key, thoughts)).toEqual([200, 200, 200, 200, 200, 200]);
    await eventually("the account waits", async () =>
      (await statusOf(id)) === "waiting" ? true : undefined,
    );
    await gateway.first.control("POST", `/api/user/${id}/credit`, {
      id: crypto.randomUUID(),
      micros: 100_000,
      reason: "more",
    });
    const { status, text } = await answered(key);
    expect([status, text]).toEqual([403, expect.stringContaining("account_waiting")]);
    await gateway.first.control("PATCH", `/api/user/${id}`, { status: "enabled" });
    expect(await statusOf(id)).toBe("enabled");
    expect((await answered(key)).status).toBe(200);
  });

  test("hazard B12 by its vendor's word alone does not wait", async () => {
    const { id, key } = await gateway.customer(12_000);
    const lie = says({ content: "4" }, usageOf(1e6, 1e6));
    expect(await overrun(key, lie)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await statusOf(id)).toBe("enabled");
  });
});
