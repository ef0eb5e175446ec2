// Vendors that tell of more than a request can have used, on every format and dialect: nobody is
// charged for it, and who does it again and again is put aside.
import { describe, expect, test } from "bun:test";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { balanceOf } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { entryOf } from "../../harness/entries.ts";
import { type Gateway, startGateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, type Counts, wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, kept(new Vendor(answers(dialect, "Yes.")))]),
) as Record<Dialect, Vendor>;
const doubted = kept(new Vendor(answers("chat", "Yes.")));
const spare = kept(new Vendor(answers("chat", "Yes.")));
const metered = { input_micros_per_million: 1e6, output_micros_per_million: 1e6 };

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [
        ...dialects.map((dialect) =>
          vendors[dialect].channel({ name: dialect, ...wires[dialect].channel, models: [dialect] }),
        ),
        doubted.channel({ name: "doubted", models: ["pair"], priority: 1 }),
        spare.channel({ name: "spare", models: ["pair"] }),
      ],
      prices: [...dialects, "pair"].map((model) => ({ model, ...metered })),
      // Channels are put aside for a moment only, and never for failures.
      distribution: { failures_to_eject: 1000, ejection_ms: 60_000 },
    }),
  }),
);

const outputTokensMax = 400;
/** A quarter of the bound on top of it, and some tokens for vendors that miscount a little. */
const outputMost = outputTokensMax * 1.25 + 256;
/** The same for the prompt, with what vendors put before it. */
const inputMost = (bodyBytes: number) => Math.ceil(bodyBytes * 1.25) + 2048;
/** Conversion may add a few words of its own. */
const phraseTokens = 128;

async function ask(
  client: Dialect,
  model: string,
  stream: boolean,
  { key, at = gateway }: { key: string; at?: Gateway },
) {
  const { path, body, assemble, read } = clients[client];
  const asked = JSON.stringify(body({ model, prompt: "hi", outputTokensMax }, stream));
  const response = await at.post(path(model, stream), asked, key);
  expect(response.status).toBe(200);
  const text = await response.text();
  const shown = read(stream ? assemble(text) : JSON.parse(text));
  return { id: response.headers.get("x-request-id") ?? "", bytes: asked.length, shown };
}

const thousandDollars = 1_000_000_000;
/** No report is read beyond this. */
const tokensMost = 100_000_000;

describe.each([...dialects])("a vendor of %s", (upstream) => {
  async function lie(client: Dialect, stream: boolean, counts: Counts) {
    vendors[upstream].script = answers(upstream, "Yes.", counts);
    const { id, key } = await gateway.customer(thousandDollars);
    const asked = await ask(client, upstream, stream, { key });
    const entry = await entryOf(gateway, asked.id);
    const { used_micros: used } = await balanceOf(gateway, id);
    expect(entry).toMatchObject({ kind: "post", micros: used });
    return { ...asked, entry };
  }

  const ways = dialects.flatMap((client) => [
    { client, stream: false },
    { client, stream: true },
  ]);

  test.each(ways)(
    "hazard B12 that claims 1.15e18 output tokens to $client gets those it was asked for, streamed: $stream",
    async ({ client, stream }) => {
      const { entry, shown } = await lie(client, stream, { input: 10, output: 1.15e18 });
      expect(entry.micros).toBe(10 + outputMost);
      expect(entry.usage).toBe(`!10/${outputMost}/0/0`);
      // The vendor may want what it told of.
      expect(entry.loss_micros).toBe(tokensMost - outputMost);
      // A pass-through stays as the vendor wrote it.
      expect(shown.output).toBe(client === upstream ? 1.15e18 : outputMost);
    },
  );

  test.each(ways)(
    "hazard B12 that claims 1e8 input tokens of $client for hi gets those of its bytes, streamed: $stream",
    async ({ client, stream }) => {
      const { entry, shown, bytes } = await lie(client, stream, { input: 1e8, output: 20 });
      const most = inputMost(client === upstream ? bytes : bytes + phraseTokens);
      expect([entry.micros, entry.loss_micros]).toEqual([most + 20, tokensMost - most]);
      expect(entry.usage).toStartWith("!");
      expect(shown.input).toBe(client === upstream ? 1e8 : most);
    },
  );

  test("hazard B12 whose own words make the prompt longer is believed", async () => {
    const { entry } = await lie(upstream, false, { input: 1500, output: outputTokensMax + 5 });
    expect(entry).toMatchObject({ micros: 1500 + outputTokensMax + 5, usage: "1500/405/0/0" });
  });
});

test("hazard B12 thoughts past the bound that nobody saw are not charged, but are no lie: they are a loss", async () => {
  vendors.chat.script = answers("chat", "Yes.", { input: 10, output: 5000, reasoning: 4990 });
  const { key } = await gateway.customer(thousandDollars);
  const { id } = await ask("chat", "chat", false, { key });
  expect(await entryOf(gateway, id)).toMatchObject({
    micros: 10 + outputMost,
    loss_micros: 5000 - outputMost,
    usage: `10/${outputMost}/0/0`,
  });
});

interface ShownChannel {
  name: string;
  implausible: number;
  health: { ejected: boolean };
}

async function shownChannel(name: string): Promise<ShownChannel | undefined> {
  const list = await gateway.first.control<{ items: ShownChannel[] }>("GET", "/api/channel");
  return list.items.find((channel) => channel.name === name);
}

test("hazard B12 a channel that tells what cannot be is counted, and put aside after five in a row", async () => {
  const { key } = await gateway.customer(thousandDollars);
  const tell = async (output: number) => {
    doubted.script = answers("chat", "Yes.", { input: 10, output });
    await ask("chat", "pair", false, { key, at: gateway.first });
  };
  for (let count = 0; count < 4; count++) await tell(1e9);
  await tell(20);
  for (let count = 0; count < 4; count++) await tell(1e9);
  expect(await shownChannel("doubted")).toMatchObject({
    implausible: 8,
    health: { ejected: false },
  });
  await tell(1e9);
  expect(await shownChannel("doubted")).toMatchObject({
    implausible: 9,
    health: { ejected: true },
  });
  const before = spare.requests.length;
  await tell(20);
  expect([doubted.requests.length, spare.requests.length - before]).toEqual([10, 1]);
  const metrics = await gateway.metrics();
  expect(metrics).toContain('sluice_implausible_usage_total{channel="doubted"} 9');
});

describe("a vendor that refuses the bound it was given", () => {
  const refusal = "max_tokens is too large: 64000. This model supports at most 4096 tokens.";
  const fields = { chat: "max_tokens", responses: "max_output_tokens" } as const;

  test.each(["chat", "responses", "content"] as const)(
    "T7 is asked once more without it on %s, where the client named none",
    async (dialect) => {
      const { key } = await gateway.customer(thousandDollars);
      const vendor = vendors[dialect];
      const word =
        dialect === "content" ? refusal.replace("max_tokens", "maxOutputTokens") : refusal;
      vendor.script = (request, reply) => {
        const isBounded = /max_?(?:output|completion)?_?tokens/i.test(request.text);
        if (isBounded) reply.json(wires[dialect].refusal(400, word), 400);
        else void answers(dialect, "Yes.")(request, reply);
      };
      const { path, body } = clients[dialect];
      const before = vendor.requests.length;
      const asked = body({ model: dialect, prompt: "hi" }, false);
      const response = await gateway.post(path(dialect, false), asked, key);
      expect(response.status).toBe(200);
      expect(vendor.requests.length - before).toBe(2);
    },
  );

  test("T7 is asked once more with its own on messages, which demands one", async () => {
    const { key } = await gateway.customer(thousandDollars);
    const { messages: vendor } = vendors;
    const word =
      "max_tokens: 64000 > 4096, which is the maximum allowed number of output tokens for m-1";
    vendor.script = (request, reply) => {
      if (request.body["max_tokens"] === 4096) void answers("messages", "Yes.")(request, reply);
      else reply.json(wires.messages.refusal(400, word), 400);
    };
    const before = vendor.requests.length;
    const asked = clients.chat.body({ model: "messages", prompt: "hi" }, false);
    const response = await gateway.post(clients.chat.path("messages", false), asked, key);
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    const bounds = vendor.requests.slice(before).map(({ body }) => body["max_tokens"]);
    expect(bounds).toEqual([64_000, 4096]);
  });

  test.each(["chat", "responses"] as const)(
    "T17 is not asked again on %s, where the client named it",
    async (dialect) => {
      const { key } = await gateway.customer(thousandDollars);
      const vendor = vendors[dialect];
      const word = refusal.replace("max_tokens", fields[dialect]);
      vendor.script = (_request, reply) => reply.json(wires[dialect].refusal(400, word), 400);
      const { path, body } = clients[dialect];
      const before = vendor.requests.length;
      const asked = body({ model: dialect, prompt: "hi", outputTokensMax: 5000 }, false);
      const response = await gateway.post(path(dialect, false), asked, key);
      expect([response.status, vendor.requests.length - before]).toEqual([400, 1]);
      expect(await response.text()).toContain("is too large");
    },
  );
});
