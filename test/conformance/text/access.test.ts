// Access to the routes of every format, by which carrier, and how a refusal reads there.
import { afterAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { eventually } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { rootKey, startGateway } from "../../harness/gateway.ts";
import { nameOf, routes } from "../../harness/route-table.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const vendors = dialects.map((dialect) => ({
  dialect,
  vendor: new Vendor(answers(dialect, "Hello.")),
}));

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: vendors.map(({ dialect, vendor }) =>
        vendor.channel({ name: dialect, models: [dialect], ...wires[dialect].channel }),
      ),
      log: { requests: true, level: "debug" },
      unpriced: "free",
    }),
  }),
);

afterAll(() => {
  for (const { vendor } of vendors) vendor[Symbol.dispose]();
});

type Headers = Record<string, string>;

async function post(path: string, headers: Headers, body?: object): Promise<Response> {
  return await fetch(gateway.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body ?? bodyFor(path)),
  });
}

function bodyFor(path: string): object {
  const format = path.includes("/models/")
    ? "content"
    : path.includes("messages")
      ? "messages"
      : "chat";
  const model = format;
  const body = clients[format].body({ model, prompt: "Hello?" }, false);
  if (path.endsWith("/input_tokens") || path.endsWith("/responses"))
    return { model, input: "Hello?" };
  return path.includes("/count") ? { ...body, max_tokens: undefined } : body;
}

const bearer = { authorization: `Bearer ${rootKey}` };
const messagesPaths = ["/v1/messages", "/v1/messages/count_tokens"];
const googlePaths = ["/v1beta", "/v1"].flatMap((version) =>
  ["generateContent", "streamGenerateContent", "countTokens"].map(
    (verb) => `${version}/models/content:${verb}`,
  ),
);
const openaiPaths = ["/v1/chat/completions", "/v1/responses", "/v1/responses/input_tokens"];

describe("a key", () => {
  test.each([...openaiPaths, ...messagesPaths, ...googlePaths])(
    "A1 opens %s as a bearer",
    async (path) => {
      expect((await post(path, bearer)).status).toBe(200);
    },
  );

  test.each(messagesPaths)("A2 opens %s as x-api-key, with and without a version", async (path) => {
    const key = { "x-api-key": rootKey };
    for (const version of [
      {},
      { "vendorB-version": "2023-06-01" },
      { "anthropic-version": "2026-10-21" },
    ]) {
      expect((await post(path, { ...key, ...version })).status).toBe(200);
    }
  });

  test.each(googlePaths)("A3 opens %s in both headers and in the address", async (path) => {
    expect((await post(path, { "x-goog-api-key": rootKey })).status).toBe(200);
    expect((await post(path, { "x-vendorC-api-key": rootKey })).status).toBe(200);
    expect((await post(`${path}?key=${rootKey}`, {})).status).toBe(200);
    expect((await post(`${path}?alt=sse&key=${rootKey}`, {})).status).toBe(200);
  });

  test("A3 every row under /v1beta is there under /v1", () => {
    const names = routes.map(nameOf);
    const older = names.filter((name) => name.includes(" /v1beta/"));
    expect(older.length).toBeGreaterThan(8);
    const newer = older.map((name) => name.replace("/v1beta/", "/v1/"));
    expect(newer.filter((name) => !names.includes(name))).toEqual([]);
  });

  test("A2 A3 opens nothing by a carrier of another route", async () => {
    for (const path of openaiPaths) {
      expect((await post(path, { "x-api-key": rootKey })).status).toBe(401);
      expect((await post(path, { "x-goog-api-key": rootKey })).status).toBe(401);
      expect((await post(`${path}?key=${rootKey}`, {})).status).toBe(401);
    }
    for (const path of messagesPaths) {
      expect((await post(path, { "x-goog-api-key": rootKey })).status).toBe(401);
      expect((await post(`${path}?key=${rootKey}`, {})).status).toBe(401);
    }
    for (const path of googlePaths) {
      expect((await post(path, { "x-api-key": rootKey })).status).toBe(401);
    }
  });

  test("A2 A3 may come twice as the same, and not as two", async () => {
    const other = "sk-another-key-0123456789";
    const twice = { ...bearer, "x-api-key": rootKey };
    expect((await post("/v1/messages", twice)).status).toBe(200);
    expect((await post("/v1/messages", { ...bearer, "x-api-key": other })).status).toBe(400);
    const [google = ""] = googlePaths;
    expect((await post(`${google}?key=${rootKey}`, { "x-goog-api-key": rootKey })).status).toBe(
      200,
    );
    const pairs: [string, Headers][] = [
      [google, { ...bearer, "x-goog-api-key": other }],
      [google, { "x-goog-api-key": rootKey, "x-vendorC-api-key": other }],
      [`${google}?key=${other}`, { "x-goog-api-key": rootKey }],
      [`${google}?key=${rootKey}&key=${other}`, {}],
    ];
    for (const [path, headers] of pairs) {
      const response = await post(path, headers);
      expect(response.status).toBe(400);
      const { error } = (await response.json()) as { error: JsonObject };
      expect(JSON.stringify(error)).toContain("conflicting_credentials");
      expect(JSON.stringify(error)).not.toContain(rootKey);
    }
  });
});

describe("a refusal", () => {
  // The specification: "Failure on public routes: status 401 with the error envelope".
  test("A4 of several keys, none of them good, is a 401 as of one", async () => {
    const [one, other] = ["sk-unknown-key-0123456789", "sk-another-key-0123456789"];
    const messages = { authorization: `Bearer ${one}`, "x-api-key": other };
    expect((await post("/v1/messages", messages)).status).toBe(401);
    const google = googlePaths[0] ?? "";
    const pairs: [string, Headers][] = [
      [google, { authorization: `Bearer ${one}`, "x-goog-api-key": other }],
      [`${google}?key=${one}`, { "x-goog-api-key": other }],
      [`${google}?key=${one}&key=${other}`, {}],
    ];
    for (const [path, headers] of pairs) {
      const response = await post(path, headers);
      expect([path, response.status]).toEqual([path, 401]);
      expect(JSON.stringify(await response.json())).toContain("UNAUTHENTICATED");
    }
  });

  const wrong = "sk-wrong-key-0123456789";

  test.each(messagesPaths)("A4 N2 on %s reads as Anthropic's clients read it", async (path) => {
    for (const headers of [{}, { "x-api-key": wrong }, { authorization: wrong }] as Headers[]) {
      const response = await post(path, headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({
        type: "error",
        error: {
          type: "invalid_request_error",
          message: expect.any(String),
          param: null,
          code: "invalid_api_key",
          details: { error_code: "invalid_api_key" },
        },
        request_id: response.headers.get("request-id"),
      });
    }
  });

  test.each(googlePaths)(
    "A4 N2 on %s has Google's word; its clients get its shape",
    async (path) => {
      const ours = { type: "invalid_request_error", param: null, code: "invalid_api_key" };
      for (const headers of [{}, { authorization: `Bearer ${wrong}` }] as Headers[]) {
        const response = await post(path, headers);
        expect(response.status).toBe(401);
        expect(await response.json()).toEqual({
          error: { ...ours, message: expect.any(String), status: "UNAUTHENTICATED" },
        });
      }
      const response = await post(path, { "x-goog-api-key": wrong });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({
        error: {
          code: 401,
          message: expect.any(String),
          status: "UNAUTHENTICATED",
          details: [ours],
        },
      });
    },
  );

  test.each([
    ["/v1/messages", { type: "error", request_id: expect.any(String) }],
    ["/v1/messages/none", { type: "error", request_id: expect.any(String) }],
    ["/v1beta/none", { error: expect.objectContaining({ status: "NOT_FOUND" }) }],
    ["/v1beta/models/content:none", { error: { status: expect.any(String) } }],
  ])("N2 Q6 at %s has the envelope of its neighbours", async (path, shape) => {
    const response =
      path === "/v1/messages" ? await gateway.get(path) : await post(path, bearer, {});
    expect(response.status).toBeOneOf([404, 405]);
    expect(await response.json()).toMatchObject(shape);
  });

  test("N2 of an unknown model is not to be tried again, in every envelope", async () => {
    const asked: [string, object, JsonObject][] = [
      ["/v1/responses", { model: "none", input: "Hi" }, {}],
      [
        "/v1/messages",
        { model: "none", max_tokens: 5, messages: [{ role: "user", content: "Hi" }] },
        { type: "error" },
      ],
      ["/v1beta/models/none:generateContent", { contents: [{ parts: [{ text: "Hi" }] }] }, {}],
      ["/v1beta/models/none:countTokens", { contents: [{ parts: [{ text: "Hi" }] }] }, {}],
      ["/v1/embeddings", { model: "none", input: "Hi" }, {}],
    ];
    for (const [path, body, more] of asked) {
      const response = await post(path, bearer, body);
      expect([path, response.status]).toEqual([path, 503]);
      expect(response.headers.get("x-should-retry")).toBe("false");
      expect(await response.json()).toMatchObject({
        ...more,
        error: { code: "model_not_found", param: "model" },
      });
    }
  });

  test("N2 every answer has both request ids, and they agree", async () => {
    for (const path of [...openaiPaths, ...messagesPaths, ...googlePaths, "/v1/messages/none"]) {
      for (const headers of [bearer, {}] as Headers[]) {
        const response = await post(path, headers);
        const id = response.headers.get("x-request-id");
        expect(id).toMatch(/^req_[a-z0-9]{20,}$/);
        expect(response.headers.get("request-id")).toBe(id);
      }
    }
  });
});

test("A8 a key in the address is in no log line, no error, no metric and no request upstream", async () => {
  const { key } = await gateway.customer(1_000_000);
  const [first = "", second = "", third = ""] = googlePaths;
  const answers = [
    await post(`${first}?key=${key}`, {}),
    await post(`${second}?alt=sse&key=${key}`, {}),
    await post(`${third}?key=${key}`, {}),
    await post(`${first}?key=${key}`, {}, { contents: 5 }),
    await post(`${first}?key=${key}x`, {}),
    await post(`/v1beta/none?key=${key}`, {}),
    await post(`/v1beta/models/none:generateContent?key=${key}`, {}, { contents: [{ parts: [] }] }),
    await fetch(`${gateway.url}/v1beta/models?key=${key}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 401, 404, 503, 200]);
  for (const answer of answers) expect(await answer.text()).not.toContain(key);
  const last = answers.at(-1)?.headers.get("x-request-id") ?? "";
  await eventually("the last log line", async () => gateway.output.includes(last) || undefined);
  expect(gateway.output).toContain("/v1beta/models/content:generateContent");
  expect(gateway.output).not.toContain(key);
  expect(await gateway.metrics()).not.toContain(key);
  const sent = vendors.flatMap(({ vendor }) => vendor.requests);
  expect(sent.length).toBeGreaterThan(10);
  for (const { path, headers, text } of sent) {
    expect(path + JSON.stringify(headers) + text).not.toContain(key);
    expect(path).not.toContain("key=");
  }
});

describe("what the lists say", () => {
  test("N1 every text model takes every text format, an embedding model its own", async () => {
    await using sandboxed = await startGateway();
    const response = await sandboxed.get("/v1/models");
    const { data } = (await response.json()) as { data: JsonObject[] };
    const types = new Map(data.map((model) => [model["id"], model["supported_endpoint_types"]]));
    const every = ["chat", "completions", "responses", "messages", "content"];
    for (const id of ["chatA", "chatA-mini", "chatB", "chatC", "chatD"]) {
      expect(types.get(id)).toEqual(every);
    }
    expect(types.get("embedA")).toEqual(["embeddings"]);
    const google = await sandboxed.get("/v1beta/models/chatB");
    expect(await google.json()).toMatchObject({
      supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
    });
    const embedding = await sandboxed.get("/v1beta/models/embedA");
    expect(await embedding.json()).toMatchObject({
      supportedGenerationMethods: ["embedContent", "batchEmbedContents"],
    });
  });

  test("D4 what is listed can be called in every one of its formats", async () => {
    const { data } = (await (await gateway.get("/v1/models")).json()) as { data: JsonObject[] };
    expect(data.map(({ id }) => id)).toEqual([...dialects].toSorted());
    for (const { id } of data) {
      for (const client of dialects) {
        const model = String(id);
        const { path, body, read } = clients[client];
        const response = await gateway.post(
          path(model, false),
          body({ model, prompt: "Hi" }, false),
        );
        expect(read((await response.json()) as JsonObject).text).toBe("Hello.");
      }
    }
  });
});
