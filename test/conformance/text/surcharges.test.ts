// Surcharges that a client may ask for beyond tokens: who pays for them, and what a channel may
// say to them.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { errorOf } from "../../harness/ask.ts";
import { balanceOf, eventually, logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { entryOf } from "../../harness/entries.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { wires } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

/** One micro a token of input, ten a token of output: a hundred and ten of them are 200 micros. */
const amounts = { input_micros_per_million: 1_000_000, output_micros_per_million: 10_000_000 };
const counts = { input: 100, output: 10 };
const tokensMicros = 200;
const windowTokens = 1_000_000;
const spoken = { model: "spoken", ...amounts, audio_output_micros_per_million: 50_000_000 };
const own = {
  model: "own",
  ...amounts,
  tool_micros: { web_search: 7, "tool.browser": 5 },
  factors: { "service_tier.priority": { input_percent: 300, output_percent: 300 } },
};
const listed = [...dialects, "long", "refused", "either"].map((model) => ({ model, ...amounts }));

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, new Vendor((_request, reply) => reply.cut())]),
) as Record<Dialect, Vendor>;
let gateway: Gateway;
let customer: { id: string; key: string; keyId: string };

beforeAll(async () => {
  const prices = JSON.stringify([...listed, spoken, own]);
  gateway = await startGateway({ config: `sandbox: "off"\nprices: ${prices}` });
  const models = ["spoken", "own", "long"];
  for (const dialect of dialects) {
    const { channel } = wires[dialect];
    const made = (name: string, fields: object) =>
      gateway.control("POST", "/api/channel", {
        ...vendors[dialect].channel({ ...channel, name: `${name} ${dialect}` }),
        ...fields,
      });
    const priced = [dialect, ...models.map((model) => `${dialect}-${model}`)];
    const searched = dialect === "content" ? ["gemini-2.5-flash"] : [];
    await made("pricing", { models: [...priced, ...searched] });
    await made("refusing", {
      models: [`${dialect}-refused`],
      surcharges: { default: "refuse" },
    });
    await made("ignoring", {
      models: [`${dialect}-ignored`, `${dialect}-either`],
      surcharges: { default: "ignore", service_tier: "refuse" },
    });
  }
  for (const dialect of dialects) {
    for (const model of ["spoken", "own", "long", "refused", "ignored", "either"]) {
      const price = model === "spoken" ? spoken : model === "own" ? own : amounts;
      await gateway.control("POST", "/api/price", { ...price, model: `${dialect}-${model}` });
    }
  }
  customer = await gateway.customer(1_000_000_000);
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  for (const vendor of Object.values(vendors)) vendor[Symbol.dispose]();
});

interface Asked {
  dialect: Dialect;
  model?: string;
  /** A model by its whole name. */
  named?: string;
  fields: JsonObject;
  headers?: Record<string, string>;
  stream?: boolean;
}

async function ask({ dialect, model, named, fields, headers = {}, stream = false }: Asked) {
  const name = named ?? (model === undefined ? dialect : `${dialect}-${model}`);
  const { path, body } = clients[dialect];
  const asked = body({ model: name, prompt: "Hello.", outputTokensMax: 50 }, stream);
  const response = await fetch(gateway.url + path(name, stream), {
    method: "POST",
    headers: {
      authorization: `Bearer ${customer.key}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ ...asked, ...fields }),
  });
  await response.clone().text();
  return response;
}

/** Answer of a vendor of the dialect, with more in it and in its usage. */
function answer(dialect: Dialect, more: JsonObject = {}, usage: JsonObject = {}): JsonObject {
  const reply = structuredClone(wires[dialect].reply("Hi.", counts)) as JsonObject;
  const name = dialect === "content" ? "usageMetadata" : "usage";
  return { ...reply, ...more, [name]: { ...(reply[name] as JsonObject), ...usage } };
}

function says(dialect: Dialect, reply: JsonObject): void {
  vendors[dialect].script = (_request, to) => to.json(reply);
}

function streams(dialect: Dialect, text: string): void {
  vendors[dialect].script = (_request, to) => {
    to.stream();
    to.chunk(text);
    to.end();
  };
}

async function microsOf(asked: Asked): Promise<number> {
  const response = await ask(asked);
  expect([asked, response.status]).toEqual([asked, 200]);
  return (await logRow(gateway, response)).micros;
}

function lastBody(dialect: Dialect): JsonObject {
  return vendors[dialect].requests.at(-1)?.body as JsonObject;
}

const anthropicSearch = { type: "web_search_20250305", name: "web_search" };
const searchCall = { type: "web_search_call", id: "ws_1", status: "completed" };
const grounding = { groundingMetadata: { webSearchQueries: ["a", "b"], groundingChunks: [] } };
const event = (name: string, fields: object) =>
  `event: ${name}\ndata: ${JSON.stringify({ type: name, ...fields })}\n\n`;

describe("tools that the vendor runs", () => {
  test("Q2 are charged by the call where the reply counts them, on every wire", async () => {
    says("messages", answer("messages", {}, { server_tool_use: { web_search_requests: 3 } }));
    const tools = [anthropicSearch];
    expect(await microsOf({ dialect: "messages", fields: { tools } })).toBe(30_000 + tokensMicros);
    expect(lastBody("messages")["tools"]).toEqual([{ ...anthropicSearch, max_uses: 10 }]);

    const { output } = answer("responses");
    const opened = { ...searchCall, action: { type: "open_page" } };
    const calls = [searchCall, searchCall, opened, ...(output as JsonObject[])];
    says("responses", answer("responses", { output: calls }));
    const search = { tools: [{ type: "web_search" }] };
    expect(await microsOf({ dialect: "responses", fields: search })).toBe(20_000 + tokensMicros);
    expect(lastBody("responses")).toMatchObject({ ...search, max_tool_calls: 10 });

    const { candidates } = answer("content");
    const [candidate] = candidates as JsonObject[];
    says("content", answer("content", { candidates: [{ ...candidate, ...grounding }] }));
    const google = { tools: [{ googleSearch: {} }] };
    expect(await microsOf({ dialect: "content", fields: google })).toBe(28_000 + tokensMicros);
    const named = "gemini-2.5-flash";
    expect(await microsOf({ dialect: "content", named, fields: google })).toBe(35_000 + 55);

    says("chat", answer("chat"));
    const options = { web_search_options: {} };
    expect(await microsOf({ dialect: "chat", fields: options })).toBe(25_000 + tokensMicros);
  });

  test("Q2 are charged by the call where they come up in the conversation", async () => {
    says("messages", answer("messages", {}, { server_tool_use: { web_search_requests: 3 } }));
    const tool = { type: "tool_definition", definition: anthropicSearch };
    const content = [
      { type: "text", text: "Hello." },
      { type: "tool_addition", tool },
    ];
    const fields = { messages: [{ role: "user", content }] };
    expect(await microsOf({ dialect: "messages", fields })).toBe(30_000 + tokensMicros);
    expect(JSON.stringify(lastBody("messages"))).toContain('"max_uses":10');
    const refused = await ask({ dialect: "messages", model: "refused", fields });
    expect([refused.status, (await errorOf(refused)).param]).toEqual([
      400,
      "messages.0.content.1.tool.definition",
    ]);
    says("messages", answer("messages"));
    const left = await ask({ dialect: "messages", model: "ignored", fields });
    expect(left.headers.get("x-sluice-ignored")).toBe("messages.0.content.1.tool.definition");
    expect(lastBody("messages")["messages"]).toEqual([
      { role: "user", content: [{ type: "text", text: "Hello." }] },
    ]);
  });

  test("Q2 are charged by the call in a stream", async () => {
    const { opening, delta, ending } = wires.messages;
    const block = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
    const used = event("content_block_start", { index: 1, content_block: block });
    const end = ending("Hi.", counts);
    streams("messages", opening() + delta("Hi.") + used + used + end);
    const fields = { tools: [anthropicSearch] };
    const stream = true;
    expect(await microsOf({ dialect: "messages", fields, stream })).toBe(20_000 + tokensMicros);

    const wire = wires.responses;
    const done = event("response.output_item.done", { output_index: 1, item: searchCall });
    const text = wire.opening() + done + wire.delta("Hi.") + wire.ending("Hi.", counts);
    streams("responses", text);
    const search = { tools: [{ type: "web_search_preview" }] };
    expect(await microsOf({ dialect: "responses", fields: search, stream })).toBe(
      25_000 + tokensMicros,
    );

    const content = wires.content;
    const grounded = { candidates: [{ content: { parts: [] }, index: 0, ...grounding }] };
    const chunk = `data: ${JSON.stringify(grounded)}\n\n`;
    streams(
      "content",
      content.opening() + content.delta("Hi.") + chunk + content.ending("", counts),
    );
    const google = { tools: [{ google_search: {} }] };
    expect(await microsOf({ dialect: "content", fields: google, stream })).toBe(
      28_000 + tokensMicros,
    );
  });

  test("Q2 are held with all the calls they may make and all that they may read", async () => {
    const gate = Promise.withResolvers<void>();
    vendors.messages.script = async (_request, to) => {
      await gate.promise;
      to.json(answer("messages"));
    };
    const tools = [{ ...anthropicSearch, max_uses: 4 }];
    const waiting = ask({ dialect: "messages", fields: { tools } });
    const held = await eventually("the hold", async () => {
      const { held_micros: micros } = await balanceOf(gateway, customer.id);
      return micros > 0 ? micros : undefined;
    });
    gate.resolve();
    const bodyMax = 1000;
    expect(held).toBeGreaterThan(4 * windowTokens + 40_000 + 50 * 10);
    expect(held).toBeLessThan(4 * windowTokens + 40_000 + 50 * 10 + bodyMax);
    expect((await logRow(gateway, await waiting)).micros).toBe(tokensMicros);
  });

  test("Q2 are believed what the vendor reads again after each call", async () => {
    const read = 3_900_000;
    const usage = { input_tokens: read, server_tool_use: { web_search_requests: 4 } };
    says("messages", answer("messages", {}, usage));
    const tools = [{ ...anthropicSearch, max_uses: 4 }];
    const response = await ask({ dialect: "messages", fields: { tools } });
    const { micros, request_id: id } = await logRow(gateway, response);
    expect(micros).toBe(read + 40_000 + 10 * 10);
    expect((await entryOf(gateway, id)).usage).not.toStartWith("!");
  });

  test("Q2 that were called in a stream that broke off are charged, without a word in it", async () => {
    const added = { output_index: 0, item: { ...searchCall, status: "in_progress" } };
    const called = { output_index: 0, item: searchCall };
    const begun =
      wires.responses.announcement() +
      event("response.output_item.added", added) +
      event("response.output_item.done", called);
    const use = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
    const opened =
      event("message_start", { message: { id: "msg_1", type: "message", content: [] } }) +
      event("content_block_start", { index: 0, content_block: use });
    const rows: [Dialect, JsonObject, string][] = [
      ["responses", { tools: [{ type: "web_search" }] }, begun],
      ["messages", { tools: [anthropicSearch] }, opened],
    ];
    for (const [dialect, fields, text] of rows) {
      vendors[dialect].script = (_request, to) => {
        to.stream();
        to.chunk(text);
        setTimeout(() => to.cut(), 50);
      };
      const response = await ask({ dialect, fields, stream: true });
      expect([dialect, response.status]).toEqual([dialect, 200]);
      const row = await logRow(gateway, response);
      expect(row).toMatchObject({ outcome: "upstream_error", estimated: true });
      const entry = await entryOf(gateway, row.request_id);
      expect(entry).toMatchObject({ kind: "post" });
      expect(entry.micros).toBeGreaterThan(10_000);
      expect(entry.micros).toBeLessThan(11_000);
      expect(entry.micros + entry.loss_micros).toBe(entry.held_micros);
    }
  });

  test("Q2 are bounded whatever a client says of their bound", async () => {
    says("messages", answer("messages", {}, { server_tool_use: { web_search_requests: 500 } }));
    const bounded = (max_uses: number) => ({ ...anthropicSearch, max_uses });
    const micros = async (...tools: JsonObject[]) =>
      (await microsOf({ dialect: "messages", fields: { tools } })) - tokensMicros;
    expect(await micros(bounded(2))).toBe(20_000);
    expect(await micros(bounded(-1_000_000))).toBe(100_000);
    expect(lastBody("messages")["tools"]).toEqual([bounded(10)]);
    expect(await micros(bounded(1), { ...anthropicSearch, type: "web_search_20260209" })).toBe(
      110_000,
    );
  });

  test("Q2 X-U33 are told where the bound of their calls is ours, and in the trace", async () => {
    const asks: [Dialect, JsonObject, string | null][] = [
      ["messages", { tools: [anthropicSearch] }, "tools.0.max_uses=10"],
      ["messages", { tools: [{ ...anthropicSearch, max_uses: 3 }] }, null],
      ["responses", { tools: [{ type: "web_search" }] }, "max_tool_calls=10"],
      ["responses", { tools: [{ type: "web_search" }], max_tool_calls: 3 }, null],
    ];
    for (const [dialect, fields, told] of asks) {
      for (const stream of [false, true]) {
        const { opening, delta, ending } = wires[dialect];
        if (stream) streams(dialect, opening() + delta("Hi.") + ending("Hi.", counts));
        else says(dialect, answer(dialect));
        const response = await ask({ dialect, fields, stream });
        expect([fields, response.headers.get("x-sluice-added")]).toEqual([fields, told]);
        const { request_id: id } = await logRow(gateway, response);
        const { items } = await gateway.control<{ items: { trace: { added: string[] } }[] }>(
          "GET",
          `/api/log/${id}`,
        );
        expect(items[0]?.trace.added).toEqual(told === null ? [] : [told]);
      }
    }
  });

  test("Q1 cannot be had on credit: a wallet that does not cover them is refused", async () => {
    const poor = await gateway.customer(100_000);
    const before = vendors.messages.requests.length;
    const { body } = clients.messages;
    const asked = body({ model: "messages", prompt: "Hi", outputTokensMax: 5 }, false);
    const tools = [{ ...anthropicSearch, max_uses: 1000 }];
    const response = await gateway.post("/v1/messages", { ...asked, tools }, poor.key);
    expect(response.status).toBe(402);
    expect(vendors.messages.requests.length).toBe(before);
  });

  test("Q2 have the model's own price where it names one", async () => {
    says("messages", answer("messages", {}, { server_tool_use: { web_search_requests: 2 } }));
    const fields = { tools: [anthropicSearch] };
    expect(await microsOf({ dialect: "messages", model: "own", fields })).toBe(14 + tokensMicros);
    says("chat", answer("chat"));
    const browser = { tools: [{ type: "browser" }] };
    expect(await microsOf({ dialect: "chat", model: "own", fields: browser })).toBe(
      5 + tokensMicros,
    );
  });

  test("without a price are refused by name, and nothing is sent or charged", async () => {
    const unpriced: [Dialect, JsonObject, string][] = [
      ["chat", { tools: [{ type: "browser" }] }, "tools.0"],
      ["chat", { search_parameters: { mode: "on" } }, "search_parameters"],
      ["responses", { tools: [{ type: "x_search" }] }, "tools.0"],
      ["messages", { tools: [{ type: "advisor_20260301", name: "advisor" }] }, "tools.0"],
      ["content", { tools: [{ retrieval: {} }] }, "tools.0.retrieval"],
      ["content", { tools: [{ constructor: {} }] }, "tools.0.constructor"],
      ["chat", { service_tier: "scale" }, "service_tier"],
      ["messages", { inference_geo: "moon" }, "inference_geo"],
      ["chat", { modalities: ["text", "audio"], audio: { voice: "a" } }, "modalities"],
    ];
    const { used_micros: before } = await balanceOf(gateway, customer.id);
    for (const [dialect, fields, param] of unpriced) {
      const sent = vendors[dialect].requests.length;
      const response = await ask({ dialect, fields });
      expect([fields, response.status, (await response.text()).includes(param)]).toEqual([
        fields,
        400,
        true,
      ]);
      expect(vendors[dialect].requests.length).toBe(sent);
    }
    const after = await balanceOf(gateway, customer.id);
    expect(after).toMatchObject({ used_micros: before, held_micros: 0 });
  });
});

describe("surcharges on tokens", () => {
  test("Q2 of a tier are charged unless the reply says that another was given", async () => {
    const tiers: [Dialect, JsonObject, (tier: string) => JsonObject][] = [
      ["chat", { service_tier: "priority" }, (tier) => answer("chat", { service_tier: tier })],
      [
        "responses",
        { service_tier: "priority" },
        (tier) => answer("responses", { service_tier: tier }),
      ],
      ["messages", { speed: "fast" }, (tier) => answer("messages", {}, { speed: tier })],
      [
        "content",
        { serviceTier: "PRIORITY" },
        (tier) => answer("content", {}, { serviceTier: tier }),
      ],
    ];
    for (const [dialect, fields, reply] of tiers) {
      const factor = dialect === "messages" ? 6 : 2;
      says(dialect, reply(dialect === "messages" ? "fast" : "priority"));
      expect(await microsOf({ dialect, fields })).toBe(factor * tokensMicros);
      says(dialect, answer(dialect));
      expect(await microsOf({ dialect, fields })).toBe(factor * tokensMicros);
      says(dialect, reply("standard"));
      expect(await microsOf({ dialect, fields })).toBe(tokensMicros);
    }
    says("messages", answer("messages", {}, { inference_geo: "us" }));
    const fields = { inference_geo: "us" };
    expect(await microsOf({ dialect: "messages", fields })).toBe((tokensMicros * 110) / 100);
    says("chat", answer("chat"));
    const tier = { service_tier: "priority" };
    expect(await microsOf({ dialect: "chat", model: "own", fields: tier })).toBe(3 * tokensMicros);
    expect(await microsOf({ dialect: "chat", fields: { service_tier: "flex" } })).toBe(
      tokensMicros,
    );
  });

  test("Q2 stand on the ledger's entry with what they cost and what was used of them", async () => {
    const usage = { server_tool_use: { web_search_requests: 3 }, speed: "fast" };
    says("messages", answer("messages", {}, usage));
    const fields = { tools: [anthropicSearch], speed: "fast" };
    const response = await ask({ dialect: "messages", fields });
    const id = response.headers.get("x-request-id") ?? "";
    expect(await entryOf(gateway, id)).toMatchObject({
      price: "1000000/10000000/1000000/1000000/0 speed.fast=600/600% web_search=10000x10",
      usage: "100/10/0/0 web_search=3 speed.fast",
      micros: 30_000 + 6 * tokensMicros,
    });
  });

  test("Q2 of caches are charged by how long they last", async () => {
    const usage = {
      input_tokens: 0,
      cache_creation_input_tokens: 100,
      cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 60 },
    };
    says("messages", answer("messages", {}, usage));
    const cache = { type: "ephemeral", ttl: "1h" };
    const system = [{ type: "text", text: "Be brief.", cache_control: cache }];
    const micros = 40 + 2 * 60 + 100;
    expect(await microsOf({ dialect: "messages", fields: { system } })).toBe(micros);
    says("messages", answer("messages", {}, { ...usage, cache_creation: null }));
    expect(await microsOf({ dialect: "messages", fields: { system } })).toBe(300);
  });

  test("Q2 of long input are charged above its length alone", async () => {
    const headers = { "anthropic-beta": "context-1m-2025-08-07,other" };
    // A prompt as long as the vendor's count: more than a prompt can be is not believed.
    const messages = [{ role: "user", content: "long ".repeat(50_000) }];
    const asked = { dialect: "messages", model: "long", fields: { messages }, headers } as const;
    says("messages", answer("messages", {}, { input_tokens: 200_000 }));
    expect(await microsOf(asked)).toBe(200_000 + 100);
    const fields = { system: "x".repeat(210_000) };
    says("messages", answer("messages", {}, { input_tokens: 200_001 }));
    expect(await microsOf({ ...asked, fields })).toBe(2 * 200_001 + 150);
  });

  test("Q2 of speech are charged by what was spoken", async () => {
    const fields = { modalities: ["text", "audio"], audio: { voice: "a", format: "wav" } };
    const usage = { completion_tokens_details: { audio_tokens: 6 } };
    says("chat", answer("chat", {}, usage));
    expect(await microsOf({ dialect: "chat", model: "spoken", fields })).toBe(100 + 40 + 300);
    const generationConfig = { responseModalities: ["AUDIO"], maxOutputTokens: 50 };
    const candidatesTokensDetails = [{ modality: "AUDIO", tokenCount: 10 }];
    says("content", answer("content", {}, { candidatesTokensDetails }));
    const asked = { dialect: "content", model: "spoken", fields: { generationConfig } } as const;
    expect(await microsOf(asked)).toBe(100 + 500);
  });
});

describe("a channel", () => {
  const asked: [Dialect, JsonObject, string][] = [
    ["chat", { web_search_options: {} }, "web_search_options"],
    ["responses", { tools: [{ type: "web_search" }] }, "tools.0"],
    ["messages", { tools: [anthropicSearch] }, "tools.0"],
    ["messages", { cache_control: { type: "ephemeral", ttl: "1h" } }, "cache_control.ttl"],
    ["content", { tools: [{ googleSearch: {} }] }, "tools.0.googleSearch"],
  ];

  test("that refuses them sends and charges nothing, and the 400 names the field", async () => {
    for (const [dialect, fields, param] of asked) {
      const sent = vendors[dialect].requests.length;
      const response = await ask({ dialect, model: "refused", fields });
      expect([param, response.status]).toEqual([param, 400]);
      expect(await response.text()).toContain(param);
      expect(vendors[dialect].requests.length).toBe(sent);
    }
    const tier = await ask({ dialect: "chat", model: "either", fields: { service_tier: "fast" } });
    expect(await errorOf(tier)).toMatchObject({ param: "service_tier" });
  });

  test("that ignores them leaves them out and tells so", async () => {
    for (const [dialect, fields, param] of asked) {
      says(dialect, answer(dialect));
      const response = await ask({ dialect, model: "ignored", fields });
      expect(response.status).toBe(200);
      expect(response.headers.get("x-sluice-ignored")).toBe(param);
      expect(JSON.stringify(lastBody(dialect))).not.toMatch(/search|1h/i);
      expect((await logRow(gateway, response)).micros).toBe(tokensMicros);
    }
    const search = { tools: [{ type: "web_search" }] };
    const choosing = (tool_choice: string) =>
      ask({ dialect: "responses", model: "ignored", fields: { ...search, tool_choice } });
    expect((await choosing("auto")).status).toBe(200);
    expect(lastBody("responses")["tool_choice"]).toBeUndefined();
    expect(await errorOf(await choosing("required"))).toMatchObject({ param: "tool_choice" });
    const headers = { "anthropic-beta": "context-1m-2025-08-07,other" };
    const response = await ask({ dialect: "messages", model: "ignored", fields: {}, headers });
    expect(response.headers.get("x-sluice-ignored")).toBe("anthropic-beta");
    expect(vendors.messages.requests.at(-1)?.headers["anthropic-beta"]).toBe("other");
  });

  test("that refuses them leaves the request to one that does not", async () => {
    const { channel } = wires.messages;
    await gateway.control("POST", "/api/channel", {
      ...vendors.messages.channel({ ...channel, name: "a second one", priority: -1 }),
      models: ["messages-refused"],
    });
    says("messages", answer("messages", {}, { server_tool_use: { web_search_requests: 1 } }));
    const fields = { tools: [anthropicSearch] };
    const response = await ask({ dialect: "messages", model: "refused", fields });
    expect(response.status).toBe(200);
    expect(await logRow(gateway, response)).toMatchObject({
      channel: "a second one",
      micros: 10_000 + tokensMicros,
    });
  });

  test("Q2 of another dialect is paid for the tier that it is sent", async () => {
    says("responses", answer("responses", { service_tier: "priority" }));
    const { body } = clients.chat;
    const chat = body({ model: "responses", prompt: "Hi", outputTokensMax: 50 }, false);
    const tiered = { ...chat, service_tier: "priority" };
    const response = await gateway.post("/v1/chat/completions", tiered, customer.key);
    expect(lastBody("responses")["service_tier"]).toBe("priority");
    expect((await logRow(gateway, response)).micros).toBe(2 * tokensMicros);
    says("responses", answer("responses", { service_tier: "default" }));
    const lesser = await gateway.post("/v1/chat/completions", tiered, customer.key);
    expect((await logRow(gateway, lesser)).micros).toBe(tokensMicros);

    const { opening, delta, ending } = wires.responses;
    const end = ending("Hi.", counts).replaceAll(
      '"status":"completed"',
      '$&,"service_tier":"flex"',
    );
    streams("responses", opening() + delta("Hi.") + end);
    const streamed = { ...tiered, stream: true };
    const stream = await gateway.post("/v1/chat/completions", streamed, customer.key);
    await stream.text();
    expect((await logRow(gateway, stream)).micros).toBe(tokensMicros);
  });
});
