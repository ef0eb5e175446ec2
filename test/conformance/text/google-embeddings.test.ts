// Embeddings in Google's format, and between the two formats there are: priced, held and converted.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { GoogleGenAI } from "@google/genai";
import { balanceOf, logRow } from "../../harness/books.ts";
import { rootKey, startGateway, type Gateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

const vectors = [
  [0.5, -0.25],
  [1, 0],
];
const google = new Vendor(({ path, body }, reply) => {
  const { requests = [] } = body as { requests?: unknown[] };
  const several = requests.map((_one, at) => ({ values: vectors[at] }));
  reply.json(
    path.endsWith(":embedContent")
      ? { embedding: { values: vectors[0] } }
      : { embeddings: several },
  );
});
const openai = new Vendor(({ body }, reply) => {
  const input = body["input"] as string[];
  const data = input.map((_one, index) => ({
    object: "embedding",
    index,
    embedding: vectors[index],
  }));
  const usage = { prompt_tokens: 40, total_tokens: 40 };
  reply.json({ object: "list", data, model: "theirs", usage });
});
let gateway: Gateway;

beforeAll(async () => {
  const price = { input_micros_per_million: 2_000_000, output_micros_per_million: 9_000_000 };
  gateway = await startGateway({
    config: JSON.stringify({
      channels: [
        google.channel({ name: "google", type: "google", models: ["g-embed"] }),
        openai.channel({ name: "openai", models: ["o-embed"] }),
      ],
      prices: ["g-embed", "o-embed"].map((model) => ({ model, ...price })),
    }),
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  for (const one of [google, openai]) one[Symbol.dispose]();
});

const said = (text: string) => ({ content: { parts: [{ text }] } });
const one = { ...said("The sea."), taskType: "RETRIEVAL_QUERY", outputDimensionality: 2 };
const two = { requests: [{ model: "models/any", ...said("The sea.") }, said("The land.")] };
const lastOf = ({ requests }: Vendor) => requests.at(-1);

describe("X-M30 embeddings in Google's format", () => {
  test("pass to Google as they are, one or several, and are charged by what was read", async () => {
    const customer = await gateway.customer(10_000);
    const path = "/v1beta/models/g-embed";
    const response = await gateway.post(`${path}:embedContent`, one, customer.key);
    expect(await response.json()).toEqual({ embedding: { values: vectors[0] } });
    expect(lastOf(google)).toMatchObject({
      path: "/v1beta/models/g-embed:embedContent",
      body: { ...one, model: "models/g-embed" },
    });
    const row = await logRow(gateway, response);
    expect(row).toMatchObject({ model: "g-embed", output_tokens: 0, estimated: true });
    expect(row.input_tokens).toBeGreaterThan(0);
    expect(row.micros).toBe(row.input_tokens * 2);
    expect(await balanceOf(gateway, customer.id)).toMatchObject({
      used_micros: row.micros,
      held_micros: 0,
    });
    const several = await gateway.post(`${path}:batchEmbedContents`, two, customer.key);
    expect(await several.json()).toEqual({ embeddings: vectors.map((values) => ({ values })) });
    expect(lastOf(google)?.body).toMatchObject({
      requests: [{ model: "models/g-embed" }, { model: "models/g-embed" }],
    });
  });

  test("reach a vendor of the other format, at that vendor's count", async () => {
    const customer = await gateway.customer(10_000);
    const path = "/v1beta/models/o-embed";
    const response = await gateway.post(`${path}:embedContent`, one, customer.key);
    expect(await response.json()).toEqual({ embedding: { values: vectors[0] } });
    expect(lastOf(openai)).toMatchObject({
      path: "/v1/embeddings",
      body: { model: "o-embed", input: ["The sea."], dimensions: 2, encoding_format: "float" },
    });
    expect(await logRow(gateway, response)).toMatchObject({ input_tokens: 40, micros: 80 });
    const several = await gateway.post(`${path}:batchEmbedContents`, two, customer.key);
    expect(await several.json()).toEqual({ embeddings: vectors.map((values) => ({ values })) });
  });

  test("are held for before they are sent, and refused where nothing is embedded", async () => {
    const poor = await gateway.customer(10);
    const before = google.requests.length;
    const path = "/v1beta/models/g-embed:embedContent";
    expect((await gateway.post(path, one, poor.key)).status).toBe(402);
    for (const body of [{}, { content: {} }, { content: { parts: [] } }]) {
      expect((await gateway.post(path, body)).status).toBe(400);
    }
    expect(google.requests).toHaveLength(before);
  });

  test("come to Google's own client", async () => {
    const client = new GoogleGenAI({ apiKey: rootKey, httpOptions: { baseUrl: gateway.url } });
    for (const model of ["g-embed", "o-embed"]) {
      const contents = ["The sea.", "The land."];
      const { embeddings = [] } = await client.models.embedContent({ model, contents });
      expect(embeddings.map(({ values }) => values)).toEqual(vectors);
    }
  });
});

describe("X-M31 embeddings in OpenAI's format on a vendor of Google's", () => {
  test("come back as numbers or base64, with a count", async () => {
    const asked = { model: "g-embed", input: ["The sea.", "The land."], dimensions: 2 };
    const response = await gateway.post("/v1/embeddings", asked);
    const body = (await response.json()) as { usage: { prompt_tokens: number } };
    expect(body).toMatchObject({
      object: "list",
      model: "g-embed",
      data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
    });
    expect(body.usage.prompt_tokens).toBeGreaterThan(0);
    expect(lastOf(google)).toMatchObject({
      path: "/v1beta/models/g-embed:batchEmbedContents",
      body: {
        requests: asked.input.map((text) => ({
          model: "models/g-embed",
          ...said(text),
          outputDimensionality: 2,
        })),
      },
    });
    const packed = await gateway.post("/v1/embeddings", { ...asked, encoding_format: "base64" });
    const { data } = (await packed.json()) as { data: { embedding: string }[] };
    const bytes = Buffer.from(data[0]?.embedding ?? "", "base64");
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([0.5, -0.25]);
  });

  test("are refused as tokens, which mean nothing there", async () => {
    const response = await gateway.post("/v1/embeddings", { model: "g-embed", input: [1, 2] });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "input" } });
  });
});
