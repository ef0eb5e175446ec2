// Words of refusals: what was found, what was expected, and what to do.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chatBody, errorOf, type ErrorBody } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { rootToken, startGateway, type Gateway } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";

setDefaultTimeout(60_000);

const vendor = new Vendor((_request, reply) => reply.json(completion("Hello.")));
let gateway: Gateway;

beforeAll(async () => {
  const models = ["chatA", "chatB", "chatC", "embedA", "imageA-1", "videoB-2"];
  gateway = await startGateway({
    config: JSON.stringify({ sandbox: "off", channels: [vendor.channel({ models })] }),
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

const chat = "/v1/chat/completions";

async function refused(path: string, body: unknown, key?: string): Promise<ErrorBody> {
  const response = await gateway.post(path, body, key);
  expect(response.status).toBeGreaterThanOrEqual(400);
  return await errorOf(response);
}

describe("too little money", () => {
  test.each([
    [chat, chatBody("chatA", { max_tokens: 128_000 }), "max_tokens"],
    ["/v1/messages", chatBody("chatA", { max_tokens: 128_000 }), "max_tokens"],
    [
      "/v1/responses",
      { model: "chatA", input: "Hi", max_output_tokens: 128_000 },
      "max_output_tokens",
    ],
    ["/v1/completions", { model: "chatA", prompt: "Hi", max_tokens: 128_000 }, "max_tokens"],
    [
      "/v1beta/models/chatA:generateContent",
      { contents: [{ parts: [{ text: "Hi" }] }], generationConfig: { maxOutputTokens: 128_000 } },
      "generationConfig.maxOutputTokens",
    ],
  ])("Q10 Q1 %s says what is needed, what is left and what to lower", async (path, body, field) => {
    const { key } = await gateway.customer(100_000);
    const { message, code, param } = await refused(path, body, key);
    expect([code, param]).toEqual(["insufficient_user_quota", field]);
    expect(message).toMatch(
      /^Not enough quota: the request can cost up to \$1\.2[89]\d*, and this account has \$0\.10 /,
    );
    expect(message).toEndWith(`Lower ${field}, or add credit.`);
  });

  test("Q10 Q1 a key's own limit is told apart from the account's money", async () => {
    const { key } = await gateway.customer(100_000_000, { quota_micros: 250_000 });
    const { message, code } = await refused(chat, chatBody("chatA", { max_tokens: 128_000 }), key);
    expect(code).toBe("insufficient_quota");
    expect(message).toContain(
      "this API key has $0.25 left of its limit. Lower max_tokens, or raise",
    );
  });

  test("Q10 Q1 images and videos name the field that makes them cheaper", async () => {
    const { key } = await gateway.customer(1000);
    const images = { model: "imageA-1", prompt: "A fox", n: 3 };
    expect(await refused("/v1/images/generations", images, key)).toMatchObject({
      param: "n",
      message: expect.stringContaining("this account has $0.001 left. Lower n, or add credit."),
    });
    const video = { model: "videoB-2", prompt: "A fox", seconds: "8" };
    expect(await refused("/v1/videos", video, key)).toMatchObject({
      param: "seconds",
      message: expect.stringContaining("Lower seconds, or add credit."),
    });
  });
});

describe("a model that cannot be had", () => {
  test("Q10 A7 one outside the key's own list is told as that, with the list", async () => {
    const { key } = await gateway.customer(100_000_000, { models: ["chatB", "chatC"] });
    for (const model of ["chatA", "no-such-model"]) {
      expect(await refused(chat, chatBody(model), key)).toMatchObject({
        code: "model_not_found",
        param: "model",
        message: `This key may not use the model "${model}": its own list has chatB, chatC.`,
      });
    }
    const image = { model: "imageA-1", prompt: "A fox" };
    expect((await refused("/v1/images/generations", image, key)).message).toContain(
      'may not use the model "imageA-1"',
    );
  });

  test("Q10 one that nobody serves is told with the group and where the list is", async () => {
    expect((await refused(chat, chatBody("gpt-9"))).message).toBe(
      'No channel of this key\'s group "default" serves the model "gpt-9". ' +
        "GET /v1/models lists the models that this key can call.",
    );
  });

  test.each([
    [chat, chatBody("imageA-1"), "imageA-1", "POST /v1/images/generations"],
    [
      "/v1/messages",
      chatBody("imageA-1", { max_tokens: 9 }),
      "imageA-1",
      "POST /v1/images/generations",
    ],
    [chat, chatBody("videoB-2"), "videoB-2", "POST /v1/videos"],
    [
      "/v1/images/generations",
      { model: "chatA", prompt: "x" },
      "chatA",
      "POST /v1/chat/completions",
    ],
    ["/v1/videos", { model: "imageA-1", prompt: "x" }, "imageA-1", "POST /v1/images/generations"],
  ])(
    "Q10 %s names the right route for a model of another kind",
    async (path, body, model, route) => {
      const { message, code } = await refused(path, body);
      expect(code).toBe("model_not_found");
      expect(message).toContain(JSON.stringify(model));
      expect(message).toEndWith(`send it to ${route}.`);
    },
  );
});

test.each([
  ['{"model": "chatA",\n "messages": [],}', "line 2, column 17 (byte 35) a name in double quotes"],
  ["{'model': 'chatA'}", "line 1, column 2 (byte 1) a name in double quotes"],
  ['{"model": "chatA"', 'line 1, column 18 (byte 17) "," or "}"'],
  ["", "line 1, column 1 (byte 0) a value"],
])("Q10 Q5 invalid JSON is told with its place: %j", async (body, place) => {
  const { message, code } = await refused(chat, body);
  expect(code).toBe("invalid_request");
  expect(message).toStartWith(`The body is not valid JSON: at ${place} was expected, and `);
});

describe("an address that does not exist", () => {
  test.each([
    ["/v1/chat/completion", "/v1/chat/completions"],
    ["/chat/completions", "/v1/chat/completions"],
    ["/v1/v1/chat/completions", "/v1/chat/completions"],
    ["/api/v1/chat/completions", "/v1/chat/completions"],
    ["/models/chatA:generateContent", "/v1/models/chatA:generateContent"],
  ])("Q10 %s is told with its path and what was probably meant", async (path, meant) => {
    // Below /api the status is 200.
    const text = await (await gateway.post(path, {})).text();
    expect(text).toContain(`There is nothing at POST ${path}. Did you mean ${meant}?`);
  });

  test("Q10 one that is like nothing is told with its path", async () => {
    const { message } = await refused("/nowhere", {});
    expect(message).toBe("There is nothing at POST /nowhere. GET /docs lists all there is.");
  });

  test.each([
    [`${chat}/`, chat],
    ["/v1//chat/completions", chat],
  ])("Q10 hazard G6 %s is told with the form that is taken", async (path, canonical) => {
    const { message, code } = await refused(path, chatBody("chatA"));
    expect(code).toBe("invalid_path");
    expect(message).toBe(`The path ${path} is not in its canonical form: send ${canonical}.`);
  });

  test("Q10 A8 a credential in a path is not shown", async () => {
    const { message } = await refused("/v1/sk-abcdefghijklmnop0123456789", {});
    expect(message).not.toContain("abcdefghijkl");
  });
});

test("Q10 a credit with an id that is booked already is told with what was booked", async () => {
  const { id } = await gateway.customer(0);
  const other = await gateway.customer(0);
  const give = (account: string, micros: number) =>
    gateway.controlEnvelope("POST", `/api/user/${account}/credit`, {
      micros,
      reason: "invoice 17",
      id: "invoice-17",
    });
  expect(await give(id, 5_000_000)).toMatchObject({ success: true, data: { repeated: false } });
  expect(await give(id, 5_000_000)).toMatchObject({ success: true, data: { repeated: true } });
  const more = await give(id, 6_000_000);
  expect(more).toMatchObject({ success: false, code: "conflict", param: "id" });
  expect(more.message).toContain("booked already: $5.00 (5000000 micros) for this account at 20");
  expect(more.message).toEndWith("A new credit needs a new id.");
  expect((await give(other.id, 5_000_000)).message).toContain("for another account");
});

describe("a key that is refused", () => {
  async function lineOf(response: Response): Promise<Record<string, unknown>> {
    const id = response.headers.get("x-request-id") ?? "";
    return await eventually(`the line of ${id}`, async () => {
      const line = gateway.output.split("\n").find((one) => one.includes(id));
      return line === undefined ? undefined : (JSON.parse(line) as Record<string, unknown>);
    });
  }

  async function refusedKeys(): Promise<[cause: string, key: string, keyId: string | null][]> {
    const past = Math.floor(Date.now() / 1000) + 3;
    const expired = await gateway.customer(0, { expires_at: past });
    const elsewhere = await gateway.customer(0, { allow_ips: ["10.1.2.3"] });
    const revoked = await gateway.customer(0);
    await gateway.control("DELETE", `/api/token/${revoked.keyId}`);
    const disabled = await gateway.customer(0);
    await gateway.control("PATCH", `/api/token/${disabled.keyId}`, { status: "disabled" });
    const closed = await gateway.customer(0);
    await gateway.control("PATCH", `/api/user/${closed.id}`, { status: "disabled" });
    await eventually("the end of a key", async () => Date.now() / 1000 > past || undefined);
    return [
      ["unknown", "sk-nobody-has-this-one-0123456789", null],
      ["malformed", "a bearer token of two words", null],
      ["expired", expired.key, expired.keyId],
      ["wrong address", elsewhere.key, elsewhere.keyId],
      ["revoked", revoked.key, revoked.keyId],
      ["disabled", disabled.key, disabled.keyId],
      ["account disabled", closed.key, closed.keyId],
    ];
  }

  test("Q11 A4 its cause is in the operator's log, and its caller reads the same of all", async () => {
    for (const [cause, key, keyId] of await refusedKeys()) {
      const response = await gateway.post(chat, chatBody("chatA"), key);
      expect([cause, response.status]).toEqual([cause, 401]);
      expect(await errorOf(response)).toMatchObject({
        code: "invalid_api_key",
        message: "The API key is missing or not valid.",
      });
      const line = await lineOf(response);
      expect(line).toMatchObject({ message: "a credential was refused", cause, path: chat });
      expect(line["key"] ?? null).toBe(keyId);
      expect(JSON.stringify(line)).not.toContain(key);
    }
    const metrics = await gateway.metrics();
    expect(metrics).toContain('sluice_refused_credentials_total{cause="expired"} 1');
  });

  test("Q11 a token of the control plane that is refused is in the log too", async () => {
    const headers = { authorization: "Bearer sat-nobody-has-this-0123456789" };
    const response = await fetch(`${gateway.url}/api/log`, { headers });
    expect(await lineOf(response)).toMatchObject({ cause: "unknown", path: "/api/log" });
    const missing = await fetch(`${gateway.url}/api/log`);
    expect(await lineOf(missing)).toMatchObject({ cause: "missing" });
  });

  test("Q11 whoever tries many keys writes a bounded number of lines", async () => {
    const tries = Array.from({ length: 200 }, (_, at) =>
      gateway.post(chat, chatBody("chatA"), `sk-guess-0123456789-${at}`),
    );
    for (const response of await Promise.all(tries)) await response.text();
    const last = await gateway.controlEnvelope("GET", "/api/status", undefined, rootToken);
    expect(last.success).toBe(true);
    const lines = gateway.output.split("\n").filter((line) => line.includes("was refused"));
    expect(lines.length).toBeLessThanOrEqual(61 * gateway.nodeUrls.length);
  });
});
