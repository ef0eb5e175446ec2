// The model lists: what a key can call, in the three shapes that clients read.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Gateway, rootKey, startGateway } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";

const vendor = new Vendor((_request, reply) => reply.json(completion("Hello.")));
const partnerKey = "sk-partner-0123456789abcdef";
const narrowKey = "sk-narrow-0123456789abcdef";
let gateway: Gateway;

beforeAll(async () => {
  const free = { input_micros_per_million: 0, output_micros_per_million: 0 };
  gateway = await startGateway({
    config: JSON.stringify({
      groups: [{ name: "partners" }],
      channels: [
        vendor.channel({ name: "one", models: ["chatB", "chatA", "own.model_1:x@2"] }),
        vendor.channel({ name: "two", models: ["chatA"] }),
        vendor.channel({ name: "off", models: ["switched-off"], status: "disabled" }),
        vendor.channel({ name: "theirs", models: ["chatD", "chatC"], groups: ["partners"] }),
      ],
      prices: [
        { model: "own.model_1:x@2", ...free },
        { model: "switched-off", ...free },
      ],
      keys: [
        { name: "partner", key: partnerKey, group: "partners", unlimited: true },
        { name: "narrow", key: narrowKey, unlimited: true, models: ["chatB", "chatD"] },
      ],
    }),
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

type Row = Record<string, unknown>;

async function read(path: string, headers: Record<string, string>): Promise<Response> {
  return await fetch(gateway.url + path, { headers });
}

async function json(response: Response): Promise<Row> {
  return (await response.json()) as Row;
}

async function listed(key: string): Promise<unknown[]> {
  const { data } = (await (await gateway.get("/v1/models", key)).json()) as { data: Row[] };
  return data.map(({ id }) => id);
}

const rootModels = ["chatA", "chatB", "own.model_1:x@2"];
const bearer = { authorization: `Bearer ${rootKey}` };

describe("which models a key sees", () => {
  test("D4 the list holds exactly what the key can call, once each", async () => {
    expect(await listed(rootKey)).toEqual(rootModels);
    expect(await listed(partnerKey)).toEqual(["chatC", "chatD"]);
    expect(await listed(narrowKey)).toEqual(["chatB"]);
  });

  test("D4 Google's list holds the same", async () => {
    const names = async (key: string) => {
      const response = await gateway.get("/v1beta/models", key);
      const { models } = (await response.json()) as { models: Row[] };
      return models.map(({ name }) => name);
    };
    expect(await names(rootKey)).toEqual(rootModels.map((id) => `models/${id}`));
    expect(await names(partnerKey)).toEqual(["models/chatC", "models/chatD"]);
    expect(await names(narrowKey)).toEqual(["models/chatB"]);
  });

  test("D4 every listed model can be called, and no other can", async () => {
    const all = [...rootModels, "chatC", "chatD", "switched-off"];
    for (const key of [rootKey, partnerKey, narrowKey]) {
      const open = await listed(key);
      for (const model of all) {
        const body = { model, messages: [{ role: "user", content: "Hello?" }] };
        const response = await gateway.post("/v1/chat/completions", body, key);
        await response.text();
        expect([model, response.status]).toEqual([model, open.includes(model) ? 200 : 503]);
      }
    }
  });

  test("D4 a channel that is switched off or on again changes the list at once", async () => {
    const channel = vendor.channel({ name: "passing", models: ["chatA-mini"] });
    const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", channel);
    expect(await listed(rootKey)).toContain("chatA-mini");
    await gateway.control("PATCH", `/api/channel/${id}`, { status: "disabled" });
    expect(await listed(rootKey)).toEqual(rootModels);
    await gateway.control("PATCH", `/api/channel/${id}`, { status: "enabled" });
    expect(await listed(rootKey)).toContain("chatA-mini");
    await gateway.control("DELETE", `/api/channel/${id}`);
    expect(await listed(rootKey)).toEqual(rootModels);
  });
});

describe("a model without a price", () => {
  test("D4 is refused, and so it is neither listed nor found", async () => {
    const channel = vendor.channel({ name: "unpriced", models: ["unpriced"] });
    const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", channel);
    try {
      const body = { model: "unpriced", messages: [{ role: "user", content: "Hello?" }] };
      expect((await gateway.post("/v1/chat/completions", body)).status).toBe(503);
      expect(await listed(rootKey)).toEqual(rootModels);
      expect((await gateway.get("/v1/models/unpriced")).status).toBe(404);
    } finally {
      await gateway.control("DELETE", `/api/channel/${id}`);
    }
  });
});

describe("which models a key reaches", () => {
  test.each([
    ["of another group", rootKey, "chatC"],
    ["of the default group with a key of another", partnerKey, "chatA"],
    ["that its own list leaves out", narrowKey, "chatA"],
    ["that is on its list but not in its group", narrowKey, "chatD"],
    ["in other letters", narrowKey, "CHATB"],
    ["with a blank behind it", narrowKey, "chatB "],
    ["with a prefix", narrowKey, "models/chatB"],
  ])("A7 a key does not reach a model %s", async (_name, key, model) => {
    const before = vendor.requests.length;
    const messages = [{ role: "user", content: "Hello?" }];
    for (const [path, rest] of [
      ["/v1/chat/completions", { messages }],
      ["/v1/completions", { prompt: "Hello?" }],
    ] as const) {
      const response = await gateway.post(path, { model, ...rest }, key);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({
        error: { code: "model_not_found", param: "model" },
      });
    }
    expect(vendor.requests).toHaveLength(before);
  });

  test("A7 a list that is changed or taken away holds at once", async () => {
    const { key, keyId } = await gateway.customer(10_000_000, { models: ["chatA"] });
    const status = async (model: string) => {
      const body = { model, messages: [{ role: "user", content: "Hello?" }], max_tokens: 5 };
      return (await gateway.post("/v1/chat/completions", body, key)).status;
    };
    expect([await status("chatA"), await status("chatB")]).toEqual([200, 503]);
    await gateway.control("PATCH", `/api/token/${keyId}`, { models: ["chatB"] });
    expect([await status("chatA"), await status("chatB")]).toEqual([503, 200]);
    await gateway.control("PATCH", `/api/token/${keyId}`, { models: null });
    expect([await status("chatA"), await status("chatB")]).toEqual([200, 200]);
  });
});

const openaiModel = {
  id: "chatA",
  object: "model",
  created: expect.any(Number),
  owned_by: "vendorA",
  supported_endpoint_types: expect.arrayContaining(["chat", "completions"]),
  context_length: 400_000,
  max_output_tokens: 128_000,
  pricing: expect.any(Object),
};
const anthropicModel = {
  type: "model",
  id: "chatA",
  display_name: "chatA",
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
  max_input_tokens: 400_000,
  max_tokens: 128_000,
};
const googleModel = {
  name: "models/chatA",
  displayName: "chatA",
  supportedGenerationMethods: expect.arrayContaining(["generateContent", "streamGenerateContent"]),
  inputTokenLimit: 400_000,
  outputTokenLimit: 128_000,
};

describe("the shape of a list", () => {
  test("N1 OpenAI's is a list of models with what each one serves", async () => {
    const body = await json(await read("/v1/models", bearer));
    expect(body).toEqual({ object: "list", data: expect.any(Array) });
    const data = body["data"] as Row[];
    expect(data[0]).toEqual(openaiModel);
    const windows = ["context_length", "max_output_tokens"];
    const others = Object.keys(openaiModel).filter((name) => !windows.includes(name));
    for (const entry of data) expect(Object.keys(entry)).toEqual(expect.arrayContaining(others));
    // Nobody knows the window of an operator's own model.
    const { context_length: unknown } = data.find(({ id }) => id === "own.model_1:x@2") ?? {};
    expect(unknown).toBeUndefined();
    expect(Number.isInteger(data[0]?.["created"])).toBeTrue();
  });

  test.each(["anthropic-version", "vendorB-version"])(
    "N1 Anthropic's is for who sends %s",
    async (header) => {
      const version = { [header]: "2023-06-01" };
      for (const carrier of [bearer, { "x-api-key": rootKey }]) {
        const body = await json(await read("/v1/models", { ...carrier, ...version }));
        const { data, ...rest } = body;
        // The specification: "Returns an object with `object` = `list`."
        const last_id = rootModels.at(-1);
        expect(rest).toEqual({ object: "list", has_more: false, first_id: "chatA", last_id });
        expect((data as Row[])[0]).toEqual(anthropicModel);
        expect(data).toHaveLength(rootModels.length);
      }
    },
  );

  test("N1 Anthropic's of a key that can call nothing names no first and no last", async () => {
    const { key } = await gateway.customer(0, { models: ["nothing"] });
    const headers = { "x-api-key": key, "anthropic-version": "2023-06-01" };
    const body = await json(await read("/v1/models", headers));
    expect(body).toEqual({
      object: "list",
      data: [],
      has_more: false,
      first_id: null,
      last_id: null,
    });
  });

  test("N1 Google's under /v1 is a list by that word too", async () => {
    const body = await json(await read(`/v1/models?key=${rootKey}`, {}));
    expect(Object.keys(body)).toEqual(["object", "models"]);
    expect(body["object"]).toBe("list");
  });

  test("N1 Google's has models under their resource names, with their limits", async () => {
    const body = await json(await read("/v1beta/models", bearer));
    expect(Object.keys(body)).toEqual(["models"]);
    const models = body["models"] as Row[];
    expect(models[0]).toEqual(googleModel);
    for (const entry of models) expect(Object.keys(entry)).toEqual(Object.keys(googleModel));
  });

  test.each(["x-goog-api-key", "x-vendorC-api-key"])(
    "N1 Google's is under /v1 too, for who sends %s",
    async (header) => {
      const google = { [header]: rootKey };
      for (const path of ["/models", "/models?pageSize=2", "/models/chatA"]) {
        // The list of /v1 says what it is, as the specification has it.
        const { object: _list, ...newer } = await json(await read(`/v1${path}`, google));
        expect(newer).toEqual(await json(await read(`/v1beta${path}`, google)));
        expect(newer["models"] ?? newer["name"]).toBeDefined();
      }
    },
  );

  test("N1 Google's comes in pages to who asks for them", async () => {
    const names: unknown[] = [];
    let token: string | null = "";
    let pages = 0;
    while (token !== null) {
      const query: string = token === "" ? "" : `&pageToken=${token}`;
      const body = await json(await read(`/v1beta/models?pageSize=2${query}`, bearer));
      const models = body["models"] as Row[];
      expect(models.length).toBeWithin(1, 3);
      names.push(...models.map(({ name }) => name));
      token = typeof body["nextPageToken"] === "string" ? body["nextPageToken"] : null;
      pages++;
    }
    expect(pages).toBe(2);
    expect(names).toEqual(rootModels.map((id) => `models/${id}`));
  });
});

describe("one model", () => {
  test("N1 is answered in the shape of its list", async () => {
    const version = { "anthropic-version": "2023-06-01" };
    const answers = [
      await json(await read("/v1/models/chatA", bearer)),
      await json(await read("/v1/models/chatA", { ...bearer, ...version })),
      await json(await read("/v1beta/models/chatA", bearer)),
    ];
    expect(answers).toEqual([openaiModel, anthropicModel, googleModel]);
  });

  test("N1 is found by whatever name the list gives it", async () => {
    for (const id of rootModels) {
      expect(await json(await read(`/v1/models/${id}`, bearer))).toMatchObject({ id });
      const name = `models/${id}`;
      expect(await json(await read(`/v1beta/${name}`, bearer))).toMatchObject({ name });
    }
  });

  test.each(["nothing", "chatC", "switched-off", "chata"])(
    "N1 %s, which the key cannot call, is a 404",
    async (id) => {
      const response = await read(`/v1/models/${id}`, bearer);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        error: { type: "invalid_request_error", param: "model" },
      });
      expect((await read(`/v1beta/models/${id}`, bearer)).status).toBe(404);
    },
  );

  test("N1 of another key's list is a 404", async () => {
    expect((await gateway.get("/v1/models/chatA", narrowKey)).status).toBe(404);
    expect((await gateway.get("/v1/models/chatB", narrowKey)).status).toBe(200);
  });
});

describe("the credential of a list", () => {
  test.each([
    ["authorization", { authorization: `Bearer ${rootKey}` }, ""],
    ["x-goog-api-key", { "x-goog-api-key": rootKey }, ""],
    ["x-vendorC-api-key", { "x-vendorC-api-key": rootKey }, ""],
    ["?key=", {}, `?key=${rootKey}`],
    ["two that agree", { "x-goog-api-key": rootKey }, `?pageSize=5&key=${rootKey}`],
  ])("N1 Google's list opens with %s", async (_name, headers, query) => {
    for (const path of ["/v1beta/models", "/v1beta/models/chatA"]) {
      expect((await read(path + query, headers)).status).toBe(200);
    }
    // A client without Google's credential has another list under /v1.
    const name = "authorization" in headers ? undefined : "models/chatA";
    for (const path of ["/v1/models", "/v1/models/chatA"]) {
      const body = await json(await read(path + query, headers));
      const models = body["models"] as Row[] | undefined;
      expect(models?.[0]?.["name"] ?? body["name"]).toEqual(name);
    }
  });

  test.each([
    ["authorization", { authorization: `Bearer ${rootKey}` }],
    ["x-api-key", { "x-api-key": rootKey }],
  ])("N1 the list under /v1 opens with %s", async (_name, headers) => {
    expect((await read("/v1/models", headers)).status).toBe(200);
    expect((await read("/v1/models/chatA", headers)).status).toBe(200);
  });

  test.each([
    ["nothing", {}, ""],
    ["a wrong key in the address", {}, "?key=sk-nobody"],
    ["a wrong key", { authorization: "Bearer sk-nobody" }, ""],
    ["no Bearer", { authorization: rootKey }, ""],
  ])("N2 the list under /v1 with %s is a 401", async (_name, headers, query) => {
    for (const path of ["/v1/models", "/v1/models/chatA"]) {
      const response = await read(path + query, headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({
        error: {
          message: expect.any(String),
          type: "invalid_request_error",
          param: null,
          code: "invalid_api_key",
        },
      });
    }
  });

  test("N2 two credentials that disagree are a 400", async () => {
    const headers = { authorization: `Bearer ${rootKey}`, "x-goog-api-key": narrowKey };
    expect((await read("/v1beta/models", headers)).status).toBe(400);
    expect((await read(`/v1beta/models?key=${narrowKey}`, bearer)).status).toBe(400);
    expect((await read("/v1/models", headers)).status).toBe(400);
    const other = { authorization: `Bearer ${rootKey}`, "x-api-key": narrowKey };
    expect((await read("/v1/models", other)).status).toBe(400);
  });
});

describe("an error under /v1beta", () => {
  test.each([
    ["a wrong key", "/v1beta/models", "sk-nobody", 401, "UNAUTHENTICATED"],
    ["an unknown model", "/v1beta/models/nothing", rootKey, 404, "NOT_FOUND"],
    ["a wrong field", "/v1beta/models?pageSize=x", rootKey, 400, "INVALID_ARGUMENT"],
    ["an unknown address", "/v1beta/nothing", rootKey, 404, "NOT_FOUND"],
  ])("N2 for %s adds Google's word for it", async (...row) => {
    const [, path, key, status, word] = row;
    const response = await gateway.get(path, key);
    expect(response.status).toBe(status);
    expect(response.headers.get("x-request-id")).toStartWith("req_");
    expect(response.headers.get("request-id")).toBe(response.headers.get("x-request-id"));
    const { error } = (await response.json()) as { error: Row };
    expect(error).toMatchObject({ type: "invalid_request_error", status: word });
    expect(Object.keys(error).toSorted()).toEqual(["code", "message", "param", "status", "type"]);
    expect(error["code"]).toBeString();
  });

  test.each([
    ["a wrong key", "/v1beta/models", "sk-nobody", 401, "UNAUTHENTICATED"],
    ["an unknown model", "/v1beta/models/nothing", rootKey, 404, "NOT_FOUND"],
    ["a wrong field", "/v1beta/models?pageToken=x", rootKey, 400, "INVALID_ARGUMENT"],
    ["an unknown address", "/v1beta/nothing", rootKey, 404, "NOT_FOUND"],
    ["a wrong key under /v1", "/v1/models", "sk-nobody", 401, "UNAUTHENTICATED"],
    ["an unknown model under /v1", "/v1/models/nothing", rootKey, 404, "NOT_FOUND"],
    ["a wrong field under /v1", "/v1/models?pageToken=x", rootKey, 400, "INVALID_ARGUMENT"],
  ])("N2 for %s is Google's own to who sends its header", async (...row) => {
    const [, path, key, status, word] = row;
    const response = await read(path, { "x-goog-api-key": key });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      error: {
        code: status,
        message: expect.any(String),
        status: word,
        details: [
          expect.objectContaining({ type: "invalid_request_error", code: expect.any(String) }),
        ],
      },
    });
  });
});
