// Traces: a collector gets a span for each request and each attempt, upstreams are told of the
// trace they are part of, and without a collector nothing of it happens.
import { describe, expect, test } from "bun:test";
import type { LogAnswer } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { Collector } from "../../harness/collector.ts";
import { rootKey, rootToken, startGateway, type Gateway } from "../../harness/gateway.ts";
import { completion, delta, usageChunk, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const secretWords = "the heron flies at midnight";

const collector = kept(new Collector());
const bad = kept(new Vendor((_request, reply) => reply.json({ error: { message: "no" } }, 500)));
const good = kept(
  new Vendor((request, reply) => {
    if (request.body["stream"] !== true) return reply.json(completion(secretWords));
    reply.stream();
    reply.event(delta({ role: "assistant", content: secretWords }));
    reply.event(delta({}, "stop"));
    reply.event(usageChunk());
    reply.event("[DONE]");
    reply.end();
  }),
);

function settings(more: object) {
  return JSON.stringify({
    sandbox: "off",
    prices: [{ model: "m", call_micros: 10 }],
    channels: [
      bad.channel({ name: "bad", models: ["m"], priority: 1 }),
      good.channel({ name: "good", models: ["m"], model_mapping: { m: "their-m" } }),
    ],
    distribution: { failures_to_eject: 1000, retry_budget_percent: 100 },
    ...more,
  });
}

const gateway = useStand(() =>
  startGateway({
    config: settings({
      tracing: {
        endpoint: collector.url,
        headers: { "x-collector-key": "mine" },
        service_name: "gate",
        interval_ms: 50,
        queue_max: 40,
      },
    }),
  }),
);

async function ask(from: Gateway, headers: Record<string, string>, fields: object = {}) {
  const body = { ...chatBody("m", { ...fields }), user: secretWords };
  const response = await fetch(`${from.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${rootKey}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  await response.text();
  return response.headers.get("x-request-id") ?? "";
}

describe("traces", () => {
  test("the log leads admins from a request to its trace, and to none where it was not sampled", async () => {
    const rowOf = async (flags: string) => {
      const id = await ask(gateway, { traceparent: `00-${traceId}-${parentId}-${flags}` });
      return await eventually(`the row of ${id}`, async () => {
        const path = `?request_id=${id}`;
        const { items } = await gateway.control<LogAnswer>("GET", `/api/log${path}`);
        const own = await gateway.control<LogAnswer>("GET", `/api/log/self${path}`);
        return items[0] && { everyone: items[0].trace_id, own: own.items[0] };
      });
    };
    const sampled = await rowOf("01");
    expect(sampled.everyone).toBe(traceId);
    expect(sampled.own).not.toHaveProperty("trace_id");
    expect((await rowOf("00")).everyone).toBeNull();
    const csv = await gateway.get("/api/log.csv", rootToken);
    expect(await csv.text()).toContain(traceId);
  });

  test("a request is one span with one for each attempt, in the trace of who asked", async () => {
    const from = { traceparent: `00-${traceId}-${parentId}-01`, tracestate: "other=1" };
    const id = await ask(gateway, from);
    const [root, first, second, ...more] = await collector.spansOf(id);
    expect(more).toEqual([]);
    expect(root).toMatchObject({ traceId, parentSpanId: parentId, name: "chat m", kind: 2 });
    expect(root?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 20,
      "http.request.method": "POST",
      "http.route": "/v1/chat/completions",
      "http.response.status_code": 200,
      "sluice.channel": "good",
      "sluice.attempts": 2,
      "sluice.cost_micros": 10,
    });
    expect(first).toMatchObject({ traceId, name: "chat m", kind: 3, status: { code: 2 } });
    expect(first?.attributes).toMatchObject({
      "sluice.channel": "bad",
      "http.response.status_code": 500,
      "server.address": "127.0.0.1",
      "error.type": expect.any(String),
    });
    expect(second).toMatchObject({ traceId, name: "chat their-m", kind: 3, status: {} });
    expect(second?.attributes).toMatchObject({
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "their-m",
      "sluice.channel": "good",
      "sluice.attempt": 2,
    });
    const nanos = (text = "0") => BigInt(text);
    expect(nanos(root?.startTimeUnixNano)).toBeLessThanOrEqual(nanos(first?.startTimeUnixNano));
    expect(nanos(second?.endTimeUnixNano)).toBeLessThanOrEqual(nanos(root?.endTimeUnixNano));
    const told = [bad, good].map((vendor) => vendor.requests.at(-1)?.headers ?? {});
    expect(told.map((headers) => headers["traceparent"])).toEqual([
      `00-${traceId}-${first?.spanId}-01`,
      `00-${traceId}-${second?.spanId}-01`,
    ]);
    expect(told.map((headers) => headers["tracestate"])).toEqual(["other=1", "other=1"]);
  });

  test("without a traceparent, or with a wrong one, a request begins a trace of its own", async () => {
    const ids = [await ask(gateway, {}), await ask(gateway, { traceparent: "00-no-no-01" })];
    const roots = await Promise.all(ids.map(async (id) => (await collector.spansOf(id))[0]));
    for (const root of roots) {
      expect(root?.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(root?.parentSpanId).toBeUndefined();
    }
    expect(new Set(roots.map((root) => root?.traceId)).size).toBe(2);
  });

  test("a stream's spans end with it, and have what it used", async () => {
    const id = await ask(gateway, {}, { stream: true });
    const [root, , second] = await collector.spansOf(id);
    expect(root?.attributes).toMatchObject({
      "sluice.stream": true,
      "gen_ai.usage.output_tokens": 20,
      "sluice.first_byte_ms": expect.any(Number),
    });
    expect(second?.status).toEqual({});
  });

  test("a refused request has its error, and who asks not to be traced is not", async () => {
    const quiet = await ask(gateway, { traceparent: `00-${traceId}-${parentId}-00` });
    expect(good.requests.at(-1)?.headers["traceparent"]).toMatch(/-00$/);
    const response = await gateway.post("/v1/chat/completions", chatBody("none"));
    const id = response.headers.get("x-request-id") ?? "";
    const [root] = await collector.spansOf(id);
    expect(root?.attributes).toMatchObject({
      "error.type": "model_not_found",
      "http.response.status_code": 503,
      "sluice.outcome": "rejected",
    });
    const ids = collector.spans.map(({ attributes }) => attributes["sluice.request.id"]);
    expect(ids).not.toContain(quiet);
  });

  test("nothing of a prompt, an answer or a key is in what a collector gets", async () => {
    expect(collector.calls.length).toBeGreaterThan(0);
    for (const { path, headers, text } of collector.calls) {
      expect(path).toBe("/v1/traces");
      expect(headers.get("x-collector-key")).toBe("mine");
      for (const hidden of [secretWords, "What is a sluice?", rootKey, "sk-vendor-secret"]) {
        expect(text).not.toContain(hidden);
      }
    }
    expect(collector.resources[0]).toMatchObject({ "service.name": "gate" });
  });

  test("what a collector does not take is dropped and counted, and requests go on", async () => {
    collector.status = 503;
    const dropped = async () => {
      const text = await gateway.metrics();
      return Number(/^sluice_telemetry_dropped_total\{signal="traces"\} (\d+)$/m.exec(text)?.[1]);
    };
    const before = await dropped();
    expect(await ask(gateway, {})).toMatch(/^req_/);
    await eventually("dropped spans", async () => (await dropped()) > before || undefined);
    collector.status = 200;
    const id = await ask(gateway, {});
    expect(await collector.spansOf(id)).toHaveLength(3);
  });

  test("without a collector nothing is traced, and no upstream is told", async () => {
    await using plain = await startGateway({ config: settings({}) });
    await ask(plain, { traceparent: `00-${traceId}-${parentId}-01` });
    const { headers } = good.requests.at(-1) ?? { headers: {} };
    expect(headers).not.toHaveProperty("traceparent");
  });
});
