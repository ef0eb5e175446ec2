// Embeddings over real HTTP.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

function post(body: object) {
  return fetch(`${sandbox.url}/openai/v1/embeddings`, {
    method: "POST",
    headers: { authorization: "Bearer sk-sandbox-a" },
    body: JSON.stringify({ model: "sandbox-embedding", ...body }),
  });
}

interface EmbeddingList {
  object: string;
  data: { object: string; index: number; embedding: number[] | string }[];
  model: string;
  usage?: object;
}

async function embed(body: object): Promise<EmbeddingList> {
  const response = await post(body);
  expect(response.status).toBe(200);
  return (await response.json()) as EmbeddingList;
}

async function vectorsOf(body: object): Promise<number[][]> {
  const { data } = await embed(body);
  return data.map(({ embedding }) => (typeof embedding === "string" ? [] : embedding));
}

describe("embeddings", () => {
  test("are unit vectors, the same for the same text", async () => {
    const list = await embed({ input: ["rivers", "lakes", "rivers"] });
    expect(list).toMatchObject({ object: "list", model: "sandbox-embedding" });
    expect(list.data.map(({ object, index }) => `${object} ${index}`)).toEqual([
      "embedding 0",
      "embedding 1",
      "embedding 2",
    ]);
    expect(list.usage).toEqual({ prompt_tokens: 6, total_tokens: 6 });
    const [first, second, third] = list.data.map(({ embedding }) => embedding);
    expect(first).toHaveLength(1536);
    expect(Math.hypot(...(first as number[]))).toBeCloseTo(1, 5);
    expect(third).toEqual(first ?? []);
    expect(second).not.toEqual(first ?? []);
  });

  test("have as many dimensions as asked", async () => {
    for (const dimensions of [1, 3, 256]) {
      const [vector] = await vectorsOf({ input: "rivers", dimensions });
      expect(vector).toHaveLength(dimensions);
      expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
    }
  });

  test("come as base64 of the same numbers when asked", async () => {
    const body = { input: "rivers", dimensions: 8 };
    const [vector] = await vectorsOf(body);
    const { data } = await embed({ ...body, encoding_format: "base64" });
    const bytes = Buffer.from(String(data[0]?.embedding), "base64");
    expect(bytes).toHaveLength(32);
    const numbers = Array.from({ length: 8 }, (_, at) => bytes.readFloatLE(at * 4));
    expect(numbers).toEqual(vector ?? []);
    expect(await vectorsOf({ ...body, encoding_format: "float" })).toEqual([vector ?? []]);
  });

  test("take token ids", async () => {
    expect((await embed({ input: [1, 2, 3] })).usage).toMatchObject({ prompt_tokens: 3 });
    const [first, second] = await vectorsOf({ input: [[1, 2], [3]], dimensions: 4 });
    expect(first).not.toEqual(second ?? []);
  });

  test("obey directives, and only the asked key's", async () => {
    expect((await post({ input: "a sandbox:status=429" })).status).toBe(429);
    expect((await post({ input: ["a", "sandbox:status=500@sk-other"] })).status).toBe(200);
    expect(await embed({ input: "a sandbox:no-usage" })).not.toHaveProperty("usage");
    await expect((await post({ input: "a sandbox:garbage" })).json()).rejects.toThrow();
  });

  test("are refused for what cannot be embedded", async () => {
    for (const [param, body] of Object.entries({
      input: { input: "" },
      dimensions: { input: "a", dimensions: 0 },
      encoding_format: { input: "a", encoding_format: "hex" },
    })) {
      const response = await post(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { param } });
    }
    for (const input of [undefined, [], ["a", ""], Array.from({ length: 2049 }, () => "a")]) {
      const response = await post({ input });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { param: "input" } });
    }
  });
});
