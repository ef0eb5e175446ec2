// Delivery over real HTTP: faults on demand, pace, clients who leave, and the call log.
import { describe, expect, test } from "bun:test";
import { systemClock, systemTimers, type Timers } from "../src/core/clock.ts";
import { readEvents } from "../src/core/sse.ts";
import type { SandboxCalls } from "./call-log.ts";
import { type Sandbox, startSandbox } from "./server.ts";

const chatPath = "/openai/v1/chat/completions";

function start(timers: Timers = systemTimers, paceMs = 1): Sandbox {
  return startSandbox({ port: 0, clock: systemClock, timers, paceMs, words: 12 });
}

interface Ask {
  key?: string;
  stream?: boolean;
  signal?: AbortSignal;
}

function ask({ url }: Sandbox, content: string, { key, stream, signal }: Ask = {}) {
  return fetch(url + chatPath, {
    method: "POST",
    headers: { authorization: `Bearer ${key ?? "sk-sandbox-a"}`, "x-request-id": "req_test" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content }], stream }),
    ...(signal ? { signal } : {}),
  });
}

function readerOf(response: Response) {
  const reader = response.body?.getReader();
  if (!reader) throw new Error("no body");
  return reader;
}

/** Reads until the connection ends; what came, and whether it ended with an error. */
async function drain(response: Response) {
  const reader = readerOf(response);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += decoder.decode(next.value, { stream: true });
    }
    return { text, isBroken: false };
  } catch {
    return { text, isBroken: true };
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

/** Timers that fire when told to, and remember what they were asked for. */
function manualTimers(isEager: boolean) {
  const asked: number[] = [];
  const pending = new Set<() => void>();
  const timers: Timers = {
    after(delayMs, run) {
      asked.push(delayMs);
      pending.add(run);
      if (isEager) setImmediate(() => pending.delete(run) && run());
      return () => pending.delete(run);
    },
    every: () => () => {},
  };
  return { asked, pending, timers };
}

describe("faults", () => {
  test("a status comes in the vendor's envelope", async () => {
    await using sandbox = start();
    for (const stream of [false, true]) {
      const limited = await ask(sandbox, "hello sandbox:status=429", { stream });
      expect(limited.status).toBe(429);
      expect(limited.headers.get("retry-after")).toBe("1");
      expect(await limited.json()).toMatchObject({ error: { code: "rate_limit_exceeded" } });
    }
    const broken = await ask(sandbox, "hello sandbox:status=503");
    expect(broken.status).toBe(503);
    expect(broken.headers.get("retry-after")).toBeNull();
    expect(await broken.json()).toMatchObject({ error: { type: "server_error", param: null } });
  });

  test("a directive for one key leaves the others alone", async () => {
    await using sandbox = start();
    const prompt = "hello sandbox:status=500@sk-sandbox-a";
    expect((await ask(sandbox, prompt, { key: "sk-sandbox-a" })).status).toBe(500);
    expect((await ask(sandbox, prompt, { key: "sk-sandbox-b" })).status).toBe(200);
  });

  test("a delay passes before anything is sent", async () => {
    const { asked, pending, timers } = manualTimers(false);
    await using sandbox = start(timers);
    const answer = ask(sandbox, "hello sandbox:delay=2s");
    await until(() => pending.size === 1);
    expect(asked).toEqual([2000]);
    expect(sandbox.calls()).toMatchObject({ open: 1, recent: [{ status: null }] });
    for (const run of pending) run();
    expect((await answer).status).toBe(200);
  });

  test("a delay may come before a refusal", async () => {
    const { asked, timers } = manualTimers(true);
    await using sandbox = start(timers);
    const answer = await ask(sandbox, "hello sandbox:delay=200ms sandbox:status=500");
    expect(answer.status).toBe(500);
    expect(asked).toEqual([200]);
  });

  test("a stalled stream sends a few events and then nothing", async () => {
    const { pending, timers } = manualTimers(true);
    await using sandbox = start(timers);
    const leave = new AbortController();
    const response = await ask(sandbox, "hello sandbox:stall", {
      stream: true,
      signal: leave.signal,
    });
    const reader = readerOf(response);
    let text = "";
    while (readEvents(text).length < 3) {
      text += new TextDecoder().decode((await reader.read()).value);
    }
    await until(() => pending.size === 0);
    expect(readEvents(text)).toHaveLength(3);
    expect(sandbox.calls()).toMatchObject({ open: 1, aborted: 0 });
    leave.abort();
    await until(() => sandbox.calls().open === 0);
    expect(sandbox.calls()).toMatchObject({ aborted: 1, recent: [{ status: 200, aborted: true }] });
  });

  test("a stalled request without a stream is never answered", async () => {
    await using sandbox = start();
    const leave = new AbortController();
    const answer = ask(sandbox, "hello sandbox:stall", { signal: leave.signal });
    await until(() => sandbox.calls().recent[0]?.model === "m");
    leave.abort();
    await expect(answer).rejects.toThrow();
    await until(() => sandbox.calls().open === 0);
    expect(sandbox.calls()).toMatchObject({ aborted: 1, recent: [{ status: null, bytesSent: 0 }] });
  });

  test("a cut stream breaks after a few events, of which nothing is lost", async () => {
    const { pending, timers } = manualTimers(false);
    await using sandbox = start(timers, 0);
    const reader = readerOf(await ask(sandbox, "hello sandbox:cut", { stream: true }));
    let text = "";
    while (readEvents(text).length < 3) {
      text += new TextDecoder().decode((await reader.read()).value);
    }
    // The break waits its time, in which all that was sent has come.
    await until(() => pending.size === 1);
    for (const run of pending) run();
    await expect(reader.read()).rejects.toThrow();
    expect(readEvents(text)).toHaveLength(3);
    expect(sandbox.calls()).toMatchObject({ open: 0, recent: [{ outcome: "faulted" }] });
  });

  test("a cut answer breaks in the middle of its body", async () => {
    await using sandbox = start();
    const { text, isBroken } = await drain(await ask(sandbox, "hello sandbox:cut"));
    expect(isBroken).toBeTrue();
    // A late reader of a connection that is cut may get nothing at all.
    expect(text === "" || text.startsWith('{"id":')).toBeTrue();
    expect(() => JSON.parse(text)).toThrow();
  });

  test("garbage is no JSON, and no stream of it", async () => {
    await using sandbox = start();
    const whole = await ask(sandbox, "hello sandbox:garbage");
    expect(whole.status).toBe(200);
    await expect(whole.json()).rejects.toThrow();
    const streamed = await ask(sandbox, "hello sandbox:garbage", { stream: true });
    expect(streamed.headers.get("content-type")).toStartWith("text/event-stream");
    const { text, isBroken } = await drain(streamed);
    expect(isBroken).toBeFalse();
    expect(text).not.toContain("[DONE]");
    expect(() => readEvents(text).map(({ data }) => JSON.parse(data))).toThrow();
  });

  test("an error may come inside the stream", async () => {
    await using sandbox = start();
    const { text } = await drain(
      await ask(sandbox, "hello sandbox:error-after=5", { stream: true }),
    );
    const events = readEvents(text).map(({ data }) => JSON.parse(data));
    expect(events).toHaveLength(6);
    expect(events[4]).toHaveProperty("choices");
    expect(events[5]).toMatchObject({ error: { type: "server_error", param: null, code: null } });
    expect(sandbox.calls().recent[0]?.outcome).toBe("faulted");
  });
});

describe("streams", () => {
  test("keep the set pace between events", async () => {
    const { asked, timers } = manualTimers(true);
    await using sandbox = start(timers, 35);
    const { text } = await drain(await ask(sandbox, "hello", { stream: true }));
    const events = readEvents(text);
    expect(events.at(-1)?.data).toBe("[DONE]");
    expect(asked).toEqual(Array.from({ length: events.length - 1 }, () => 35));
  });

  test("without a pace set no timer", async () => {
    const { asked, timers } = manualTimers(false);
    await using sandbox = start(timers, 0);
    const { text } = await drain(await ask(sandbox, "hello", { stream: true }));
    expect(text).toEndWith("data: [DONE]\n\n");
    expect(asked).toEqual([]);
  });

  test("end at once when the client goes away", async () => {
    const { pending, timers } = manualTimers(false);
    await using sandbox = start(timers);
    const leave = new AbortController();
    const response = await ask(sandbox, "hello", { stream: true, signal: leave.signal });
    await readerOf(response).read();
    await until(() => pending.size === 1);
    leave.abort();
    await until(() => sandbox.calls().open === 0);
    expect(pending.size).toBe(0);
    expect(sandbox.calls()).toMatchObject({ aborted: 1, recent: [{ outcome: "aborted" }] });
  });
});

describe("the call log", () => {
  test("is served as JSON and says how each request went", async () => {
    await using sandbox = start();
    const whole = await (await ask(sandbox, "hello")).text();
    const { text } = await drain(await ask(sandbox, "hello", { stream: true }));
    await ask(sandbox, "hello sandbox:status=500", { key: "sk-sandbox-zzzz" });
    const response = await fetch(`${sandbox.url}/sandbox/calls`);
    const calls = (await response.json()) as SandboxCalls;
    expect(calls).toEqual(sandbox.calls());
    expect(calls).toMatchObject({ total: 3, open: 0, aborted: 0 });
    expect(calls.byPath[chatPath]).toEqual({ completed: 2, refused: 1, faulted: 0, aborted: 0 });
    const seen = { path: chatPath, requestId: "req_test", model: "m", aborted: false };
    expect(calls.recent).toMatchObject([
      { ...seen, stream: false, status: 200, bearerLast4: "ox-a", bytesSent: whole.length },
      { ...seen, stream: true, status: 200, bearerLast4: "ox-a", bytesSent: text.length },
      { ...seen, stream: false, status: 500, bearerLast4: "zzzz" },
    ]);
  });

  test("counts what no vendor serves", async () => {
    await using sandbox = start();
    expect((await fetch(`${sandbox.url}/nowhere`)).status).toBe(404);
    expect(sandbox.calls().byPath["/nowhere"]?.refused).toBe(1);
  });
});

test("closing ends the requests that are still open", async () => {
  const sandbox = start();
  const answer = ask(sandbox, "hello sandbox:stall");
  await until(() => sandbox.calls().recent[0]?.model === "m");
  await sandbox.close();
  await expect(answer).rejects.toThrow();
});
