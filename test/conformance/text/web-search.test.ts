// A search of the web that the vendor runs, between clients and vendors of different formats: what
// is asked, what comes back, what it costs, and what a channel may say to it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { balanceOf, eventually, logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import {
  askSearch,
  historyOf,
  readSearched,
  searchedReply,
  searchedStream,
} from "../../harness/web-search.ts";
import { Vendor } from "../../harness/vendor.ts";
import { wires } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

/** One micro a token of input, ten a token of output: a hundred and ten of them are 200 micros. */
const amounts = { input_micros_per_million: 1_000_000, output_micros_per_million: 10_000_000 };
const tokensMicros = 200;
const windowTokens = 1_000_000;
/** Two searches of each wire, and the one that a chat model is paid for. */
const searchMicros: Record<Dialect, number> = {
  chat: 25_000,
  responses: 20_000,
  messages: 20_000,
  content: 28_000,
};
/** The model behind a channel of each wire; chat has models of its own for it. */
const models: Record<Dialect, string> = {
  chat: "chat-search",
  responses: "responses",
  messages: "messages",
  content: "content",
};
const others = (dialect: Dialect) => dialects.filter((one) => one !== dialect);

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, new Vendor((_request, reply) => reply.cut())]),
) as Record<Dialect, Vendor>;
let gateway: Gateway;
let customer: { id: string; key: string };

beforeAll(async () => {
  const names = dialects.flatMap((dialect) => [
    models[dialect],
    `${models[dialect]}-refusing`,
    `${models[dialect]}-ignoring`,
  ]);
  const prices = [...names, "plain", "either"].map((model) => ({ model, ...amounts }));
  gateway = await startGateway({ config: `sandbox: "off"\nprices: ${JSON.stringify(prices)}` });
  for (const dialect of dialects) {
    const made = (name: string, fields: object) =>
      gateway.control("POST", "/api/channel", {
        ...vendors[dialect].channel({ ...wires[dialect].channel, name: `${name} ${dialect}` }),
        ...fields,
      });
    const own = dialect === "chat" ? ["plain"] : [];
    await made("pricing", { models: [models[dialect], "either", ...own] });
    for (const word of ["refuse", "ignore"] as const) {
      const model = `${models[dialect]}-${word === "refuse" ? "refusing" : "ignoring"}`;
      await made(word, { models: [model], surcharges: { hosted_tools: word } });
    }
  }
  customer = await gateway.customer(1_000_000_000);
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  for (const vendor of Object.values(vendors)) vendor[Symbol.dispose]();
});

interface Asked {
  from: Dialect;
  model: string;
  fields?: JsonObject;
  stream?: boolean;
}

async function ask({ from, model, fields, stream = false }: Asked): Promise<Response> {
  const { path, body } = clients[from];
  const asked = body({ model, prompt: "Which ferries run?", outputTokensMax: 50 }, stream);
  const sent = { ...asked, ...(fields ?? askSearch[from]({})) };
  const response = await gateway.post(path(model, stream), sent, customer.key);
  await response.clone().text();
  return response;
}

function answers(dialect: Dialect): void {
  vendors[dialect].script = ({ body, path }, to) => {
    if (body["stream"] !== true && !path.includes("stream")) {
      to.json(searchedReply(dialect));
      return;
    }
    to.stream();
    to.chunk(searchedStream(dialect));
    to.end();
  };
}

function lastBody(dialect: Dialect): JsonObject {
  return vendors[dialect].requests.at(-1)?.body as JsonObject;
}

describe.each(dialects.map((from) => [from] as const))("a search that %s asks for", (from) => {
  test("X-T31 reaches the vendors of all other wires as their own", async () => {
    const offered: Record<Dialect, JsonObject> = {
      chat: { web_search_options: {} },
      responses: { tools: [{ type: "web_search" }], max_tool_calls: 10 },
      messages: { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 10 }] },
      content: { tools: [{ googleSearch: {} }] },
    };
    for (const to of others(from)) {
      answers(to);
      const response = await ask({ from, model: models[to] });
      expect([to, response.status]).toEqual([to, 200]);
      expect(lastBody(to)).toMatchObject(offered[to]);
      expect(response.headers.get("x-sluice-ignored")).toBeNull();
    }
  });

  test("X-T31 keeps the wishes that both wires have, and names the others", async () => {
    const wishes = { domain: "ferries.example", city: "Oslo", usesMax: 3, size: "low" };
    const city = { city: "Oslo" };
    const had = from === "content" ? {} : city;
    const kept: Record<Dialect, JsonObject> = {
      chat: from === "content" ? {} : { user_location: { approximate: city } },
      responses: from === "content" ? {} : { user_location: city },
      messages: from === "content" ? {} : { user_location: city, allowed_domains: [wishes.domain] },
      content: {},
    };
    for (const to of others(from)) {
      answers(to);
      const fields = askSearch[from](wishes);
      const response = await ask({ from, model: models[to], fields });
      const body = lastBody(to);
      const [tool] = (body["tools"] ?? [body["web_search_options"]]) as JsonObject[];
      expect(tool).toMatchObject(kept[to]);
      const isBound = from === "responses" || from === "messages";
      if (to === "messages") expect(tool?.["max_uses"]).toBe(isBound ? 3 : 10);
      if (to === "responses") expect(body["max_tool_calls"]).toBe(isBound ? 3 : 10);
      const told = response.headers.get("x-sluice-ignored") ?? "";
      if (to === "content" && had === city) expect(told).toContain("user_location");
      if (to === "content" && isBound) expect(told).toMatch(/max_uses|max_tool_calls/);
      if (to === "messages" && from !== "messages" && from !== "content") {
        expect(told).toContain("search_context_size");
      }
    }
  });

  test.each([false, true])(
    "Q2 X-S32 comes back in its own words and costs what it does on the wire that it went by (stream: %p)",
    async (stream) => {
      for (const to of others(from)) {
        answers(to);
        const response = await ask({ from, model: models[to], stream });
        expect([to, response.status]).toEqual([to, 200]);
        const { text, cited, queries, pages } = readSearched(from, await response.text(), stream);
        expect([to, text]).toEqual([to, "The last one leaves at ten."]);
        // Sources that Google puts to no piece of the answer are of all of it.
        const unplaced = to === "content" ? ["https://harbour.example"] : [];
        expect([to, cited]).toEqual([to, ["https://ferries.example/table", ...unplaced]]);
        // Chat tells of searches neither its clients nor anybody else.
        const isTold = from !== "chat" && to !== "chat";
        expect([to, queries]).toEqual([to, isTold ? ["ferries tonight", "harbour"] : []]);
        expect([to, pages.includes("https://harbour.example")]).toEqual([to, isTold]);
        const { micros } = await logRow(gateway, response);
        expect([to, micros]).toEqual([to, searchMicros[to] + tokensMicros]);
      }
    },
  );

  test("is refused or left out as the channel says, on every other wire", async () => {
    const names: Record<Dialect, string> = {
      chat: "web_search_options",
      responses: "tools.0",
      messages: "tools.0",
      content: "tools.0.googleSearch",
    };
    for (const to of others(from)) {
      const sent = vendors[to].requests.length;
      const refused = await ask({ from, model: `${models[to]}-refusing` });
      expect([to, refused.status]).toEqual([to, 400]);
      expect(await refused.text()).toContain(names[from]);
      expect(vendors[to].requests.length).toBe(sent);
      answers(to);
      const ignored = await ask({ from, model: `${models[to]}-ignoring` });
      expect([to, ignored.status]).toEqual([to, 200]);
      expect(ignored.headers.get("x-sluice-ignored")).toBe(names[from]);
      expect(JSON.stringify(lastBody(to))).not.toMatch(/search_?(?:options|20|":)|googleSearch/);
      expect((await logRow(gateway, ignored)).micros).toBe(tokensMicros);
    }
  });

  test("X-T33 may stand in the history, whoever goes on with it", async () => {
    for (const to of dialects) {
      answers(to);
      const response = await ask({ from, model: models[to], fields: historyOf[from] });
      expect([to, response.status]).toEqual([to, 200]);
      const sent = JSON.stringify(lastBody(to));
      expect(sent).toContain("The last one leaves at ten.");
      const hasTrace = from === "messages" || from === "responses";
      if (hasTrace) expect([to, sent.includes("ferries tonight")]).toEqual([to, true]);
    }
  });
});

test.each(others("chat"))(
  "X-T32 a search of %s is named as left out where a channel has none, and neither held nor charged",
  async (from) => {
    const poor = await gateway.customer(5000);
    vendors.chat.script = (_request, to) =>
      to.json(wires.chat.reply("Hi.", { input: 100, output: 10 }));
    const { path, body } = clients[from];
    const asked = body({ model: "plain", prompt: "Hi.", outputTokensMax: 50 }, false);
    const fields = askSearch[from]({});
    const response = await gateway.post(path("plain", false), { ...asked, ...fields }, poor.key);
    expect(response.status).toBe(200);
    const param = from === "content" ? "tools.0.googleSearch" : "tools.0";
    expect(response.headers.get("x-sluice-ignored")).toBe(param);
    expect(JSON.stringify(lastBody("chat"))).not.toContain("search");
    expect((await logRow(gateway, response)).micros).toBe(tokensMicros);
  },
);

test("Q2 a search is held as the dearest of the wires that it may go by", async () => {
  const gate = Promise.withResolvers<void>();
  for (const dialect of dialects) {
    vendors[dialect].script = async (_request, to) => {
      await gate.promise;
      to.json(searchedReply(dialect));
    };
  }
  const waiting = ask({ from: "messages", model: "either" });
  const held = await eventually("the hold", async () => {
    const { held_micros: micros } = await balanceOf(gateway, customer.id);
    return micros > 0 ? micros : undefined;
  });
  gate.resolve();
  // Ten queries of Google's are dearer than ten searches of the others; they are not added up.
  const bodyMax = 2000;
  expect(held).toBeGreaterThan(windowTokens + 140_000);
  expect(held).toBeLessThan(windowTokens + 140_000 + 50 * 10 + bodyMax);
  expect((await logRow(gateway, await waiting)).micros).toBe(20_000 + tokensMicros);
});

test("Q2 no more searches are charged than were asked for, whatever the vendor counts", async () => {
  const usage = { input_tokens: 100, output_tokens: 10 };
  const counted = { ...usage, server_tool_use: { web_search_requests: 500 } };
  vendors.messages.script = (_request, to) =>
    to.json({ ...searchedReply("messages"), usage: counted });
  const fields = askSearch.responses({ usesMax: 3 });
  const response = await ask({ from: "responses", model: "messages", fields });
  expect((await logRow(gateway, response)).micros).toBe(30_000 + tokensMicros);
});
