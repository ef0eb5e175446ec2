// Faults on demand, in Google's terms.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { readEvents } from "../../src/core/sse.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

interface Ask {
  verb?: string;
  key?: string;
  signal?: AbortSignal;
}

function ask(text: string, { verb = "generateContent", key = "sk-sandbox-a", signal }: Ask = {}) {
  return fetch(`${sandbox.url}/google/v1beta/models/gemini-3-flash:${verb}`, {
    method: "POST",
    headers: { "x-goog-api-key": key },
    body: JSON.stringify({ contents: [{ role: "user", parts: [{ text }] }] }),
    ...(signal ? { signal } : {}),
  });
}

const sse = "streamGenerateContent?alt=sse";

describe("a status", () => {
  test.each([
    [400, "INVALID_ARGUMENT"],
    [401, "UNAUTHENTICATED"],
    [403, "PERMISSION_DENIED"],
    [404, "NOT_FOUND"],
    [418, "UNKNOWN"],
    [500, "INTERNAL"],
    [502, "INTERNAL"],
    [503, "UNAVAILABLE"],
    [504, "DEADLINE_EXCEEDED"],
  ])("of %d comes as %s", async (status, name) => {
    for (const verb of ["generateContent", sse, "countTokens"]) {
      const response = await ask(`hello sandbox:status=${status}`, { verb });
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({
        error: { code: status, message: expect.any(String), status: name },
      });
    }
  });

  test("of 429 says in its details when to come back", async () => {
    const response = await ask("hello sandbox:status=429", { verb: sse });
    expect(response.headers.get("retry-after")).toBeNull();
    expect(await response.json()).toMatchObject({
      error: {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        details: [{}, { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" }],
      },
    });
  });

  test("may be for one key alone", async () => {
    const text = "hello sandbox:status=500@sk-sandbox-a";
    expect((await ask(text, { key: "sk-sandbox-a" })).status).toBe(500);
    expect((await ask(text, { key: "sk-sandbox-b" })).status).toBe(200);
  });
});

test("an error may come inside the stream", async () => {
  const response = await ask("hello sandbox:error-after=2", { verb: sse });
  const events = readEvents(await response.text()).map(({ data }) => JSON.parse(data));
  expect(events).toHaveLength(3);
  expect(events[1]).toHaveProperty("candidates");
  expect(events[2]).toMatchObject({ error: { code: 500, status: "INTERNAL" } });
  expect(sandbox.calls().recent.at(-1)?.outcome).toBe("faulted");
});

test("garbage is no JSON", async () => {
  await expect((await ask("hello sandbox:garbage")).json()).rejects.toThrow();
  const streamed = await (await ask("hello sandbox:garbage", { verb: sse })).text();
  expect(() => readEvents(streamed).map(({ data }) => JSON.parse(data))).toThrow();
});

test("a cut breaks the connection", async () => {
  const response = await ask("hello sandbox:cut", { verb: sse });
  await expect(response.text()).rejects.toThrow();
  expect(sandbox.calls().recent.at(-1)).toMatchObject({ outcome: "faulted", status: 200 });
});

test("a stalled stream sends some events and then nothing", async () => {
  const leave = new AbortController();
  const response = await ask("hello sandbox:stall", { verb: sse, signal: leave.signal });
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toStartWith("data: ");
  expect(sandbox.calls().open).toBe(1);
  leave.abort();
  while (sandbox.calls().open > 0) await new Promise((resolve) => setImmediate(resolve));
  expect(sandbox.calls().recent.at(-1)?.outcome).toBe("aborted");
});
