// Requests that are refused: by their body, by their form, by the gateway or by the upstream. Each
// refusal is JSON in its route's envelope and carries a request id.
import { beforeEach, describe, expect, test } from "bun:test";
import type { ErrorBody } from "../harness/ask.ts";
import { rootKey, startGateway } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";
import { RawClient, type RawAnswer, rawRequest } from "../hazards/raw-client.ts";

const vendor = kept(new Vendor((_request, reply) => reply.json(completion("Hello."))));
const textBytesMax = 4096;
let reached = 0;

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [vendor.channel({ models: ["chatA", "unpriced", "imageA-1", "videoB-2"] })],
      server: { text_body_bytes_max: textBytesMax, body_bytes_max: 2 * textBytesMax },
      distribution: { failures_to_eject: 1000, retry_budget_percent: 100 },
    }),
  }),
);

beforeEach(() => {
  vendor.script = (_request, reply) => reply.json(completion("Hello."));
  reached = vendor.requests.length;
});

const path = "/v1/chat/completions";
const hello = { role: "user", content: "Hello?" };
const valid = { model: "chatA", messages: [hello] };

type Sent = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

interface Refused extends ErrorBody {
  status: number;
}

/** Reads an answer in envelope A and checks all that holds for every one of them. */
async function refusal(response: Response): Promise<Refused> {
  expect(response.headers.get("content-type")).toBe("application/json");
  const requestId = response.headers.get("x-request-id") ?? "";
  expect(requestId).toMatch(/^req_[a-z0-9]{20,}$/);
  expect(response.headers.get("request-id")).toBe(requestId);
  const text = await response.text();
  expect(text).not.toMatch(/<html|\.ts\b|\n\s+at /);
  const { error, ...rest } = JSON.parse(text) as { error: ErrorBody };
  expect(rest).toEqual({});
  expect(Object.keys(error).toSorted()).toEqual(["code", "message", "param", "type"]);
  expect(error.message).not.toBe("");
  return { status: response.status, ...error };
}

async function send(body: Sent, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${rootKey}`, ...headers },
    body,
  });
}

function expectNothingSent(): void {
  expect(vendor.requests).toHaveLength(reached);
}

/** A chat body of exactly that many bytes. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify({ ...valid, x_padding: "" });
  return JSON.stringify({ ...valid, x_padding: "a".repeat(bytes - empty.length) });
}

describe("a body that is too large", () => {
  const tooLarge = {
    status: 413,
    type: "invalid_request_error",
    code: "request_body_too_large",
    param: null,
  };

  test("Q5 a body of just the limit is served", async () => {
    expect((await send(bodyOf(textBytesMax))).status).toBe(200);
  });

  test("Q5 one byte more, declared, is a 413", async () => {
    expect(await refusal(await send(bodyOf(textBytesMax + 1)))).toMatchObject(tooLarge);
    expectNothingSent();
  });

  test("Q5 one byte more, in chunks without a length, is a 413", async () => {
    const bytes = Buffer.from(bodyOf(textBytesMax + 1));
    const pieces = [bytes.subarray(0, 1000), bytes.subarray(1000)];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    });
    expect(await refusal(await send(body))).toMatchObject(tooLarge);
    expectNothingSent();
  });

  const authorization = `Bearer ${rootKey}`;

  function expectRefused({ status, head, body }: RawAnswer): void {
    expect(status).toBe(413);
    expect(head).toMatch(/^content-type: application\/json\r?$/im);
    expect(head).toMatch(/^x-request-id: req_/im);
    expect(JSON.parse(body)).toMatchObject({ error: { code: "request_body_too_large" } });
    expectNothingSent();
  }

  test.each([
    ["past the route's limit", textBytesMax + 1],
    ["past every limit", 1024 ** 3],
  ])("Q5 a declared length %s is refused before any of it is sent", async (_name, length) => {
    using client = await RawClient.open(gateway.url);
    const headers = { authorization, "content-length": String(length) };
    client.send(rawRequest(`POST ${path}`, headers));
    expectRefused(await client.answer());
  });

  test("Q5 chunks without an end are refused while they still come", async () => {
    using client = await RawClient.open(gateway.url);
    client.send(rawRequest(`POST ${path}`, { authorization, "transfer-encoding": "chunked" }));
    const piece = `400\r\n${" ".repeat(1024)}\r\n`;
    client.send(piece.repeat(8));
    expectRefused(await client.answer());
  });
});

describe("a body that is no JSON object", () => {
  test.each([
    ["nothing", ""],
    ["blanks", "  \n"],
    ["half an object", '{"model":"chatA"'],
    ["single quotes", "{'model':'chatA'}"],
    ["a trailing comma", '{"model":"chatA",}'],
    ["something behind it", '{"model":"chatA"} x'],
    ["no number", '{"temperature":NaN}'],
    ["a list", "[]"],
    ["null", "null"],
    ["a text", '"chatA"'],
    ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["nesting without end", `{"a":${"[".repeat(1000)}${"]".repeat(1000)}}`],
  ])("Q5 %s is a 400", async (_name, body) => {
    const refused = await refusal(await send(body, { "content-type": "application/json" }));
    expect(refused).toMatchObject({
      status: 400,
      type: "invalid_request_error",
      code: "invalid_request",
      param: null,
    });
    expectNothingSent();
  });
});

function user(content: unknown): object {
  return { messages: [{ role: "user", content }] };
}

describe("fields of the wrong type", () => {
  test.each([
    ["model", { model: undefined }],
    ["model", { model: null }],
    ["model", { model: 5 }],
    ["model", { model: "" }],
    ["messages", { messages: undefined }],
    ["messages", { messages: "Hello?" }],
    ["messages", { messages: {} }],
    ["messages", { messages: [] }],
    ["messages.0", { messages: ["Hello?"] }],
    ["messages.1", { messages: [hello, null] }],
    ["messages.0.role", { messages: [{ content: "Hello?" }] }],
    ["messages.0.role", { messages: [{ role: "wizard", content: "Hello?" }] }],
    ["messages.0.content", user(5)],
    ["messages.0.content", user({ type: "text", text: "Hello?" })],
    ["messages.0.content.0", user(["Hello?"])],
    ["messages.0.content.0.type", user([{ text: "Hello?" }])],
    ["messages.0.content.0.text", user([{ type: "text", text: 5 }])],
    ["messages.0.content.0.text", user([{ type: "text" }])],
    ["messages.0.content.1.image_url", user([{ type: "text", text: "" }, { type: "image_url" }])],
    ["messages.0.content.0.image_url", user([{ type: "image_url", image_url: "https://a.b/c" }])],
    ["messages.0.content.0.image_url.url", user([{ type: "image_url", image_url: {} }])],
    ["messages.0.tool_calls", { messages: [{ role: "assistant", tool_calls: {} }] }],
    ["stream", { stream: "true" }],
    ["stream", { stream: 1 }],
    ["stream_options", { stream_options: true }],
    ["stream_options.include_usage", { stream_options: { include_usage: "yes" } }],
    ["response_format", { response_format: "json_object" }],
    ["tools", { tools: { type: "function" } }],
    ["tools.0", { tools: ["get_weather"] }],
    ["tool_choice", { tool_choice: 1 }],
    ["tool_choice", { tool_choice: ["auto"] }],
    ["temperature", { temperature: "hot" }],
    ["top_p", { top_p: "1" }],
    ["max_tokens", { max_tokens: "16" }],
    ["max_tokens", { max_tokens: 1.5 }],
    ["max_tokens", { max_tokens: -1 }],
    ["max_completion_tokens", { max_completion_tokens: {} }],
    ["max_completion_tokens", { max_completion_tokens: 1e30 }],
    ["seed", { seed: "42" }],
    ["reasoning_effort", { reasoning_effort: 3 }],
    ["n", { n: 0 }],
    ["n", { n: 1e9 }],
    ["n", { n: "2" }],
    ["stop", { stop: 5 }],
    ["logit_bias", { logit_bias: [] }],
    ["parallel_tool_calls", { parallel_tool_calls: "no" }],
    ["metadata", { metadata: "x" }],
  ])("Q5 a wrong %s is a 400 that names it: %j", async (param, fields) => {
    const refused = await refusal(await gateway.post(path, { ...valid, ...fields }));
    expect(refused).toMatchObject({
      status: 400,
      type: "invalid_request_error",
      code: "invalid_request",
      param,
    });
    expect(refused.message).toContain(param);
    expectNothingSent();
  });
});

describe("the form of a body", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    'Application/JSON;charset="UTF-8"',
    "application/vnd.api+json",
  ])("Q5 the content type %s is taken", async (type) => {
    expect((await send(JSON.stringify(valid), { "content-type": type })).status).toBe(200);
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json, text/plain",
    "application/json; charset=utf-7",
    "application/jsonp",
  ])("Q5 the content type %s is a 415", async (type) => {
    const refused = await refusal(await send(JSON.stringify(valid), { "content-type": type }));
    expect(refused).toMatchObject({ status: 415, code: "unsupported_media_type", param: null });
    expectNothingSent();
  });

  test.each(["br", "zstd", "deflate, gzip"])(
    "Q5 a body in the encoding %s is a 415",
    async (encoding) => {
      const headers = { "content-type": "application/json", "content-encoding": encoding };
      const refused = await refusal(await send(Bun.gzipSync(JSON.stringify(valid)), headers));
      expect(refused).toMatchObject({ status: 415, code: "unsupported_media_type" });
      expectNothingSent();
    },
  );
});

describe("every answer", () => {
  test("Q6 carries a request id of its own under both names, whole or streamed", async () => {
    const ids = new Set<string>();
    for (const stream of [false, true, false]) {
      if (stream) {
        vendor.script = (_request, reply) => {
          reply.stream();
          reply.event("[DONE]");
          reply.end();
        };
      }
      const response = await gateway.post(path, { ...valid, stream });
      await response.text();
      const id = response.headers.get("x-request-id") ?? "";
      expect(response.headers.get("request-id")).toBe(id);
      expect(id).toStartWith("req_");
      ids.add(id);
      vendor.script = (_request, reply) => reply.json(completion("Hello."));
    }
    expect(ids.size).toBe(3);
  });

  test.each(["/healthz", "/v1/models", "/v1beta/models", "/api/status"])(
    "Q6 of %s carries a request id under both names",
    async (address) => {
      const response = await gateway.get(address);
      const id = response.headers.get("x-request-id") ?? "";
      expect(id).toStartWith("req_");
      expect(response.headers.get("request-id")).toBe(id);
    },
  );

  test("Q6 of a browser's preflight carries a request id under both names", async () => {
    const response = await fetch(gateway.url + path, { method: "OPTIONS" });
    expect(response.status).toBe(204);
    const id = response.headers.get("x-request-id") ?? "";
    expect(id).toStartWith("req_");
    expect(response.headers.get("request-id")).toBe(id);
  });
});

async function ask(method: string, address: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${rootKey}`;
  const response = await fetch(gateway.url + address, {
    method,
    headers: { authorization, ...headers },
    ...(method === "POST" && { body: JSON.stringify(valid) }),
  });
  return await refusal(response);
}

describe("the envelope of an error", () => {
  test("Q6 an address that does not exist is a 404", async () => {
    const expected = { status: 404, type: "invalid_request_error", code: "not_found" };
    expect(await ask("POST", "/v1/chat/nothing")).toMatchObject(expected);
    expect(await ask("GET", "/nothing")).toMatchObject(expected);
    expect(await ask("GET", "/console")).toMatchObject(expected);
  });

  test("Q6 a method that an address does not take is a 405", async () => {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const expected = { status: 405, type: "invalid_request_error", code: "method_not_allowed" };
      expect(await ask(method, path)).toMatchObject(expected);
    }
  });

  test("Q6 a path that is not canonical is a 400", async () => {
    expect(await ask("POST", "/v1//chat/completions")).toMatchObject({ status: 400 });
    expect(await ask("POST", "/v1/chat/%63ompletions")).toMatchObject({ status: 400 });
  });

  test("Q6 a wrong key is a 401, before the body is looked at", async () => {
    const response = await gateway.post(path, "{", "sk-nobody");
    const expected = { status: 401, type: "invalid_request_error", code: "invalid_api_key" };
    expect(await refusal(response)).toMatchObject(expected);
  });

  test.each(["nobodys-model", "chata", "chatA ", "models/chatA", "unpriced"])(
    "Q6 the model %p is a 503 that no client should repeat",
    async (model) => {
      const response = await gateway.post(path, { ...valid, model });
      expect(response.headers.get("x-should-retry")).toBe("false");
      const expected = { status: 503, code: "model_not_found", param: "model" };
      expect(await refusal(response)).toMatchObject(expected);
      expectNothingSent();
    },
  );

  test("Q6 the control plane answers in its own envelope", async () => {
    const response = await gateway.get("/api/nothing");
    expect(response.headers.get("x-request-id")).toStartWith("req_");
    expect(await response.json()).toMatchObject({
      success: false,
      message: expect.any(String),
      code: "not_found",
    });
  });

  test("Q6 what an upstream says of the client's own fault is the client's to read", async () => {
    const error = { message: "Bad seed.", type: "invalid_request_error", param: "seed", code: "x" };
    vendor.script = (_request, reply) => reply.json({ error: { ...error, internal: 1 } }, 422);
    const refused = await refusal(await gateway.post(path, valid));
    expect(refused).toEqual({ status: 422, ...error });
  });

  test.each([
    ["a page", "<html><body>nginx</body></html>", "text/html"],
    ["nothing", "", "text/plain"],
    ["JSON of another shape", '["x"]', "application/json"],
    ["a stack trace", "Error: x\n    at main.ts:1:1", "text/plain"],
  ])(
    "Q6 an upstream's 400 with %s is still an error in our envelope",
    async (_name, body, type) => {
      vendor.script = (_request, reply) =>
        reply.raw(
          `HTTP/1.1 400 X\r\ncontent-type: ${type}\r\n` +
            `content-length: ${body.length}\r\n\r\n${body}`,
        );
      const refused = await refusal(await gateway.post(path, valid));
      expect(refused).toMatchObject({ status: 400, type: "invalid_request_error" });
    },
  );

  test.each([500, 502, 503, 504, 404, 301, 204])(
    "Q6 an upstream's status %d is a 500 in our envelope",
    async (status) => {
      const page = "<html>";
      vendor.script = (_request, reply) => {
        const length = status === 204 ? "" : `content-length: ${page.length}\r\n`;
        reply.raw(`HTTP/1.1 ${status} X\r\nlocation: /\r\n${length}\r\n`);
        if (status !== 204) reply.raw(page);
      };
      const response = await gateway.post(path, valid);
      expect(response.headers.get("x-should-retry")).toBeNull();
      const refused = await refusal(response);
      expect(refused).toMatchObject({ status: 500, type: "server_error", code: "bad_response" });
    },
  );
});

describe("a model that is priced by the image or by the second", () => {
  test.each(["imageA-1", "videoB-2"])(
    "N18 %s has no price for text, so it is refused there and never free",
    async (model) => {
      const response = await gateway.post(path, { ...valid, model });
      expect(await refusal(response)).toMatchObject({ status: 503, code: "model_not_found" });
      expectNothingSent();
    },
  );
});

describe("whether to try again", () => {
  test("N2 too little quota says that it is useless", async () => {
    const { key } = await gateway.customer(1);
    const response = await gateway.post(path, valid, key);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(await refusal(response)).toMatchObject({ status: 402, type: "insufficient_quota" });
    expectNothingSent();
  });

  test.each([
    ["3600", 60],
    ["2", 2],
    ["0", 1],
    ["Wed, 21 Oct 2115 07:28:00 GMT", 60],
    ["nonsense", 60],
  ])(
    "N2 an upstream's retry-after of %p is shown as a whole number of at most 60",
    async (after, most) => {
      // Each one on a channel of its own: a busy key rests for as long as it was told to.
      const model = `busy ${after}`.replaceAll(/[^a-z0-9]/gi, "-");
      const price = { model, input_micros_per_million: 0, output_micros_per_million: 0 };
      await gateway.control("POST", "/api/price", price);
      const channel = vendor.channel({ name: model.slice(0, 20), models: [model] });
      await gateway.control("POST", "/api/channel", channel);
      vendor.script = (_request, reply) =>
        reply.json({ error: { message: "Slow down." } }, 429, { "retry-after": after });
      const response = await gateway.post(path, { ...valid, model });
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(Number(response.headers.get("retry-after"))).toBeWithin(1, most + 1);
      expect(response.headers.get("x-should-retry")).toBeNull();
      const expected = { status: 429, type: "rate_limit_error", code: "too_many_requests" };
      expect(await refusal(response)).toMatchObject(expected);
    },
  );
});

// The specification: "Request body too large" is a 413 with `request_body_too_large`.
test.each([null, "context_too_long", "request_too_large"])(
  "Q4 an upstream's 413 with the code %p has the gateway's code and the upstream's message",
  async (code) => {
    const error = { message: "Far too large.", type: "invalid_request_error", code };
    vendor.script = (_request, reply) => reply.json({ error }, 413);
    const { status, code: shown, message } = await refusal(await send(JSON.stringify(valid)));
    expect([status, shown, message]).toEqual([413, "request_body_too_large", "Far too large."]);
  },
);
