// Vendors whose bound on the answer leaves out what is thought before it: theirs for both is sent,
// or thoughts are bounded apart and held for, so that no more comes than was held.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { entryOf } from "../../harness/entries.ts";
import { type Gateway, startGateway } from "../../harness/gateway.ts";
import { HttpProxy } from "../../harness/proxy.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

const vendor = new Vendor(answers("chat", "Yes."));
const metered = { input_micros_per_million: 1e6, output_micros_per_million: 1e6 };
const seed = "doubao-seed-1-6-250615";
let gateway: Gateway;
let proxy: HttpProxy;

beforeAll(async () => {
  proxy = await HttpProxy.listening();
  for (const host of ["ark.cn-beijing.volces.com", "dashscope.aliyuncs.com"]) {
    proxy.hosts.set(host, vendor.url);
  }
  const behind = (name: string, base_url: string, models: string[]) =>
    vendor.channel({ name, base_url, models, proxy: proxy.url() });
  gateway = await startGateway({
    config: JSON.stringify({
      channels: [
        behind("ark", "http://ark.cn-beijing.volces.com/api/v3", [seed]),
        behind("dashscope", "http://dashscope.aliyuncs.com/compatible-mode/v1", ["qwen3-32b"]),
      ],
      prices: [seed, "qwen3-32b"].map((model) => ({ model, ...metered })),
    }),
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

const messages = [{ role: "user", content: "hi" }];

async function sent(model: string, fields: object, path = "/v1/chat/completions") {
  const { key } = await gateway.customer(1_000_000_000);
  vendor.requests.length = 0;
  const response = await gateway.post(path, { model, messages, ...fields }, key);
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  const [request] = vendor.requests;
  const { max_tokens, max_completion_tokens, thinking_budget } = request?.body ?? {};
  const entry = await entryOf(gateway, response.headers.get("x-request-id") ?? "");
  const added = response.headers.get("x-sluice-added");
  return { bounds: { max_tokens, max_completion_tokens, thinking_budget }, entry, added };
}

describe("Ark", () => {
  test.each(["/v1/chat/completions", "/v1/messages"])(
    "hazard B12 is sent its bound for answer and thoughts, asked by %s",
    async (path) => {
      const { bounds } = await sent(seed, { max_tokens: 300 }, path);
      expect(bounds).toEqual({
        max_tokens: undefined,
        max_completion_tokens: 300,
        thinking_budget: undefined,
      });
    },
  );

  test("hazard B12 that does not know that bound is asked by the one on its answer", async () => {
    vendor.script = (request, reply) => {
      if (request.body["max_completion_tokens"] === undefined) {
        return answers("chat", "Yes.")(request, reply);
      }
      const message = "The parameter max_completion_tokens is not supported by this model";
      return reply.json({ error: { message, type: "BadRequest", code: "InvalidParameter" } }, 400);
    };
    await sent(seed, { max_tokens: 300 });
    expect(vendor.requests.at(-1)?.body["max_tokens"]).toBe(300);
    vendor.script = answers("chat", "Yes.");
  });
});

describe("DashScope", () => {
  test("hazard B12 has thoughts bounded as the answer is, told and held for", async () => {
    const fields = { max_tokens: 5000 };
    const { bounds, entry, added } = await sent("qwen3-32b", fields);
    expect(bounds).toMatchObject({ max_tokens: 5000, thinking_budget: 5000 });
    expect(added).toBe("thinking_budget=5000");
    const off = await sent("qwen3-32b", { ...fields, enable_thinking: false });
    expect(off.bounds).toMatchObject({ max_tokens: 5000, thinking_budget: undefined });
    expect(off.added).toBe(null);
    const bytes = JSON.stringify({ enable_thinking: false }).length - 1;
    expect(entry.held_micros - off.entry.held_micros).toBe(5000 - bytes);
  });

  test("hazard B12 keeps a budget that the client names, which is held for", async () => {
    const fields = { max_tokens: 10, thinking_budget: 20_000 };
    const { bounds, entry, added } = await sent("qwen3-32b", fields);
    expect(bounds).toMatchObject({ max_tokens: 10, thinking_budget: 20_000 });
    expect(added).toBe(null);
    expect(entry.held_micros).toBeGreaterThanOrEqual(20_010);
    expect(entry.held_micros).toBeLessThan(21_000);
  });

  test("hazard B12 is believed thoughts within their budget", async () => {
    const counts = { input: 10, output: 9000, reasoning: 4500 };
    vendor.script = answers("chat", "Yes.", counts);
    const { entry } = await sent("qwen3-32b", { max_tokens: 5000 });
    expect(entry).toMatchObject({ micros: 9010, loss_micros: 0, usage: "10/9000/0/0" });
    vendor.script = answers("chat", "Yes.");
  });
});
