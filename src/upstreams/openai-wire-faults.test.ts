// Blame for an error, in each of the envelopes.
import { describe, expect, test } from "bun:test";
import type { Json } from "../core/json.ts";
import { readOpenaiFault } from "./openai-wire-faults.ts";

const read = (status: number, body: Json, headers: Record<string, string> = {}) =>
  readOpenaiFault(status, new Headers(headers), body);

const openai = (error: Record<string, Json>) => ({ error: { message: "no", ...error } });
const anthropic = (type: string) => ({ type: "error", error: { type, message: "no" } });
const google = (code: number, details: Json[] = []) => ({
  error: { code, message: "no", status: "ANY", details },
});

test("the first finding of a validator is the message", () => {
  const loc = ["body", "messages", 1, "assistant", "reasoning_content"];
  const detail = [{ type: "extra_forbidden", loc, msg: "Extra inputs are not permitted" }];
  const message = "body.messages.1.assistant.reasoning_content: Extra inputs are not permitted";
  expect(read(422, { detail })).toMatchObject({ blame: "request", status: 422, message });
  const wrapped = { object: "error", message: { detail }, type: "invalid_request_error" };
  expect(read(422, wrapped)).toMatchObject({ blame: "request", message });
});

describe("a refused request", () => {
  const fault = { blame: "request", status: 400, message: "no" };

  test("is told as OpenAI tells it", () => {
    const body = openai({ type: "invalid_request_error", param: "n", code: "invalid_value" });
    expect(read(400, body)).toEqual({
      ...fault,
      blame: "request",
      type: "invalid_request_error",
      param: "n",
      code: "invalid_value",
    });
  });

  test("is told as Anthropic tells it", () => {
    expect(read(413, anthropic("request_too_large"))).toEqual({
      ...fault,
      blame: "request",
      status: 413,
      type: "request_too_large",
      param: null,
      code: null,
    });
  });

  test("is told as Google tells it", () => {
    const known = { type: "invalid_request_error", param: null, code: null };
    expect(read(400, google(400))).toEqual({ ...fault, blame: "request", ...known });
    expect(read(400, [google(400)])).toMatchObject({ blame: "request", message: "no" });
    const own = { type: "too_long", param: "contents", code: "context_length_exceeded" };
    const details = [{ "@type": "x/BadRequest" }, own];
    expect(read(400, google(400, details))).toEqual({ ...fault, blame: "request", ...own });
  });

  test.each([400, 409, 413, 415, 422])("is known by its status %d", (status) => {
    expect(read(status, null)).toEqual({
      blame: "request",
      status,
      type: "invalid_request_error",
      code: null,
      param: null,
      message: `the upstream answered with status ${status}`,
    });
  });
});

describe("the key", () => {
  test("is to blame for status 401 in any envelope", () => {
    for (const body of [openai({}), anthropic("permission_error"), google(401)]) {
      expect(read(401, body)).toEqual({ blame: "key", message: "no" });
    }
  });

  test.each([402, 403])("is only suspect for status %d in any envelope", (status) => {
    const suspect = { blame: "suspect", isOfCredit: status === 402, message: "no" } as const;
    for (const body of [openai({}), anthropic("permission_error"), google(status)]) {
      expect(read(status, body)).toEqual(suspect);
    }
    // A gateway says so of what one request would hold.
    expect(read(status, openai({ code: "insufficient_quota" }))).toEqual(suspect);
  });

  test.each([402, 403])("is to blame for a code of its own under status %d", (status) => {
    for (const code of ["account_deactivated", "invalid_api_key"]) {
      expect(read(status, openai({ code }))).toEqual({ blame: "key", message: "no" });
    }
  });

  test("is not to blame for what it was never meant to do", () => {
    for (const status of [401, 403]) {
      expect(read(status, openai({ code: "missing_scope" })).blame).toBe("channel");
    }
  });

  test.each(["insufficient_quota", "billing_hard_limit_reached", "account_deactivated"])(
    "is to blame for the code %s, busy as the status may sound",
    (code) => {
      expect(read(429, openai({ code }))).toEqual({ blame: "key", message: "no" });
      const body = google(429, [{ type: "insufficient_quota", param: null, code }]);
      expect(read(429, body)).toEqual({ blame: "key", message: "no" });
    },
  );

  test("is to blame when Google says so under the status of a wrong request", () => {
    const details = [{ "@type": "x/ErrorInfo", reason: "API_KEY_INVALID" }];
    expect(read(400, google(400, details))).toEqual({ blame: "key", message: "no" });
  });
});

describe("too much load", () => {
  const rest = (body: Json, headers?: Record<string, string>) => {
    const fault = read(429, body, headers);
    return fault.blame === "load" ? fault.retryAfterSeconds : "other";
  };

  test("lasts as long as the header says, and a minute at most", () => {
    expect(rest(openai({ code: "rate_limit_exceeded" }), { "retry-after": "7" })).toBe(7);
    expect(rest(anthropic("rate_limit_error"), { "retry-after": "3600" })).toBe(60);
    expect(rest(openai({}), { "retry-after": "-1" })).toBeNull();
    expect(rest(openai({}), { "retry-after": "Fri, 01 Jan 2027 00:00:00 GMT" })).toBeNull();
    expect(rest(openai({}))).toBeNull();
  });

  test("lasts as long as Google's details say", () => {
    const details = [{ "@type": "x/Help" }, { "@type": "x/RetryInfo", retryDelay: "17.5s" }];
    expect(rest(google(429, details))).toBe(17.5);
    expect(rest(google(429, details), { "retry-after": "2" })).toBe(2);
    expect(rest(google(429, [{ retryDelay: "soon" }]))).toBeNull();
  });
});

describe("the channel", () => {
  test("is to blame for a model or an address that is not there", () => {
    expect(read(404, openai({ code: "model_not_found" }))).toEqual({
      blame: "channel",
      message: "no",
    });
    expect(read(404, anthropic("not_found_error")).blame).toBe("channel");
    expect(read(405, "<html>").blame).toBe("channel");
  });

  test.each([302, 408, 500, 502, 503, 504, 529])("is to blame for status %d", (status) => {
    expect(read(status, anthropic("overloaded_error")).blame).toBe("channel");
  });

  test("is to blame whatever the body is", () => {
    for (const body of [null, 7, "x", [], [[]], { error: "" }, { error: [] }] satisfies Json[]) {
      const message = "the upstream answered with status 500";
      expect(read(500, body)).toEqual({ blame: "channel", message });
    }
  });
});

describe("a vendor's own word", () => {
  const dashscope = "https://dashscope-intl.aliyuncs.com/compatible-mode/v1";
  const zhipu = "https://open.bigmodel.cn/api/paas/v4";
  const zai = "https://api.z.ai/api/paas/v4";
  const moonshot = "https://api.moonshot.cn/v1";
  const elsewhere = "https://api.reseller.test/v1";
  const credit = { blame: "suspect", isOfCredit: true };
  const load = { blame: "load" };
  const accountLoad = { blame: "load", isOfAccount: true };
  const content = { blame: "request", status: 400, code: "content_policy_violation" };

  test.each<[string, number, Record<string, Json>, object]>([
    [dashscope, 429, { code: "insufficient_quota", type: "insufficient_quota" }, load],
    [dashscope, 400, { code: "Arrearage" }, credit],
    [elsewhere, 400, { code: "Arrearage" }, credit],
    [dashscope, 400, { code: "DataInspectionFailed" }, content],
    [dashscope, 400, { code: "data_inspection_failed" }, content],
    [zhipu, 429, { code: "1113" }, credit],
    [zai, 429, { code: "1113" }, credit],
    [zhipu, 401, { code: "1112" }, credit],
    [zhipu, 400, { code: "1121" }, credit],
    [zhipu, 429, { code: "1309" }, credit],
    [zhipu, 401, { code: "1002" }, { blame: "key" }],
    [zhipu, 400, { code: "1211" }, { blame: "channel" }],
    [zhipu, 429, { code: "1311" }, { blame: "channel" }],
    [zhipu, 400, { code: "1261" }, { blame: "size", status: 413 }],
    [zhipu, 400, { code: "1301" }, content],
    [zhipu, 429, { code: "1302" }, load],
    [zhipu, 400, { code: "1305" }, load],
    [zhipu, 429, { code: "1308" }, accountLoad],
    [moonshot, 429, { type: "exceeded_current_quota_error" }, credit],
    [moonshot, 403, { type: "exceeded_current_quota_error" }, credit],
    [moonshot, 429, { type: "rate_limit_reached_error" }, accountLoad],
    [moonshot, 429, { type: "engine_overloaded_error" }, load],
    [moonshot, 400, { type: "content_filter" }, content],
    ["https://api.deepseek.com/v1", 402, { code: "invalid_request_error" }, credit],
    ["https://openrouter.ai/api/v1", 402, { code: 402, metadata: {} }, credit],
    ["https://openrouter.ai/api/v1", 429, { code: 429, metadata: {} }, load],
    // One vendor's meaning of a word is not that of others.
    [elsewhere, 429, { code: "insufficient_quota" }, { blame: "key" }],
    [elsewhere, 400, { code: "1301" }, { blame: "request", code: "1301" }],
  ])("at %s, status %d, %j means %j", (baseUrl, status, error, meant) => {
    expect(readOpenaiFault(status, new Headers(), openai(error), baseUrl)).toMatchObject(meant);
  });

  test.each<[string, Json]>([
    ["Ollama's text", { error: "model 'x' not found" }],
    ["vLLM's older body", { object: "error", message: "model 'x' not found", code: 400 }],
    ["SGLang's body", { object: "error", message: "model 'x' not found", type: "BadRequest" }],
  ])("%s is read for its message", (_name, body) => {
    const message = "model 'x' not found";
    expect(read(400, body)).toMatchObject({ blame: "request", status: 400, message });
    expect(read(404, body)).toEqual({ blame: "channel", message });
  });
});
