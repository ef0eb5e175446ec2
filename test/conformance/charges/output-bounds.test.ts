// The bound on the output that a vendor is given where the client named none: none for models that
// are known, the default for others, and what the wallet covers where that is less.
import { describe, expect, test } from "bun:test";
import { balanceOf } from "../../harness/books.ts";
import { entryOf } from "../../harness/entries.ts";
import { startGateway } from "../../harness/gateway.ts";
import { Vendor, type VendorRequest } from "../../harness/vendor.ts";
import { answers } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

/** Names that agents ask for without a bound, and what their models answer at most. */
const known: [string, number][] = [
  ["gpt-5.2-codex", 128_000],
  ["gpt-5.4", 128_000],
  ["gpt-5.4-2026-03-05", 128_000],
  ["openai/gpt-5.4-mini", 128_000],
  ["o3", 100_000],
  ["o3-2025-04-16", 100_000],
  ["gemini-3-pro", 65_536],
  ["gemini-3-pro-preview", 65_536],
  ["deepseek-reasoner", 393_216],
  ["claude-opus-4-6-20260205", 128_000],
  ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", 64_000],
  ["qwen3-max-2026-01-23", 65_536],
  ["kimi-k2.6", 262_144],
  ["glm-4.7", 131_072],
  ["grok-4.5", 524_288],
  ["mistral-large-2512", 262_144],
  ["llama-3.3-70b-instruct", 131_072],
];
const models = [...known.map(([model]) => model), "unknown", "declared", "alias", "named"];
const vendor = kept(new Vendor(answers("chat", "Yes.")));
const converted = kept(new Vendor(answers("messages", "Yes.")));
const responder = kept(new Vendor(answers("responses", "Yes.")));
const metered = { input_micros_per_million: 1e6, output_micros_per_million: 1e6 };

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [
        vendor.channel({
          name: "chat",
          models: models.filter((model) => model !== "gpt-5.2-codex"),
          model_mapping: { alias: "gpt-5.5-pro" },
        }),
        vendor.channel({
          name: "freed",
          models: ["freed"],
          parameters: { remove: ["max_tokens"] },
        }),
        responder.channel({
          name: "responses",
          format: "responses",
          models: ["gpt-5.2-codex", "new-codex"],
        }),
        converted.channel({ name: "messages", type: "anthropic", models: ["converted"] }),
      ],
      prices: [
        ...[...models, "new-codex", "converted", "freed"].map((model) => ({ model, ...metered })),
        { model: "declared", ...metered, output_tokens_max: 3000 },
      ].filter(({ model }, at, all) => all.findLastIndex((one) => one.model === model) === at),
    }),
  }),
);

const thousandDollars = 1_000_000_000;
const messages = [{ role: "user", content: "hi" }];

interface Asked {
  status: number;
  sent: VendorRequest["body"] | undefined;
  added: string | null;
  held: number;
  id: string;
}

async function ask(body: object, key: string, path = "/v1/chat/completions"): Promise<Asked> {
  const all = [vendor, converted, responder];
  const before = all.map(({ requests }) => requests.length);
  const response = await gateway.post(path, body, key);
  await response.text();
  const id = response.headers.get("x-request-id") ?? "";
  const [sent] = all.flatMap(({ requests }, at) => requests.slice(before[at]));
  const { status, headers } = response;
  const held = status === 200 ? (await entryOf(gateway, id)).held_micros : 0;
  return { status, sent: sent?.body, added: headers.get("x-sluice-added"), held, id };
}

/** Body bytes and output tokens cost a micro each. */
const heldFor = (body: object, tokens: number) => JSON.stringify(body).length + tokens;

describe("a model whose limit is known", () => {
  test.each(known)(
    "hazard B11 %s gets no bound of ours, and %d tokens are held",
    async (model, most) => {
      const { key } = await gateway.customer(thousandDollars);
      const isResponse = model === "gpt-5.2-codex";
      const body = isResponse ? { model, input: "x" } : { model, messages };
      const path = isResponse ? "/v1/responses" : "/v1/chat/completions";
      const { sent, added, held } = await ask(body, key, path);
      expect(JSON.stringify(sent)).not.toMatch(/max_\w*tokens/);
      expect([added, held]).toEqual([null, heldFor(body, most)]);
    },
  );

  test("hazard B11 behind an alias gets none either", async () => {
    const { key } = await gateway.customer(thousandDollars);
    const body = { model: "alias", messages };
    const { sent, held } = await ask(body, key);
    expect(sent).toEqual({ ...body, model: "gpt-5.5-pro" });
    expect(held).toBe(heldFor(body, 128_000));
  });

  test("hazard B11 is held for by what its price says it answers at most", async () => {
    const { key } = await gateway.customer(thousandDollars);
    const body = { model: "declared", messages };
    const { sent, added, held } = await ask(body, key);
    expect([sent?.["max_tokens"], added, held]).toEqual([undefined, null, heldFor(body, 3000)]);
    const listed = await gateway.control<{ items: { id: string; output_tokens_max: number }[] }>(
      "GET",
      "/api/model?q=declared",
    );
    expect(listed.items[0]?.output_tokens_max).toBe(3000);
  });
});

describe("a bound that was put in", () => {
  test.each([
    ["/v1/chat/completions", { model: "unknown", messages }, "max_tokens"],
    ["/v1/responses", { model: "new-codex", input: "x" }, "max_output_tokens"],
    ["/v1/chat/completions", { model: "converted", messages }, "max_tokens"],
  ])(
    "hazard B11 by %s of %j is told as %s=64000 in a header and in the trace",
    async (path, body, field) => {
      const { key } = await gateway.customer(thousandDollars);
      const { sent, added, id } = await ask(body, key, path);
      expect(sent?.[field]).toBe(64_000);
      expect(added).toBe(`${field}=64000`);
      const { items } = await gateway.control<{ items: { trace: { added: string[] } }[] }>(
        "GET",
        `/api/log?request_id=${id}`,
      );
      expect(items[0]?.trace.added).toEqual([`${field}=64000`]);
    },
  );

  test("hazard B11 is not told where the client named it", async () => {
    const { key } = await gateway.customer(thousandDollars);
    const { sent, added } = await ask({ model: "unknown", messages, max_tokens: 70 }, key);
    expect([sent?.["max_tokens"], added]).toEqual([70, null]);
  });
});

describe("a wallet that does not cover the model's limit", () => {
  const body = { model: "gpt-5.4", messages };
  const inputMicros = heldFor(body, 0);

  test("hazard B11 is asked for what it covers, and nobody is refused", async () => {
    const { key, id } = await gateway.customer(inputMicros + 5000);
    const { status, sent, added, held } = await ask(body, key);
    expect([status, sent?.["max_completion_tokens"] ?? sent?.["max_tokens"]]).toEqual([200, 5000]);
    expect([added, held]).toEqual(["max_tokens=5000", inputMicros + 5000]);
    expect((await balanceOf(gateway, id)).held_micros).toBe(0);
  });

  test("hazard B11 of a key's limit too", async () => {
    const { key } = await gateway.customer(thousandDollars, { quota_micros: inputMicros + 3000 });
    expect(await ask(body, key)).toMatchObject({ status: 200, added: "max_tokens=3000" });
  });

  test("hazard B11 with less than 1,024 tokens is refused, and told what that costs", async () => {
    const { key } = await gateway.customer(inputMicros + 1023);
    const response = await gateway.post("/v1/chat/completions", body, key);
    expect(response.status).toBe(402);
    expect(await response.text()).toContain(`can cost up to $${(inputMicros + 1024) / 1e6}`);
    const exact = await gateway.customer(inputMicros + 1024);
    expect(await ask(body, exact.key)).toMatchObject({ status: 200, added: "max_tokens=1024" });
  });

  test("hazard B11 is refused where the client named the bound itself", async () => {
    const { key } = await gateway.customer(inputMicros + 5000);
    expect((await ask({ ...body, max_tokens: 6000 }, key)).status).toBe(402);
  });

  test("hazard B11 is refused where the channel sends no bound on", async () => {
    const { key } = await gateway.customer(inputMicros + 5000);
    expect((await ask({ model: "freed", messages }, key)).status).toBe(402);
  });

  test("hazard B11 serves requests beside each other, and all of them within it", async () => {
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    const bounds: number[] = [];
    vendor.script = async (request, reply) => {
      bounds.push(Number(request.body["max_completion_tokens"] ?? request.body["max_tokens"]));
      await gate;
      await answers("chat", "Yes.", { input: 10, output: 20 })(request, reply);
    };
    const { key, id } = await gateway.customer(100_000);
    const open = [1, 2, 3, 4].map(() => gateway.post("/v1/chat/completions", body, key));
    while (bounds.length < 4) await Bun.sleep(5);
    expect(bounds.every((bound) => bound >= 1024)).toBe(true);
    expect(bounds.reduce((sum, bound) => sum + bound, 4 * inputMicros)).toBeLessThanOrEqual(
      100_000,
    );
    resolve();
    expect((await Promise.all(open)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await balanceOf(gateway, id)).used_micros).toBe(4 * 30);
    vendor.script = answers("chat", "Yes.");
  });

  test("hazard B11 keeps its bound though the vendor refuses it", async () => {
    const refusal = { error: { message: "max_tokens is not supported", code: null } };
    vendor.script = (_request, reply) => reply.json(refusal, 400);
    const { key } = await gateway.customer(inputMicros + 5000);
    const before = vendor.requests.length;
    const response = await gateway.post(
      "/v1/chat/completions",
      { model: "unknown", messages },
      key,
    );
    expect(response.status).toBe(400);
    const sent = vendor.requests.slice(before).map(({ text }) => /max_\w*tokens/.test(text));
    expect(sent).not.toContain(false);
    vendor.script = answers("chat", "Yes.");
  });
});
