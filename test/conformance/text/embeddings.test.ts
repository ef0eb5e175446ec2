// Embeddings: vectors in the form that was asked for, priced by what was read.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { errorOf } from "../../harness/ask.ts";
import { balanceOf, logRow } from "../../harness/books.ts";
import { type DialectsStand, modelOf, startDialects } from "../../harness/dialects.ts";
import { Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

const vendor = new Vendor((_request, reply) => reply.cut());
const spare = new Vendor((_request, reply) => reply.cut());
let stand: DialectsStand;

beforeAll(async () => {
  const price =
    "{ model: priced, input_micros_per_million: 2000000, output_micros_per_million: 9000000 }";
  stand = await startDialects(`prices: [${price}]`);
  const channels = [
    vendor.channel({ name: "scripted", models: ["priced"], priority: 1 }),
    spare.channel({ name: "spare", models: ["priced"] }),
    vendor.channel({ name: "other", type: "anthropic", models: ["priced"], priority: 2 }),
  ];
  for (const channel of channels) await stand.gateway.control("POST", "/api/channel", channel);
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
  for (const one of [vendor, spare]) one[Symbol.dispose]();
});

interface Embeddings {
  object: string;
  data: { object: string; index: number; embedding: number[] | string }[];
  model: string;
  usage: { prompt_tokens: number; total_tokens: number };
}

async function embed(
  fields: object,
  key?: string,
): Promise<{ response: Response; body: Embeddings }> {
  const asked = { model: "embedA", ...fields };
  const response = await stand.gateway.post("/v1/embeddings", asked, key);
  expect(response.status).toBe(200);
  return { response, body: (await response.json()) as Embeddings };
}

const made = {
  object: "list",
  data: [{ object: "embedding", index: 0, embedding: [0.6, 0.8] }],
  model: "vendor-model",
  usage: { prompt_tokens: 500, total_tokens: 500 },
};

describe("embeddings", () => {
  test("N5 come as numbers, of unit length, one for each text", async () => {
    for (const format of [{}, { encoding_format: "float" }]) {
      const { body } = await embed({ input: ["The sea.", "The land."], dimensions: 64, ...format });
      expect(body).toMatchObject({ object: "list", model: "embedA" });
      expect(body.data.map(({ object, index }) => [object, index])).toEqual([
        ["embedding", 0],
        ["embedding", 1],
      ]);
      for (const { embedding } of body.data) {
        expect(embedding).toHaveLength(64);
        expect(Math.hypot(...(embedding as number[]))).toBeCloseTo(1, 4);
      }
    }
  });

  test("N5 come as base64 of the same numbers for who asks", async () => {
    const input = "The sea.";
    const { body: plain } = await embed({ input, dimensions: 8 });
    const { body } = await embed({ input, dimensions: 8, encoding_format: "base64" });
    const bytes = Buffer.from(String(body.data[0]?.embedding), "base64");
    const read = Array.from({ length: 8 }, (_, at) => bytes.readFloatLE(at * 4));
    const numbers = plain.data.flatMap(({ embedding }) => embedding as number[]);
    expect(read).toEqual(numbers.map(Math.fround));
  });

  test("N5 are made of tokens as well", async () => {
    for (const input of [
      [1, 2, 3],
      [[1, 2], [3]],
    ]) {
      const { body } = await embed({ input, dimensions: 4 });
      expect(body.usage.prompt_tokens).toBe(3);
    }
  });

  test("Q2 are charged by what was read: nothing is generated", async () => {
    vendor.script = (_request, reply) => reply.json(made);
    const { id, key } = await stand.gateway.customer(2_000);
    const { response, body } = await embed({ model: "priced", input: "The sea." }, key);
    expect(body).toEqual(made);
    expect(await logRow(stand.gateway, response)).toMatchObject({
      input_tokens: 500,
      output_tokens: 0,
      micros: 1000,
      estimated: false,
    });
    expect(await balanceOf(stand.gateway, id)).toMatchObject({ used_micros: 1000, held_micros: 0 });
  });

  test("Q2 without usage are counted here", async () => {
    const { response } = await embed({ input: "The sea. sandbox:no-usage" });
    const row = await logRow(stand.gateway, response);
    expect(row).toMatchObject({ output_tokens: 0, estimated: true });
    expect(row.input_tokens).toBeWithin(6, 12);
  });

  test("Q1 hold no more than their text can cost, and are a 402 past that", async () => {
    vendor.script = (_request, reply) => reply.json(made);
    const poor = await stand.gateway.customer(60);
    const before = vendor.requests.length;
    const asked = { model: "priced", input: "The sea." };
    const response = await stand.gateway.post("/v1/embeddings", asked, poor.key);
    expect(response.status).toBe(402);
    expect(await errorOf(response)).toMatchObject({ code: "insufficient_user_quota" });
    expect(vendor.requests).toHaveLength(before);
    // A body of some forty bytes is at most as many tokens, at two micros each.
    const enough = await stand.gateway.customer(100);
    expect((await stand.gateway.post("/v1/embeddings", asked, enough.key)).status).toBe(200);
  });

  test("Q7 move on to the next channel, and never to one of another kind", async () => {
    vendor.script = (_request, reply) => reply.json({ error: { message: "Ouch." } }, 500);
    spare.script = (_request, reply) => reply.json(made);
    const before = vendor.requests.length;
    const { body } = await embed({ model: "priced", input: "The sea." });
    expect(body).toEqual(made);
    expect(vendor.requests.slice(before).map(({ path }) => path)).toEqual(["/v1/embeddings"]);
  });

  test("Q4 of a model that no such channel serves are a 503", async () => {
    for (const model of [modelOf.messages]) {
      const response = await stand.gateway.post("/v1/embeddings", { model, input: "The sea." });
      expect(response.status).toBe(503);
      expect((await errorOf(response)).code).toBe("model_not_found");
    }
  });

  test.each([
    [{}, "input"],
    [{ input: "" }, "input"],
    [{ input: [] }, "input"],
    [{ input: ["a", 5] }, "input.1"],
    [{ input: [[1], "a"] }, "input.1"],
    [{ input: "a", encoding_format: "binary" }, "encoding_format"],
    [{ input: "a", dimensions: 0 }, "dimensions"],
  ])("Q5 %j is a 400 that names %s", async (fields, param) => {
    const before = stand.sandbox.calls().total;
    const asked = { model: "embedA", ...fields };
    const response = await stand.gateway.post("/v1/embeddings", asked);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ param, code: "invalid_request" });
    expect(stand.sandbox.calls().total).toBe(before);
  });

  test("Q4 an answer that is none is an error and costs nothing", async () => {
    for (const one of [vendor, spare]) one.script = (_request, reply) => reply.json({ hello: 1 });
    const { id, key } = await stand.gateway.customer(2_000);
    const asked = { model: "priced", input: "The sea." };
    const response = await stand.gateway.post("/v1/embeddings", asked, key);
    expect(response.status).toBe(500);
    expect((await errorOf(response)).code).toBe("bad_response_body");
    expect((await balanceOf(stand.gateway, id)).used_micros).toBe(0);
  });
});
