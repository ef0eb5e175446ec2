// Addresses by which clients of clouds ask: who opens them, in which spelling, and that each is
// served as the row that it stands for.
import { afterAll, describe, expect, test } from "bun:test";
import { rootKey, startGateway } from "../../harness/gateway.ts";
import { StreamReader } from "../../harness/event-stream.ts";
import { addressOf, bodyOf, nameOf, routes } from "../../harness/route-table.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";
import { exchange, rawRequest } from "../../hazards/raw-client.ts";
import type { KeyRoute } from "../../../src/http/route.ts";

const vendor = new Vendor(answers("messages", "Hello."));
const models = ["us.claude-v1:0", "claude@2025", "meta/llama", "plain"];

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [vendor.channel({ name: "one", models, ...wires.messages.channel })],
      timeouts: { keep_alive_ms: 100 },
      unpriced: "free",
    }),
  }),
);

afterAll(() => vendor[Symbol.dispose]());

const keyed = routes.filter((route): route is KeyRoute => route.policy === "key");
const aliases = keyed.filter(({ aliasOf }) => aliasOf !== undefined);
const said = { messages: [{ role: "user", content: "Hello?" }], max_tokens: 50 };

async function call(route: KeyRoute, headers: Record<string, string>): Promise<Response> {
  const { method } = route;
  return await fetch(gateway.url + addressOf(route), { method, headers, ...bodyOf(route) });
}

async function statusAt(path: string): Promise<number> {
  const body = JSON.stringify(said);
  const headers = {
    authorization: `Bearer ${rootKey}`,
    "content-type": "application/json",
    "content-length": String(body.length),
  };
  return (await exchange(gateway.url, rawRequest(`POST ${path}`, headers) + body)).status;
}

describe("a credential", () => {
  test("A10 that is a signature opens no row, in its envelope, and is told what to send", async () => {
    const before = vendor.requests.length;
    const signature = `Credential=${rootKey}/20261118/us-east-1/bedrock/aws4_request`;
    const rest = "SignedHeaders=host;x-amz-date, Signature=00";
    for (const algorithm of ["AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256", "aws4-hmac-sha256"]) {
      const authorization = `${algorithm} ${signature}, ${rest}`;
      for (const route of keyed.filter(({ carriers }) => carriers.includes("bearer"))) {
        const response = await call(route, { authorization, "x-amz-security-token": rootKey });
        expect([nameOf(route), response.status]).toEqual([nameOf(route), 401]);
        expect(await response.text()).toContain("AWS_BEARER_TOKEN_BEDROCK");
      }
    }
    expect(vendor.requests).toHaveLength(before);
  });

  test("A10 that is a key does not help a signature", async () => {
    const headers = { authorization: "AWS4-HMAC-SHA256 Credential=x", "x-api-key": rootKey };
    for (const route of keyed.filter(({ carriers }) => carriers.includes("x-api-key"))) {
      expect((await call(route, headers)).status).toBe(401);
    }
  });

  test("A1 in api-key opens Azure's addresses and no other", async () => {
    for (const route of keyed) {
      const response = await call(route, { "api-key": rootKey });
      await response.body?.cancel();
      const isAzure = route.path.startsWith("/openai/");
      expect([nameOf(route), response.status === 401]).toEqual([nameOf(route), !isAzure]);
    }
  });

  test("A1 in two carriers that disagree is refused at a cloud's address too", async () => {
    const headers = { "api-key": "sk-another-key-0123456789", authorization: `Bearer ${rootKey}` };
    for (const route of aliases.filter(({ carriers }) => carriers.includes("api-key"))) {
      expect((await call(route, headers)).status).toBe(400);
    }
  });
});

describe("an alias", () => {
  test("N41 is paid, refused and methodical as the row that it stands for", () => {
    const rows = new Map(keyed.map((route) => [nameOf(route), route]));
    expect(aliases.length).toBeGreaterThan(40);
    for (const { method, path, aliasOf, isPaid, envelope, entry } of aliases) {
      const row = rows.get(`${method} ${aliasOf}`);
      expect([path, row]).toMatchObject([path, { isPaid, envelope }]);
      expect(row?.aliasOf).toBeUndefined();
      expect(row?.entry).toBe(entry);
    }
  });

  test("N41 has every call of OpenAI's wire under /openai/v1", () => {
    const paths = keyed.map(({ path }) => path);
    const plain = ["/v1/chat/completions", "/v1/completions", "/v1/embeddings", "/v1/models"];
    const stored = ["/v1/responses", "/v1/responses/{id}", "/v1/responses/{id}/input_items"];
    for (const path of [...plain, ...stored, "/v1/images/generations", "/v1/images/edits"]) {
      expect(paths).toContain(`/openai${path}`);
    }
  });
});

describe("the name of a model", () => {
  const places = (name: string) => [
    `/model/${name}/invoke`,
    `/model/${name}/invoke-with-response-stream`,
    `/openai/deployments/${name}/chat/completions?api-version=2024-10-21`,
    `/v1/projects/a-b/locations/us-east5/publishers/anthropic/models/${name}:rawPredict`,
    `/v1beta1/projects/a-b/locations/global/publishers/anthropic/models/${name}:streamRawPredict`,
  ];

  test.each(["us.claude-v1:0", "us.claude-v1%3A0", "us.claude-v1%3a0", "claude@2025"])(
    "N41 may be written as %s",
    async (name) => {
      for (const path of places(name)) expect([path, await statusAt(path)]).toEqual([path, 200]);
    },
  );

  test.each(["claude%402025", "meta%2Fllama", "meta%2fllama", "plain"])(
    "N41 may be escaped as %s",
    async (name) => {
      for (const path of places(name)) expect([path, await statusAt(path)]).toEqual([path, 200]);
    },
  );

  test("hazard G6 is decoded once, so that any other escape names nothing, and sends nothing", async () => {
    const escapes = ["%2e%2e", "a%00", "a%25", "a%253A0", "a%5Cb", "a%20b", "a%3", "%", ".", ".."];
    const inName = escapes.flatMap((name) => places(name));
    const elsewhere = [
      "/openai/v1/models/a%2Fb",
      "/openai/models/a%3Ab",
      "/model/plain/invo%6Be",
      "/model%2Fplain/invoke",
      "/model/plain%2Finvoke",
      "/openai/deployments/plain/chat%2Fcompletions",
      "/v1/publishers/anthropic/models/plain:rawPredict",
      "/v1/responses/a%2Fb",
    ];
    const before = vendor.requests.length;
    for (const path of [...inName, ...elsewhere]) {
      const status = await statusAt(path);
      // 503: no channel serves a model of that name.
      expect([path, [400, 404, 405, 503].includes(status)]).toEqual([path, true]);
    }
    expect(vendor.requests).toHaveLength(before);
  });

  test("N41 in the address counts, also against the body and for whether it streams", async () => {
    const body = { ...said, model: "another", stream: true };
    const whole = await gateway.post("/model/plain/invoke", body);
    expect(whole.headers.get("content-type")).toBe("application/json");
    expect(vendor.requests.at(-1)?.body).toMatchObject({ model: "plain" });
    expect(vendor.requests.at(-1)?.body["stream"]).not.toBe(true);
    const { stream: _stream, ...unsaid } = body;
    const path = "/v1/projects/a/locations/b/publishers/anthropic/models/plain:streamRawPredict";
    const events = await gateway.post(path, unsaid);
    expect(events.headers.get("content-type")).toStartWith("text/event-stream");
    await events.text();
    expect(vendor.requests.at(-1)?.body).toMatchObject({ model: "plain", stream: true });
  });
});

describe("a request that is sent again", () => {
  const again = (path: string, key: string) =>
    fetch(gateway.url + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${rootKey}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify(said),
    });

  test.each(["invoke", "invoke-with-response-stream"])(
    "N14 N41 by %s gets the same bytes, made once",
    async (call) => {
      const before = vendor.requests.length;
      const first = await again(`/model/plain/${call}`, call);
      const bytes = await first.bytes();
      const repeated = await again(`/model/plain/${call}`, call);
      expect(repeated.headers.get("idempotent-replayed")).toBe("true");
      expect(repeated.headers.get("content-type")).toBe(first.headers.get("content-type"));
      expect(Buffer.from(await repeated.bytes()).equals(bytes)).toBe(true);
      expect(vendor.requests).toHaveLength(before + 1);
    },
  );

  test("N14 N41 at another deployment is another request", async () => {
    const at = (model: string) => again(`/openai/deployments/${model}/chat/completions`, "both");
    expect((await at("plain")).status).toBe(200);
    expect((await at("claude@2025")).status).toBe(409);
    expect((await at("plain")).headers.get("idempotent-replayed")).toBe("true");
  });
});

test("T19 N41 a stream of frames that is silent gets events that say nothing", async () => {
  const { promise: seen, resolve: saw } = Promise.withResolvers<void>();
  const plain = vendor.script;
  const { opening, delta, ending } = wires.messages;
  vendor.script = async (_request, reply) => {
    reply.stream();
    reply.chunk(opening() + delta("Hello."));
    await seen;
    reply.chunk(ending("Hello.", { input: 1, output: 1 }));
    reply.end();
  };
  try {
    const response = await gateway.post("/model/plain/invoke-with-response-stream", said);
    expect(response.headers.get("content-type")).toBe("application/vnd.amazon.eventstream");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const reader = new StreamReader(response);
    await reader.until(Buffer.from('{"type":"ping"}').toString("base64"));
    saw();
    const text = await reader.rest();
    const payloads = [...text.matchAll(/"bytes":"([A-Za-z0-9+/=]+)"/g)];
    const events = payloads.map(([, bytes = ""]) => Buffer.from(bytes, "base64").toString());
    expect(events.at(-1)).toContain('"message_stop"');
  } finally {
    vendor.script = plain;
  }
});
