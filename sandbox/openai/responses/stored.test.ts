// Responses that the vendor keeps, counting, and condensing, over real HTTP.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { startSandbox } from "../../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

interface Reply {
  id: string;
  object: string;
  output: { id: string; type: string }[];
  usage: { input_tokens: number; output_tokens: number };
}

interface Ask {
  method?: string;
  body?: object;
  key?: string;
}

function ask(path: string, { method = "GET", body, key = "sk-sandbox-a" }: Ask = {}) {
  return fetch(`${sandbox.url}/openai${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body ? { body: JSON.stringify({ model: "m", ...body }) } : {}),
  });
}

const post = (body: object, path = "/v1/responses", key?: string) =>
  ask(path, { method: "POST", body, ...(key ? { key } : {}) });

async function reply(body: object, path?: string): Promise<Reply> {
  const response = await post(body, path);
  expect(response.status).toBe(200);
  return (await response.json()) as Reply;
}

async function errorOf(answer: Promise<Response>) {
  const response = await answer;
  const { error } = (await response.json()) as { error: object };
  return { status: response.status, ...error };
}

describe("a stored response", () => {
  test("is read as it was given, and only with its own key", async () => {
    const first = await reply({ input: "Tell me of Paris" });
    const path = `/v1/responses/${first.id}`;
    expect(await (await ask(path)).json()).toEqual(first);
    const others = { status: 404, type: "invalid_request_error", param: null, code: null };
    expect(await errorOf(ask(path, { key: "sk-sandbox-b" }))).toMatchObject(others);
    expect(await errorOf(ask("/v1/responses/resp_unknown"))).toMatchObject(others);
  });

  test("of a stream is read as it ended", async () => {
    const text = await (await post({ input: "Tell me of Paris", stream: true })).text();
    const id = /"id":"(resp_\w+)"/.exec(text)?.[1];
    const stored = (await (await ask(`/v1/responses/${id}`)).json()) as Reply;
    expect(stored).toMatchObject({ id, status: "completed", output: [{ type: "message" }] });
  });

  test("is not there when it was not to be stored, refused or broken off", async () => {
    const { id } = await reply({ input: "Tell me of Paris", store: false });
    expect((await ask(`/v1/responses/${id}`)).status).toBe(404);
    const failed = await (await post({ input: "a sandbox:error-after=3", stream: true })).text();
    const failedId = /"id":"(resp_\w+)"/.exec(failed)?.[1];
    expect((await ask(`/v1/responses/${failedId}`)).status).toBe(404);
  });

  test("cannot be cancelled, as it was made at once", async () => {
    const { id } = await reply({ input: "Tell me of Paris" });
    expect((await ask(`/v1/responses/${id}/cancel`, { method: "POST" })).status).toBe(400);
    expect((await ask("/v1/responses/resp_unknown/cancel", { method: "POST" })).status).toBe(404);
  });

  test("is gone once it is deleted", async () => {
    const { id } = await reply({ input: "Tell me of Paris" });
    const path = `/v1/responses/${id}`;
    expect((await ask(path, { method: "DELETE", key: "sk-sandbox-b" })).status).toBe(404);
    const deleted = await ask(path, { method: "DELETE" });
    expect(await deleted.json()).toEqual({ id, object: "response", deleted: true });
    expect((await ask(path)).status).toBe(404);
    expect((await ask(path, { method: "DELETE" })).status).toBe(404);
    expect((await post({ input: "a", previous_response_id: id })).status).toBe(400);
    expect((await ask(path, { method: "PUT" })).status).toBe(405);
  });
});

describe("a conversation", () => {
  const tool = { type: "function", name: "get_time" };

  test("is continued by the id of its last response", async () => {
    const first = await reply({ input: `Tell me of Paris ${"x".repeat(400)}` });
    const second = await reply({ input: "Go on", previous_response_id: first.id });
    expect(second).toMatchObject({ previous_response_id: first.id });
    expect(second.usage.input_tokens).toBeGreaterThan(first.usage.input_tokens);
    const third = await reply({ input: "And on", previous_response_id: second.id });
    expect(third.usage.input_tokens).toBeGreaterThan(second.usage.input_tokens);
  });

  test("keeps its calls, which the next request answers", async () => {
    const first = await reply({ input: "What time is it?", tools: [tool] });
    const previous = { previous_response_id: first.id, tools: [tool] };
    const [call] = first.output;
    const result = {
      type: "function_call_output",
      call_id: call && "call_id" in call ? call.call_id : "",
      output: "noon",
    };
    const second = await reply({ ...previous, input: [result] });
    expect(JSON.stringify(second.output)).toContain("noon");
    expect((await post({ ...previous, input: "never mind" })).status).toBe(400);
  });

  test("is unknown by another id, by another's, and when it was not stored", async () => {
    const known = await reply({ input: "Tell me of Paris" });
    const unkept = await reply({ input: "Tell me of Paris", store: false });
    const expected = {
      status: 400,
      code: "previous_response_not_found",
      param: "previous_response_id",
    };
    const go = (id: string, key?: string) =>
      errorOf(post({ input: "Go on", previous_response_id: id }, "/v1/responses", key));
    expect(await go("resp_unknown")).toMatchObject(expected);
    expect(await go(unkept.id)).toMatchObject(expected);
    expect(await go(known.id, "sk-sandbox-b")).toMatchObject(expected);
  });

  test("is listed item by item, the newest first", async () => {
    const first = await reply({ input: "Tell me of Paris" });
    const input = [
      { role: "user", content: "Go" },
      { type: "web_search_call", id: "ws_1" },
    ];
    const second = await reply({ input, previous_response_id: first.id });
    const list = async (query: string) => {
      const response = await ask(`/v1/responses/${second.id}/input_items${query}`);
      return (await response.json()) as { data: { id: string }[]; last_id: string };
    };
    const all = await list("?order=asc");
    expect(all).toMatchObject({
      object: "list",
      has_more: false,
      data: [
        {
          type: "message",
          role: "user",
          status: "completed",
          content: [{ type: "input_text", text: "Tell me of Paris" }],
        },
        { type: "message", role: "assistant", id: first.output[0]?.id },
        { type: "message", role: "user" },
        { type: "web_search_call", id: "ws_1" },
      ],
    });
    const ids = all.data.map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect((await list("")).data.map(({ id }) => id)).toEqual(ids.toReversed());
    const page = await list("?limit=3");
    expect(page).toMatchObject({ has_more: true, first_id: ids[3], last_id: ids[1] });
    expect(await list(`?limit=3&after=${page.last_id}`)).toMatchObject({
      has_more: false,
      data: [{ id: ids[0] }],
    });
    for (const query of ["?limit=0", "?limit=x", "?after=nothing"]) {
      expect((await ask(`/v1/responses/${second.id}/input_items${query}`)).status).toBe(400);
    }
    expect((await ask("/v1/responses/resp_unknown/input_items")).status).toBe(404);
  });
});

describe("counting", () => {
  test("gives what an answer would be charged", async () => {
    const tools = [{ type: "function", name: "get_time", description: "Tells the time" }];
    const body = { input: "Tell me of Paris", instructions: "Be brief.", tools };
    const counted = await reply(body, "/v1/responses/input_tokens");
    const { usage } = await reply(body);
    expect<unknown>(counted).toEqual({
      object: "response.input_tokens",
      input_tokens: usage.input_tokens,
    });
  });

  test("obeys directives and refuses what an answer would not be given to", async () => {
    const path = "/v1/responses/input_tokens";
    expect((await post({ input: "a sandbox:status=529" }, path)).status).toBe(529);
    expect((await post({ input: "a", stream: true }, path)).status).toBe(400);
    expect((await post({ input: [{ type: "nothing" }] }, path)).status).toBe(400);
  });
});

describe("condensing", () => {
  const path = "/v1/responses/compact";
  const long = Array.from({ length: 40 }, (_, at) => [
    { role: "user", content: `Question ${at} about the bridges` },
    { role: "assistant", content: `Answer ${at}: ${"they stand ".repeat(40)}` },
  ]).flat();

  test("keeps user messages, and its output is taken as input", async () => {
    const condensed = await reply({ input: long }, path);
    expect(condensed.object).toBe("response.compaction");
    const kinds = condensed.output.map((item) => ("role" in item ? item.role : item.type));
    expect(kinds).toEqual([...Array.from({ length: 40 }, () => "user"), "compaction"]);
    const last = condensed.output.at(-1);
    expect(last?.id).toStartWith("cmp_");
    expect(last && Reflect.get(last, "encrypted_content")).toBeString();
    const question = { role: "user", content: "And the towers?" };
    const before = await reply({ input: [...long, question] });
    const after = await reply({ input: [...condensed.output, question] });
    expect(JSON.stringify(after.output)).toContain("towers");
    expect(after.usage.input_tokens).toBeLessThan(before.usage.input_tokens / 4);
    expect(condensed.usage.input_tokens).toBeGreaterThan(before.usage.input_tokens / 2);
  });

  test("drops the oldest user messages when they are too long to keep", async () => {
    const input = ["a", "b", "c"].map((letter) => ({ role: "user", content: letter.repeat(7000) }));
    const { output } = await reply({ input }, path);
    expect(output).toMatchObject([{ type: "message" }, { type: "compaction" }]);
    expect(JSON.stringify(output[0])).toContain("ccc");
  });

  test("takes a stored conversation", async () => {
    const first = await reply({ input: "Tell me of Paris" });
    const { output } = await reply({ previous_response_id: first.id }, path);
    expect(output).toMatchObject([{ type: "message", role: "user" }, { type: "compaction" }]);
  });

  test("cannot be made up, changed or taken elsewhere", async () => {
    const { output } = await reply({ input: long }, path);
    const item = output.at(-1);
    const go = (changed: object, key?: string) =>
      errorOf(post({ input: [{ ...item, ...changed }] }, "/v1/responses", key));
    const expected = { status: 400, code: "invalid_encrypted_content" };
    expect(await go({ encrypted_content: "made up" })).toMatchObject(expected);
    expect(await go({ id: "cmp_other" })).toMatchObject(expected);
    expect(await go({}, "sk-sandbox-b")).toMatchObject(expected);
  });

  test("obeys directives and knows its fields", async () => {
    expect((await post({ input: "a sandbox:status=500" }, path)).status).toBe(500);
    expect(await reply({ input: "a sandbox:no-usage" }, path)).not.toHaveProperty("usage");
    expect(await errorOf(post({ input: "a", temperature: 1 }, path))).toMatchObject({
      status: 400,
      code: "unknown_parameter",
      param: "temperature",
    });
    expect((await post({}, path)).status).toBe(400);
  });
});
