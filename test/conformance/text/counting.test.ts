// Length of a request: asked of the vendor where it counts, counted here where it does not.
import { beforeAll, describe, expect, test } from "bun:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { balanceOf } from "../../harness/books.ts";
import { dialects, modelOf, startDialects } from "../../harness/dialects.ts";
import { startGateway } from "../../harness/gateway.ts";
import { tokenizerIsThere } from "../../harness/time/tokenizer.ts";
import { Vendor, type VendorScript } from "../../harness/vendor.ts";
import { wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendor = kept(new Vendor((_request, reply) => reply.cut()));
let customer: { id: string; key: string };

const stand = useStand(() => startDialects("unpriced: free"));

beforeAll(async () => {
  for (const dialect of ["messages", "responses", "content"] as const) {
    const channel = { ...wires[dialect].channel, name: `scripted ${dialect}`, models: [dialect] };
    await stand.gateway.control("POST", "/api/channel", vendor.channel(channel));
  }
  customer = await stand.gateway.customer(1);
  await tokenizerIsThere(stand.gateway, modelOf.chat);
});

interface Counter {
  own: Dialect;
  /** Path at which vendors of the dialect count. */
  vendorPath: RegExp;
  path(model: string): string;
  body(model: string, text: string): JsonObject;
  answer(count: unknown): JsonObject;
}

const counters: readonly Counter[] = [
  {
    own: "messages",
    vendorPath: /^\/v1\/messages\/count_tokens$/,
    path: () => "/v1/messages/count_tokens",
    body: (model, text) => ({ model, messages: [{ role: "user", content: text }] }),
    answer: (count) => ({ input_tokens: count }) as JsonObject,
  },
  {
    own: "responses",
    vendorPath: /^\/v1\/responses\/input_tokens$/,
    path: () => "/v1/responses/input_tokens",
    body: (model, text) => ({ model, input: text }),
    answer: (count) => ({ object: "response.input_tokens", input_tokens: count }) as JsonObject,
  },
  {
    own: "content",
    vendorPath: /:countTokens$/,
    path: (model) => `/v1beta/models/${model}:countTokens`,
    body: (_model, text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
    answer: (count) => ({ totalTokens: count }) as JsonObject,
  },
];

const estimated = "x-sluice-estimated";
const text = "Lighthouses stand where land and sea meet, and warn whoever passes by night.";
const tokens = countTokens(text);

async function count(counter: Counter, model: string, body?: JsonObject): Promise<Response> {
  const asked = body ?? counter.body(model, text);
  return await stand.gateway.post(counter.path(model), asked, customer.key);
}

describe.each(counters.map((counter) => [counter.own, counter] as const))(
  "counting in %s",
  (own, counter) => {
    test("N5 is the vendor's answer, as it is, where the vendor counts", async () => {
      const response = await count(counter, modelOf[own]);
      expect(response.status).toBe(200);
      const counted = (await response.json()) as JsonObject;
      // The sandbox counts in its own, rougher way.
      expect(counted).toMatchObject(counter.answer(19));
      expect(stand.sandbox.calls().recent.at(-1)?.path).toMatch(/count_?tokens|input_tokens/i);
      expect(response.headers.get(estimated)).toBeNull();
      vendor.script = (_request, reply) => reply.json({ ...counter.answer(4711), x_vendor: [1] });
      const odd = { ...counter.body(own, text), x_vendor: { a: 1 } };
      const scripted = await count(counter, own, odd);
      expect(await scripted.json()).toEqual({ ...counter.answer(4711), x_vendor: [1] });
      expect(JSON.stringify(vendor.requests.at(-1)?.body)).toContain('"x_vendor":{"a":1}');
    });

    test("N24 is asked of a vendor of another format in that vendor's own words", async () => {
      for (const other of counters.filter((one) => one.own !== own)) {
        vendor.script = (_request, reply) => reply.json(other.answer(4711));
        const before = vendor.requests.length;
        const response = await count(counter, other.own);
        expect(response.status).toBe(200);
        expect(await response.json()).toEqual(counter.answer(4711));
        expect(response.headers.get(estimated)).toBeNull();
        expect(vendor.requests.length).toBe(before + 1);
        const { path, body } = vendor.requests.at(-1) ?? {};
        expect(path).toMatch(other.vendorPath);
        expect(JSON.stringify(body)).toContain(text);
        // Fields that bound or shape an answer are refused where only a length is asked for.
        for (const name of ["max_tokens", "max_output_tokens", "store", "stream", "include"]) {
          expect(body).not.toHaveProperty(name);
        }
      }
    });

    test("N24 is counted by the sandbox's vendors, with tools and all, whatever they speak", async () => {
      for (const other of counters.filter((one) => one.own !== own)) {
        const before = stand.sandbox.calls().total;
        const response = await count(counter, modelOf[other.own]);
        expect(await response.json()).toEqual(counter.answer(19));
        expect(stand.sandbox.calls().total).toBe(before + 1);
      }
    });

    test("N5 N24 is done here, by a real tokenizer, where nobody counts, and says so", async () => {
      const before = stand.sandbox.calls().total;
      const response = await count(counter, modelOf.chat);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual(counter.answer(tokens));
      expect(response.headers.get(estimated)).toBe("true");
      expect(stand.sandbox.calls().total).toBe(before);
    });

    test("N5 N24 is done here when the vendor fails, refuses or falls over", async () => {
      const faults: VendorScript[] = [
        (_request, reply) => reply.json({ error: { message: "Ouch." } }, 500),
        (_request, reply) => reply.json({ error: { message: "No such address." } }, 404),
        (_request, reply) => reply.json({ error: { message: "Slow down." } }, 429),
        (_request, reply) => reply.raw("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n<p>"),
        (_request, reply) => reply.cut(),
      ];
      for (const fault of faults) {
        vendor.script = fault;
        const response = await count(counter, own);
        expect(response.headers.get(estimated)).toBe("true");
        expect(await response.json()).toEqual(counter.answer(tokens));
      }
    });

    test("N5 grows with instructions and tools", async () => {
      const plain = counter.body(modelOf.chat, text);
      const more: Readonly<Record<string, JsonObject>> = {
        messages: {
          system: "Be brief.",
          tools: [{ name: "look", input_schema: { type: "object" } }],
        },
        responses: { instructions: "Be brief.", tools: [{ type: "function", name: "look" }] },
        content: {
          systemInstruction: { parts: [{ text: "Be brief." }] },
          tools: [{ functionDeclarations: [{ name: "look" }] }],
        },
      };
      const response = await count(counter, modelOf.chat, { ...plain, ...more[own] });
      const counted = Object.values((await response.json()) as Record<string, unknown>).at(-1);
      expect(counted).toBeGreaterThan(tokens + countTokens("Be brief.") + 3);
    });

    test("N5 Q5 of a wrong body is a 400, and of an unknown model a 503", async () => {
      const model = modelOf[own];
      const wrong = { model, messages: 5, input: 5, contents: 5 };
      expect((await count(counter, model, wrong)).status).toBe(400);
      expect((await count(counter, "none")).status).toBe(503);
    });
  },
);

test("N5 Google's wrapped request is counted whole, on every dialect", async () => {
  for (const to of dialects) {
    const inner = {
      contents: [{ role: "user", parts: [{ text }] }],
      systemInstruction: { parts: [{ text: "Be brief." }] },
    };
    const path = `/v1beta/models/${modelOf[to]}:countTokens`;
    for (const name of ["generateContentRequest", "generate_content_request"]) {
      const response = await stand.gateway.post(path, { [name]: inner });
      expect(response.status).toBe(200);
      const { totalTokens } = (await response.json()) as { totalTokens: number };
      expect(totalTokens).toBeWithin(tokens + 2, tokens + 7);
    }
  }
});

test("N5 counting is never charged and needs no money", async () => {
  for (const counter of counters) {
    for (const to of dialects) expect((await count(counter, modelOf[to])).status).toBe(200);
  }
  expect(await balanceOf(stand.gateway, customer.id)).toMatchObject({
    quota_micros: 1,
    held_micros: 0,
    used_micros: 0,
  });
  const log = await stand.gateway.control<{ items: object[] }>("GET", "/api/log?page_size=100");
  expect(log.items).toEqual([]);
});

test("N24 counting is done here, and says so, when no vendor answers in time", async () => {
  const config = `sandbox: "off"\nunpriced: free\ntimeouts: { first_byte_ms: 100 }`;
  await using gateway = await startGateway({ config });
  for (const { own } of counters) {
    const channel = { ...wires[own].channel, name: own, models: [own] };
    await gateway.control("POST", "/api/channel", vendor.channel(channel));
  }
  vendor.script = () => undefined;
  for (const counter of counters) {
    for (const { own: asked } of counters) {
      const before = vendor.requests.length;
      const response = await gateway.post(counter.path(asked), counter.body(asked, text));
      expect(response.headers.get(estimated)).toBe("true");
      expect(vendor.requests.length).toBe(before + 1);
    }
  }
});
