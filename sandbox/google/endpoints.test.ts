// Everything around generating over real HTTP: keys, addresses, counts, embeddings, the model list.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const root = `${sandbox.url}/google/v1beta/models`;
const key = { "x-goog-api-key": "sk-sandbox-abcd" };
const contents = [{ role: "user", parts: [{ text: "How do bridges stand?" }] }];

function post(path: string, body: object, headers: Record<string, string> = key) {
  return fetch(`${root}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function errorOf(response: Response) {
  const { error } = (await response.json()) as { error: { message: string; status: string } };
  return { httpStatus: response.status, ...error };
}

describe("a key", () => {
  test("comes in a header or in the query", async () => {
    expect((await post("m:generateContent", { contents })).status).toBe(200);
    const inQuery = await post("m:generateContent?key=sk-sandbox-wxyz", { contents }, {});
    expect(inQuery.status).toBe(200);
    expect(sandbox.calls().recent.slice(-2)).toMatchObject([
      { path: "/google/v1beta/models/m:generateContent", bearerLast4: "abcd", model: "m" },
      { path: "/google/v1beta/models/m:generateContent", bearerLast4: "wxyz", model: "m" },
    ]);
  });

  test("must be there, and only once", async () => {
    const none = await post("m:generateContent", { contents }, {});
    expect(await errorOf(none)).toMatchObject({ httpStatus: 403, status: "PERMISSION_DENIED" });
    const bearer = await post("m:generateContent", { contents }, { authorization: "Bearer x" });
    expect(await errorOf(bearer)).toMatchObject({ httpStatus: 401, status: "UNAUTHENTICATED" });
    const twice = await post("m:generateContent?key=sk-sandbox-wxyz", { contents });
    expect(await errorOf(twice)).toMatchObject({ httpStatus: 400, status: "INVALID_ARGUMENT" });
  });

  test("that was revoked is refused as a bad request", async () => {
    const revoked = { "x-goog-api-key": "sk-sandbox-revoked" };
    expect(await errorOf(await post("m:generateContent", { contents }, revoked))).toMatchObject({
      httpStatus: 400,
      status: "INVALID_ARGUMENT",
      details: [{ reason: "API_KEY_INVALID", domain: "googleapis.com" }],
    });
  });
});

describe("an address", () => {
  test("may name any model", async () => {
    for (const name of ["publishers/x/models/y", "a%20b%3Ac", "tuned%2Fmodel", "100%"]) {
      expect((await post(`${name}:generateContent`, { contents })).status).toBe(200);
    }
    const seen = sandbox.calls().recent.slice(-4);
    expect(seen.map(({ model }) => model)).toEqual([
      "publishers/x/models/y",
      "a b:c",
      "tuned/model",
      "100%",
    ]);
  });

  test("that is not there is not found", async () => {
    const missing = [
      post("m:generateText", { contents }),
      post("m:toString", { contents }),
      post("m", { contents }),
      post(":generateContent", { contents }),
      fetch(`${root}/m:generateContent`, { method: "PUT", headers: key }),
      fetch(`${root}/nothing`, { headers: key }),
      fetch(`${sandbox.url}/google/v2/models`, { headers: key }),
    ];
    for (const response of await Promise.all(missing)) {
      expect(await errorOf(response)).toMatchObject({ httpStatus: 404, status: "NOT_FOUND" });
    }
  });

  test("may not carry words that Google does not know", async () => {
    expect((await post("m:generateContent?prettyPrint=false&alt=json", { contents })).status).toBe(
      200,
    );
    const unknown = await errorOf(await post("m:generateContent?beta=true", { contents }));
    expect(unknown).toMatchObject({ httpStatus: 400, status: "INVALID_ARGUMENT" });
    expect(unknown.message).toContain('Unknown name "beta": Cannot bind query parameter.');
  });
});

describe("a count", () => {
  const count = async (body: object) => {
    const response = await post("gemini-3-pro:countTokens", body);
    expect(response.status).toBe(200);
    return response.json();
  };

  test("is of contents or of a whole request", async () => {
    expect(await count({ contents })).toEqual({
      totalTokens: 6,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 6 }],
    });
    const systemInstruction = { parts: [{ text: "Be brief, be kind, be gone." }] };
    const model = "models/gemini-3-pro";
    const request = { model, contents, systemInstruction, generationConfig: { topK: 3 } };
    expect(await count({ generateContentRequest: request })).toMatchObject({ totalTokens: 12 });
  });

  test("agrees with the usage of an answer", async () => {
    const reply = await (await post("m:generateContent", { contents })).json();
    expect(reply).toMatchObject({ usageMetadata: { promptTokenCount: 6 } });
  });

  test("does not mind who spoke last", async () => {
    const answered = [...contents, { role: "model", parts: [{ text: "Well." }] }];
    expect(await count({ contents: answered })).toMatchObject({ totalTokens: 7 });
  });

  test.each([
    [{}, "contents is not specified"],
    [{ contents, generateContentRequest: { contents } }, "exclude each other"],
    [{ generateContentRequest: { contents } }, "must be the model of the address"],
    [{ contents, systemInstruction: { parts: [] } }, 'Unknown name "systemInstruction"'],
    [{ contents: [{ role: "user" }] }, "must not be empty"],
  ])("refuses %j", async (body, message) => {
    const error = await errorOf(await post("gemini-3-pro:countTokens", body));
    expect(error).toMatchObject({ httpStatus: 400, status: "INVALID_ARGUMENT" });
    expect(error.message).toContain(message);
  });
});

describe("embeddings", () => {
  const content = (text: string) => ({ parts: [{ text }] });
  const model = "models/gemini-embedding-001";

  async function vectors(texts: string[]): Promise<number[][]> {
    const requests = texts.map((text) => ({ model, content: content(text) }));
    const response = await post("gemini-embedding-001:batchEmbedContents", { requests });
    expect(response.status).toBe(200);
    const { embeddings } = (await response.json()) as { embeddings: { values: number[] }[] };
    return embeddings.map(({ values }) => values);
  }

  test("are the same for the same text, and of length one", async () => {
    const [first = [], second, third] = await vectors(["a", "b", "a"]);
    expect(first).toHaveLength(768);
    expect(first).toEqual(third ?? []);
    expect(first).not.toEqual(second ?? []);
    expect(Math.hypot(...first)).toBeCloseTo(1);
  });

  test("come one at a time too, with as many dimensions as asked", async () => {
    const body = { content: content("a"), taskType: "CLUSTERING", outputDimensionality: 16 };
    const response = await post("gemini-embedding-001:embedContent", body);
    const { embedding } = (await response.json()) as { embedding: { values: number[] } };
    expect(embedding.values).toHaveLength(16);
  });

  test("obey directives", async () => {
    const requests = [{ model, content: content("sandbox:status=503") }];
    const response = await post("gemini-embedding-001:batchEmbedContents", { requests });
    expect(response.status).toBe(503);
  });

  test.each([
    ["batchEmbedContents", {}],
    ["batchEmbedContents", { requests: [{ content: content("a") }] }],
    ["batchEmbedContents", { requests: [{ model: "models/other", content: content("a") }] }],
    ["batchEmbedContents", { requests: [{ model }] }],
    ["embedContent", {}],
    ["embedContent", { content: content("a"), outputDimensionality: 0 }],
    ["embedContent", { content: content("a"), dimensions: 3 }],
  ])("%s refuses %j", async (verb, body) => {
    const response = await post(`gemini-embedding-001:${verb}`, body);
    expect(await errorOf(response)).toMatchObject({ httpStatus: 400, status: "INVALID_ARGUMENT" });
  });
});

describe("the models", () => {
  const list = async (query = "") => {
    const response = await fetch(`${root}${query}`, { headers: key });
    expect(response.status).toBe(200);
    return (await response.json()) as { models: { name: string }[]; nextPageToken?: string };
  };

  test("are listed, also page by page", async () => {
    const { models, ...rest } = await list();
    expect(models.length).toBeGreaterThan(2);
    expect(rest).toEqual({});
    const first = await list("?pageSize=2");
    const second = await list(`?pageSize=2&pageToken=${first.nextPageToken}`);
    expect([...first.models, ...second.models]).toEqual(models);
    expect(second).not.toHaveProperty("nextPageToken");
    const odd = await fetch(`${root}?pageSize=x`, { headers: key });
    expect(odd.status).toBe(400);
  });

  test("are described one by one", async () => {
    const [model] = (await list()).models;
    const response = await fetch(`${sandbox.url}/google/v1beta/${model?.name}`, { headers: key });
    expect(await response.json()).toEqual({ ...model });
  });
});
