// Everything around the answer: keys, versions, models, counting, refusals.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const version = { "anthropic-version": "2023-06-01" };
const signed = { ...version, "x-api-key": "sk-sandbox-a" };
const user = { role: "user", content: "Rivers" };
const ask = { model: "m", max_tokens: 50, messages: [user] };

function get(path: string, headers: Record<string, string> = signed) {
  return fetch(`${sandbox.url}/anthropic${path}`, { headers });
}

function post(path: string, body: object | string, headers: Record<string, string> = signed) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(`${sandbox.url}/anthropic${path}`, { method: "POST", headers, body: text });
}

function say(content: string) {
  return post("/v1/messages", { ...ask, messages: [{ role: "user", content }] });
}

async function refusalOf(response: Response) {
  const body = (await response.json()) as {
    type: string;
    error: { type: string; message: string };
    request_id: string;
  };
  expect(body.type).toBe("error");
  expect(body.request_id).toBe(response.headers.get("request-id") ?? "none");
  return { status: response.status, ...body.error };
}

describe("a key", () => {
  test("comes in its own header or as a bearer", async () => {
    const bearer = { ...version, authorization: "Bearer sk-sandbox-b" };
    expect((await post("/v1/messages", ask, bearer)).status).toBe(200);
    expect((await post("/v1/messages", ask)).status).toBe(200);
    const last4 = sandbox.calls().recent.map(({ bearerLast4 }) => bearerLast4);
    expect(last4.slice(-2)).toEqual(["ox-b", "ox-a"]);
  });

  test("is needed, and may be revoked", async () => {
    const none = await refusalOf(await post("/v1/messages", ask, version));
    expect(none).toMatchObject({ status: 401, type: "authentication_error" });
    const headers = { ...version, "x-api-key": "sk-sandbox-revoked" };
    const revoked = await refusalOf(await get("/v1/models", headers));
    expect(revoked).toMatchObject({ status: 401, message: "invalid x-api-key" });
  });
});

describe("the version", () => {
  test.each(["2023-01-01", "2023-06-01", "2026-10-21"])("may be %s", async (known) => {
    const headers = { ...signed, "anthropic-version": known };
    expect((await post("/v1/messages", ask, headers)).status).toBe(200);
  });

  test("is needed, and has to be a known one", async () => {
    const none = await refusalOf(await post("/v1/messages", ask, { "x-api-key": "sk-sandbox-a" }));
    expect(none).toMatchObject({ status: 400, message: "anthropic-version: header is required" });
    const headers = { ...signed, "anthropic-version": "2020-01-01" };
    expect(await refusalOf(await get("/v1/models", headers))).toMatchObject({ status: 400 });
  });
});

describe("counting tokens", () => {
  test("gives what the answer would report as its input", async () => {
    const body = { model: "m", messages: [user], system: "Be brief." };
    const counted = await post("/v1/messages/count_tokens", body);
    const answered = await post("/v1/messages", { ...body, max_tokens: 5 });
    const { usage } = (await answered.json()) as { usage: { input_tokens: number } };
    expect(await counted.json()).toEqual({ input_tokens: usage.input_tokens });
  });

  test("takes only what counts", async () => {
    const refused = await refusalOf(await post("/v1/messages/count_tokens", ask));
    expect(refused.message).toBe("max_tokens: Extra inputs are not permitted");
  });

  test("fails on demand", async () => {
    const messages = [{ role: "user", content: "sandbox:status=529" }];
    const response = await post("/v1/messages/count_tokens", { model: "m", messages });
    expect(await refusalOf(response)).toMatchObject({ status: 529, type: "overloaded_error" });
  });
});

test("models are listed and found", async () => {
  const list = (await (await get("/v1/models")).json()) as { data: { id: string }[] };
  expect(list).toMatchObject({ has_more: false, first_id: "sandbox-large" });
  expect(list.data.map(({ id }) => id)).toEqual(["sandbox-large", "sandbox-small"]);
  const one = await get("/v1/models/sandbox-small");
  expect(await one.json()).toMatchObject({ type: "model", id: "sandbox-small" });
  const missing = await refusalOf(await get("/v1/models/none"));
  expect(missing).toMatchObject({ status: 404, type: "not_found_error", message: "model: none" });
});

test("what is not there is refused in the vendor's shape", async () => {
  expect(await refusalOf(await get("/v1/nothing"))).toMatchObject({ type: "not_found_error" });
  expect(await refusalOf(await get("/v1/messages"))).toMatchObject({ status: 405 });
  expect(await refusalOf(await post("/v1/messages", "{"))).toMatchObject({ status: 400 });
  expect(await refusalOf(await post("/v1/messages", "[]"))).toMatchObject({ status: 400 });
});

describe("a status on demand", () => {
  test.each([
    [400, "invalid_request_error"],
    [402, "billing_error"],
    [403, "permission_error"],
    [404, "not_found_error"],
    [413, "request_too_large"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [503, "api_error"],
    [504, "timeout_error"],
    [529, "overloaded_error"],
  ])("of %i has the type %s", async (status, type) => {
    const response = await say(`Rivers sandbox:status=${status}`);
    expect(response.headers.get("retry-after")).toBe(status === 429 ? "1" : null);
    expect(await refusalOf(response)).toMatchObject({ status, type });
  });

  test("holds for one key alone when it names it", async () => {
    expect((await say("Rivers sandbox:status=500@sk-sandbox-a")).status).toBe(500);
    expect((await say("Rivers sandbox:status=500@sk-sandbox-b")).status).toBe(200);
  });
});
