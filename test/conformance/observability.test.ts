// An operator's view of a running gateway: health, metrics and the log.
import { beforeAll, describe, expect, test } from "bun:test";
import { chatBody } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { StreamReader } from "../harness/event-stream.ts";
import { rootToken, startGateway } from "../harness/gateway.ts";
import { isOnPostgres } from "../harness/postgres.ts";
import { completion, delta, Vendor, type VendorScript } from "../harness/vendor.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";
import type { NodeView } from "../../src/admin/contract.ts";

const config = `
sandbox: "off"
log: { requests: true }
prices: [{ model: m, call_micros: 10 }]
distribution: { failures_to_eject: 2, ejection_ms: 600000, ejection_ms_max: 600000 }
`;

const whole: VendorScript = (_request, reply) => reply.json(completion("Yes."));

const vendor = kept(new Vendor(whole));

const gateway = useStand(() => startGateway({ config }));

beforeAll(async () => {
  await gateway.control("POST", "/api/channel", vendor.channel({ name: "main", models: ["m"] }));
});

interface Readiness {
  status: string;
  role: string;
  parts: Record<string, string>;
}

async function scrape(): Promise<Map<string, number>> {
  const text = await gateway.metrics();
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    samples.map((line) => {
      const parts = /^([a-z_]+(?:\{(?:[a-z]+="[^"\\]*",?)+\})?) (\S+)$/.exec(line);
      if (!parts?.[1]) throw new Error(`not a sample: ${line}`);
      return [parts[1], Number(parts[2])];
    }),
  );
}

describe("health", () => {
  test("N16 healthz and readyz answer anyone who asks", async () => {
    const up = await fetch(`${gateway.url}/healthz`);
    expect([up.status, await up.json()]).toEqual([200, { status: "up" }]);
    const ready = await fetch(`${gateway.url}/readyz`);
    const { status, role, parts } = (await ready.json()) as Readiness;
    expect([ready.status, status]).toEqual([200, "ready"]);
    expect(role).toBe(isOnPostgres ? "node" : "alone");
    const named = isOnPostgres ? ["database", "lease"] : ["journal"];
    expect(parts).toEqual(
      Object.fromEntries(["gateway", "books", ...named, "memory"].map((part) => [part, "ready"])),
    );
    expect(ready.headers.get("x-request-id")).toMatch(/^req_/);
    expect((await fetch(`${gateway.url}/healthz`, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${gateway.url}/healthz`, { method: "POST" })).status).toBe(405);
  });

  test("the nodes are listed for admins, and alone there is one without a lease", async () => {
    const { items } = await gateway.control<{ items: NodeView[] }>("GET", "/api/node");
    expect(items.map(({ here }) => here).filter(Boolean)).toEqual([true]);
    for (const { name, state, version, started_at: at, lease_until: until } of items) {
      expect(name).not.toBe("");
      expect([state, version]).toEqual(["live", expect.stringMatching(/^\d+\.\d+\.\d+/)]);
      expect(Math.abs(Date.now() / 1000 - at)).toBeLessThan(600);
      expect(until === null).toBe(!isOnPostgres);
    }
    expect(items.length === 1 || isOnPostgres).toBe(true);
    const refused = await gateway.controlEnvelope("GET", "/api/node", undefined, "sat-none");
    expect(refused.success).toBe(false);
  });

  test("N16 metrics are for this machine, or for an admin", async () => {
    const local = await fetch(`${gateway.url}/metrics`);
    expect(local.status).toBe(200);
    expect(local.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    await local.text();
    for (const header of ["x-forwarded-for", "forwarded"]) {
      const proxied = { [header]: "198.51.100.7" };
      const refused = await fetch(`${gateway.url}/metrics`, { headers: proxied });
      expect(refused.status).toBe(401);
      expect(await refused.text()).not.toContain("sluice_");
      const authorization = `Bearer ${rootToken}`;
      const admin = await fetch(`${gateway.url}/metrics`, {
        headers: { ...proxied, authorization },
      });
      expect(admin.status).toBe(200);
      await admin.text();
    }
  });
});

describe("metrics", () => {
  test("N16 every line is in Prometheus' form, under a name with help and type", async () => {
    const text = await gateway.metrics();
    expect(text).toEndWith("\n");
    const typed = new Set(
      Array.from(text.matchAll(/^# TYPE (\S+) (?:counter|gauge|histogram)$/gm), ([, name]) => name),
    );
    const helped = new Set(Array.from(text.matchAll(/^# HELP (\S+) .+$/gm), ([, name]) => name));
    expect(typed).toEqual(helped);
    for (const [name, value] of await scrape()) {
      expect(Number.isFinite(value)).toBe(true);
      const plain = name.replace(/\{.*/, "");
      const family = plain.replace(/_(?:bucket|sum|count)$/, "");
      expect(typed.has(plain) || typed.has(family)).toBe(true);
    }
  });

  test("N16 event loop, journal, memory, streams and channels have their gauges", async () => {
    const samples = await scrape();
    for (const name of [
      'sluice_event_loop_lag_seconds{stat="max"}',
      'sluice_event_loop_lag_seconds{stat="mean"}',
      "sluice_journal_queue",
      "sluice_journal_oldest_ms",
      "sluice_rss_bytes",
      "sluice_streams_open",
      "sluice_channels_ejected",
      "sluice_log_dropped_total",
    ]) {
      expect({ name, value: samples.get(name) }).toEqual({ name, value: expect.any(Number) });
    }
    expect(samples.get("sluice_rss_bytes")).toBeGreaterThan(10_000_000);
  });

  test("N16 requests, attempts, tokens and money are counted", async () => {
    const before = await scrape();
    for (let at = 0; at < 3; at++) {
      expect((await gateway.post("/v1/chat/completions", chatBody("m"))).status).toBe(200);
    }
    expect((await gateway.post("/v1/chat/completions", chatBody("none"))).status).toBe(503);
    const after = await scrape();
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    const route = 'route="/v1/chat/completions"';
    expect(grown(`sluice_requests_total{${route},outcome="ok"}`)).toBe(3);
    expect(grown(`sluice_requests_total{${route},outcome="rejected"}`)).toBe(1);
    expect(grown('sluice_upstream_attempts_total{channel="main",outcome="served"}')).toBe(3);
    expect(grown('sluice_tokens_total{kind="input"}')).toBe(30);
    expect(grown('sluice_tokens_total{kind="output"}')).toBe(60);
    expect(grown("sluice_spent_micros_total")).toBe(30);
    expect(grown('sluice_model_requests_total{model="m",outcome="ok"}')).toBe(3);
    expect(grown('sluice_model_tokens_total{model="m",kind="input"}')).toBe(30);
    expect(grown('sluice_model_spent_micros_total{model="m"}')).toBe(30);
    // A name that a client made up is no label.
    expect([...after.keys()].filter((name) => name.includes('model="none"'))).toEqual([]);
    expect(after.get('sluice_channel_keys{channel="main"}')).toBe(1);
    expect(grown(`sluice_request_seconds_count{${route}}`)).toBe(4);
    expect(grown(`sluice_first_byte_seconds_count{${route}}`)).toBe(3);
  });

  test("N16 an open stream shows while it is open, and an ejected channel while it is out", async () => {
    const go = Promise.withResolvers<void>();
    vendor.script = async (_request, reply) => {
      reply.stream();
      reply.event(delta({ role: "assistant", content: "Open." }));
      await go.promise;
      reply.event("[DONE]");
      reply.end();
    };
    const response = await gateway.post("/v1/chat/completions", chatBody("m", { stream: true }));
    const reader = new StreamReader(response);
    await reader.until("Open.");
    expect((await scrape()).get("sluice_streams_open")).toBe(1);
    go.resolve();
    await reader.rest();
    vendor.script = whole;
    expect((await scrape()).get("sluice_streams_open")).toBe(0);
    using broken = new Vendor((_request, reply) => reply.json({}, 500));
    await gateway.control("POST", "/api/channel", broken.channel({ models: ["broken"] }));
    await gateway.control("POST", "/api/price", { model: "broken", call_micros: 1 });
    // Each node judges by what it has met itself.
    for (let at = 0; at < 2 * gateway.nodeUrls.length; at++) {
      await gateway.post("/v1/chat/completions", chatBody("broken"));
    }
    expect((await scrape()).get("sluice_channels_ejected")).toBe(1);
  });

  test("hazard H4 nothing that a client makes up becomes a label", async () => {
    await gateway.post("/v1/chat/completions", chatBody("m"));
    const before = (await scrape()).size;
    const made = Array.from({ length: 120 }, async (_, at) => {
      const name = `canary-label-${at}`;
      await gateway.get(`/v1/models/${name}`);
      await gateway.get(`/${name}/${name}`);
      await gateway.get("/v1/models", `sk-${name}`);
      await gateway.post("/v1/chat/completions", chatBody(name, { user: name }));
    });
    await Promise.all(made);
    const samples = await scrape();
    expect([...samples.keys()].join("\n")).not.toContain("canary");
    // Routes that were not used before may appear, each with the few lines of a route.
    expect(samples.size - before).toBeLessThan(150);
    const again = samples.size;
    for (let at = 0; at < 20; at++) await gateway.get(`/v1/models/more-canary-${at}`);
    expect((await scrape()).size).toBe(again);
  });
});

interface LogLine {
  time: string;
  level: string;
  message: string;
  [field: string]: unknown;
}

/** The lines that are the log's: everything but the greeting, and what is still being written. */
function logLines(output: string): LogLine[] {
  return output
    .slice(0, output.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "" && !/^(?:Sluice is listening|Data folder)/.test(line))
    .map((line) => JSON.parse(line) as LogLine);
}

async function requestLine(id: string | null): Promise<LogLine> {
  return await eventually(`the line of ${id}`, async () => {
    const isOf = (line: LogLine) => line["request"] === id && line.message === "request";
    return logLines(gateway.output).find(isOf);
  });
}

describe("the log", () => {
  test("Q6 the request's id is in its header and on its line", async () => {
    const response = await gateway.post("/v1/chat/completions", chatBody("m"));
    const id = response.headers.get("x-request-id");
    expect(response.headers.get("request-id")).toBe(id);
    expect(await requestLine(id)).toMatchObject({
      level: "info",
      message: "request",
      method: "POST",
      path: "/v1/chat/completions",
      outcome: "ok",
      status: 200,
      model: "m",
      channel: "main",
      micros: 10,
    });
    const refused = await gateway.get("/v1/models", "sk-unknown");
    const line = await requestLine(refused.headers.get("x-request-id"));
    expect(line).toMatchObject({ status: 401, outcome: "rejected", error: "invalid_api_key" });
  });

  test("hazard H1 every line is one JSON object, whatever is in the names", async () => {
    const nasty = 'm"}\n{"level":"error","message":"forged"}\r\n\u001b[31mred\u2028\u0000';
    const response = await gateway.post("/v1/chat/completions", chatBody(nasty));
    expect(response.status).toBe(503);
    const line = await requestLine(response.headers.get("x-request-id"));
    expect(line["model"]).toBe(nasty);
    const lines = logLines(gateway.output);
    for (const { time, level, message } of lines) {
      expect(new Date(time).toISOString()).toBe(time);
      expect(["debug", "info", "warn", "error"]).toContain(level);
      expect(message).toBeTruthy();
    }
    expect(lines.map(({ message }) => message)).not.toContain("forged");
    expect(gateway.output).not.toContain("\u001b");
  });

  test("hazard H6 prompts, answers and keys are not in the log", async () => {
    const { key } = await gateway.customer(1000);
    vendor.script = (_request, reply) => reply.json(completion("canary-answer"));
    const body = chatBody("m", { messages: [{ role: "user", content: "canary-prompt" }] });
    const response = await gateway.post("/v1/chat/completions", body, key);
    vendor.script = (_request, reply) =>
      reply.json({ error: { message: "canary-fault sk-vendor-secret-0000" } }, 500);
    const failed = await gateway.post("/v1/chat/completions", body, key);
    vendor.script = whole;
    expect(failed.status).toBe(500);
    await requestLine(response.headers.get("x-request-id"));
    await requestLine(failed.headers.get("x-request-id"));
    for (const secret of [key, rootToken, "canary-prompt", "canary-answer", "sk-vendor-secret"]) {
      expect(gateway.output).not.toContain(secret);
    }
  });

  test("N16 a level keeps what is below it out", async () => {
    await using quiet = await startGateway({ config: "log: { level: error, requests: true }\n" });
    expect((await quiet.post("/v1/chat/completions", chatBody("chatA"))).status).toBe(200);
    expect(await quiet.stop()).toBe(0);
    expect(logLines(quiet.output)).toEqual([]);
  });
});
