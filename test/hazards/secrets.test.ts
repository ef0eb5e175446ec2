// Secrets that must not get out: keys, prompts, vendors' words about themselves, clients' headers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../harness/command.ts";
import {
  type Gateway,
  rootKey,
  rootToken,
  startGateway,
  temporaryFolder,
} from "../harness/gateway.ts";
import { rowsOf } from "../harness/rows.ts";
import { completion, delta, Vendor, type VendorScript } from "../harness/vendor.ts";
import { assertUp, eventually, filesWith, settledBalance } from "./observe.ts";
import { exchange, rawRequest } from "./raw-client.ts";

const vendorKey = "sk-vendor-canary-77aa55cc";
/** A key without any of the shapes by which keys are recognised. */
const plainKey = "9f8e7d6c5b4a39281706f5e4d3c2b1a0";
const answer: VendorScript = (_request, reply) => reply.json(completion("hello"));
const vendor = new Vendor(answer);
const messages = [{ role: "user", content: "hi" }];
const chat = { model: "chatA", messages, max_tokens: 10 };
const config = "log: { requests: true, level: debug }";
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({ config });
  await gateway.control("POST", "/api/channel", vendor.channel({ key: vendorKey }));
  const plain = vendor.channel({ name: "plain", key: plainKey, models: ["chatB"] });
  await gateway.control("POST", "/api/channel", plain);
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

async function metrics(): Promise<string> {
  return await gateway.metrics();
}

/** The gateway's output once the log has a line with this request's id. */
async function outputWith(response: Response): Promise<string> {
  const id = response.headers.get("x-request-id") ?? "no id";
  return await eventually(
    async () => gateway.output,
    (output) => output.includes(id),
  );
}

/** Waits until everything so far is in the output and on the disk. */
async function settle(): Promise<void> {
  const response = await gateway.post("/v1/chat/completions", chat);
  await response.text();
  await outputWith(response);
  await eventually(
    async () => filesWith(gateway.folder, response.headers.get("x-request-id") ?? "no id"),
    (files) => files.some((name) => /^(?:log\.db|usage_log)/.test(name)),
  );
}

/** Everywhere a text could have got to, by name. */
async function placesWith(text: string): Promise<string[]> {
  return [
    ...(gateway.output.includes(text) ? ["output"] : []),
    ...((await metrics()).includes(text) ? ["metrics"] : []),
    ...(JSON.stringify(vendor.requests).includes(text) ? ["vendor"] : []),
    ...(await filesWith(gateway.folder, text)),
  ];
}

describe("keys", () => {
  test("hazard A2 a key in the query gets nowhere, whether it is right, wrong or misplaced", async () => {
    vendor.script = answer;
    const { key } = await gateway.customer(1_000_000);
    const wrong = "sk-canary-that-nobody-has-0123456789";
    const bodies: string[] = [];
    for (const canary of [key, wrong]) {
      const paths = [
        `/v1beta/models?key=${canary}`,
        `/v1beta/models?pageSize=x&key=${canary}`,
        `/v1beta/models/none?key=${canary}`,
        `/v1beta/models?key=${canary}&key=other`,
        `/v1/models?key=${canary}`,
        `/v1beta/nothing?key=${canary}`,
        `/nothing?key=${canary}#key=${canary}`,
        `/api/user?key=${canary}`,
        `/api/log?model=x&key=${canary}`,
        `/v1//models?key=${canary}`,
        `/v1/models/${canary}`,
        `/${canary}`,
      ];
      for (const path of paths) {
        const response = await fetch(gateway.url + path, {
          headers: { referer: `${gateway.url}/?key=${canary}` },
        });
        bodies.push(JSON.stringify([...response.headers]) + (await response.text()));
      }
      const asked = await fetch(`${gateway.url}/v1/chat/completions?key=${canary}`, {
        method: "POST",
        headers: { authorization: `Bearer ${rootKey}`, referer: `http://x.test/?key=${canary}` },
        body: JSON.stringify(chat),
      });
      bodies.push(await asked.text());
      const raw = rawRequest(`GET http://u:${canary}@gateway.test/v1beta/models?key=${canary}`);
      const odd = await exchange(gateway.url, raw);
      bodies.push(odd.head + odd.body);
    }
    await settle();
    for (const canary of [key, wrong]) {
      expect(bodies.filter((body) => body.includes(canary))).toEqual([]);
      expect(await placesWith(canary)).toEqual([]);
    }
  });

  test("hazard A2 H3 the vendor's key is seen by the vendor alone", async () => {
    vendor.script = answer;
    await gateway.post("/v1/chat/completions", chat);
    await settle();
    expect(await placesWith(vendorKey)).toEqual(["vendor"]);
    const [first] = vendor.requests;
    expect(first?.headers["authorization"]).toBe(`Bearer ${vendorKey}`);
  });
});

describe("what a vendor says", () => {
  const leaks = (key: string) => [
    `Incorrect API key provided: ${key}.`,
    `Request to ${vendor.url}/v1/chat/completions?key=${key} failed`,
    `header Authorization: Bearer ${key} was refused`,
    `postgres://operator:hunter2@db.internal:5432/vendor is down`,
  ];
  const secrets = [vendorKey, plainKey, "hunter2"];

  test("hazard H3 the words of a refusal are shown without the key in them", async () => {
    for (const [model, key] of [
      ["chatA", vendorKey],
      ["chatB", plainKey],
    ] as const) {
      for (const message of leaks(key)) {
        vendor.script = (_request, reply) =>
          reply.json({ error: { message, type: "invalid_request_error", param: null } }, 400);
        const response = await gateway.post("/v1/chat/completions", { ...chat, model });
        expect(response.status).toBe(400);
        const text = await response.text();
        for (const secret of secrets) expect(text).not.toContain(secret);
      }
    }
  });

  test("hazard H3 no field of a refusal shows the key, whatever it is called", async () => {
    for (const [model, key] of [
      ["chatA", vendorKey],
      ["chatB", plainKey],
    ] as const) {
      for (const field of ["type", "code", "param"]) {
        const said = { message: "No.", type: "invalid_request_error", [field]: `${field} ${key}` };
        vendor.script = (_request, reply) => reply.json({ error: said }, 400);
        const response = await gateway.post("/v1/chat/completions", { ...chat, model });
        expect(response.status).toBe(400);
        const text = await response.text();
        expect(text).not.toContain(key);
        expect(text).toContain(`${field} [secret]`);
      }
    }
  });

  test("hazard H3 the words of a fault inside a stream are shown without the key in them", async () => {
    for (const [model, key] of [
      ["chatA", vendorKey],
      ["chatB", plainKey],
    ] as const) {
      for (const message of leaks(key)) {
        for (const begins of [true, false]) {
          vendor.script = (_request, reply) => {
            reply.stream();
            if (begins) reply.event(delta({ content: "hello" }));
            reply.event({ error: { message } });
            reply.end();
          };
          const body = { ...chat, model, stream: true };
          const text = await (await gateway.post("/v1/chat/completions", body)).text();
          expect(text).toContain('"error"');
          for (const secret of secrets) expect(text).not.toContain(secret);
        }
      }
    }
  });

  test("hazard H3 what a vendor says of its own failures and of its keys is not shown at all", async () => {
    using own = new Vendor(answer);
    const channel = own.channel({ name: "own", models: ["chatC"], key: plainKey });
    const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", channel);
    const word = "org-of-the-operator";
    for (const status of [500, 502, 404, 429, 402, 401, 403]) {
      const message = `${word} ${plainKey} at ${own.url}`;
      own.script = (_request, reply) => reply.json({ error: { message, code: word } }, status);
      const response = await gateway.post("/v1/chat/completions", { ...chat, model: "chatC" });
      const text = await response.text();
      for (const secret of [word, plainKey, own.url]) expect(text).not.toContain(secret);
      await outputWith(response);
      await gateway.control("PATCH", `/api/channel/${id}`, { key: plainKey });
    }
    await settle();
    expect(gateway.output).not.toContain(plainKey);
    expect(await filesWith(gateway.folder, plainKey)).toEqual([]);
    const log = JSON.stringify(await gateway.control("GET", "/api/log?page_size=100"));
    expect(log).not.toContain(plainKey);
  });

  test("hazard H3 a test of a channel tells its operator everything but the key", async () => {
    using own = new Vendor((_request, reply) =>
      reply.json({ error: { message: `bad key ${plainKey}, ask billing` } }, 401),
    );
    const channel = own.channel({ name: "probed", models: ["chatD"], key: plainKey });
    const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", channel);
    const told = JSON.stringify(await gateway.control("POST", `/api/channel/${id}/test`));
    expect(told).toContain("ask billing");
    expect(told).not.toContain(plainKey);
  });

  test("hazard H3 no value of a channel's headers is in anybody's words, wherever it is echoed", async () => {
    const value = "7c6b5a4938271605f4e3d2c1b0a9f8e7";
    const headers = { "x-workspace-token": `Token ${value}` };
    using own = new Vendor(answer);
    const names = { chat: "echo-chat", messages: "echo-messages" } as const;
    for (const [format, model] of Object.entries(names)) {
      const channel = own.channel({ name: model, models: [model], headers, key: plainKey });
      const made = { ...channel, ...(format === "messages" && { type: "anthropic" }) };
      await gateway.control("POST", "/api/channel", made);
      await gateway.control("POST", "/api/price", {
        model,
        input_micros_per_million: 1,
        output_micros_per_million: 1,
      });
    }
    const message = `x-workspace-token ${value} (Token ${value}) is not yours`;
    const told: string[] = [];
    const asked = { messages, max_tokens: 10 };
    for (const model of Object.values(names)) {
      for (const [path, body] of [
        ["/v1/chat/completions", { ...asked, model }],
        ["/v1/messages", { ...asked, model }],
        ["/v1/responses", { model, input: "hi" }],
        [`/v1beta/models/${model}:generateContent`, { contents: [{ parts: [{ text: "hi" }] }] }],
      ] as const) {
        for (const status of [400, 500]) {
          const error = { type: "invalid_request_error", message, param: value, code: value };
          own.script = (_request, reply) => reply.json({ type: "error", error }, status);
          const response = await gateway.post(path, body);
          told.push(await response.text());
          const id = response.headers.get("x-request-id") ?? "";
          told.push(JSON.stringify(await gateway.control("GET", `/api/log/${id}`)));
        }
      }
    }
    own.script = (_request, reply) => {
      reply.stream();
      reply.event(delta({ content: "hello" }));
      reply.event({ error: { message } });
      reply.end();
    };
    for (const path of ["/v1/chat/completions", "/v1/messages"]) {
      const body = { ...asked, model: names.chat, stream: true };
      told.push(await (await gateway.post(path, body)).text());
    }
    own.script = (_request, reply) => reply.json({ error: { message } }, 401);
    const { items } = await gateway.control<{ items: { id: string; name: string }[] }>(
      "GET",
      "/api/channel",
    );
    for (const { id, name } of items.filter((channel) => channel.name.startsWith("echo-"))) {
      const tested = JSON.stringify(await gateway.control("POST", `/api/channel/${id}/test`));
      expect([name, tested]).toEqual([name, expect.stringContaining("[secret]")]);
      told.push(tested);
    }
    told.push(JSON.stringify(await gateway.control("GET", "/api/channel")));
    await settle();
    told.push(gateway.output);
    expect(told.filter((text) => text.includes(value))).toEqual([]);
    expect(told.filter((text) => text.includes("[secret]")).length).toBeGreaterThan(8);
    expect(await filesWith(gateway.folder, value)).toEqual([]);
  });

  test("hazard H2 a vendor that cannot be reached is not named", async () => {
    const gone = new Vendor(answer);
    const { port } = new URL(gone.url);
    const base_url = `${gone.url}/secret-prefix`;
    const channel = gone.channel({ name: "gone", models: ["chatB-fast"], base_url, key: plainKey });
    await gateway.control("POST", "/api/channel", channel);
    gone[Symbol.dispose]();
    const response = await gateway.post("/v1/chat/completions", { ...chat, model: "chatB-fast" });
    const text = await response.text();
    expect(response.status).toBe(500);
    for (const word of [port, "secret-prefix", "127.0.0.1", "ECONN", plainKey, "at ", ".ts"]) {
      expect(text).not.toContain(word);
    }
    expect(await outputWith(response)).not.toContain(plainKey);
  });

  test("hazard H2 no error shows a stack, a query or a path of the machine", async () => {
    vendor.script = answer;
    const auth = { authorization: `Bearer ${rootKey}` };
    const answers = await Promise.all([
      gateway.post("/v1/chat/completions", "{"),
      gateway.post("/v1/chat/completions", { ...chat, model: "none" }),
      gateway.post("/v1/completions", { model: "chatA", prompt: [] }),
      gateway.get("/v1/models/none"),
      gateway.get("/v1beta/models?pageToken=x"),
      fetch(`${gateway.url}/api/user`, { method: "POST", headers: auth, body: "{" }),
      fetch(`${gateway.url}/nothing`),
      fetch(`${gateway.url}/%00`),
    ]);
    for (const response of answers) {
      const text = await response.text();
      expect(text).not.toMatch(
        /\bat \w+ \(|\.ts\b|node_modules|select |sqlite|\/(?:tmp|home|src)\//i,
      );
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(text.length).toBeLessThan(500);
    }
  });
});

describe("what is written down", () => {
  test("hazard H1 nothing that a client sends makes a line of its own in the log", async () => {
    const forged = '{"time":"x","level":"error","message":"forged by a client"}';
    const models = [
      `x\n${forged}\n`,
      `x\r\n${forged}\r\n`,
      `x\u2028${forged}\u2029`,
      "\u001b[31mred\u001b[0m\u0007\u0000\u0085\u009b31m",
      '"},"level":"error","x":{"y":"',
    ];
    let last = new Response();
    for (const model of models)
      last = await gateway.post("/v1/chat/completions", { ...chat, model });
    const read = await outputWith(last);
    // The last line may still be on its way.
    const output = read.slice(0, read.lastIndexOf("\n") + 1);
    const lines = output.split(/\r\n|[\n\r\u0085\u2028\u2029]/).filter((line) => line !== "");
    expect(lines.filter((line) => line.startsWith('{"time":"x"'))).toEqual([]);
    const logged = lines.filter((line) => line.startsWith("{"));
    expect(logged.length).toBeGreaterThan(models.length);
    for (const line of logged) {
      const entry = JSON.parse(line) as Record<string, unknown>;
      expect(entry["message"]).not.toContain("forged");
      expect(entry["x"]).toBeUndefined();
    }
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for.
    expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  test("hazard H4 no request makes a label of its own in the metrics", async () => {
    vendor.script = answer;
    const before = (await metrics()).split("\n").length;
    const canary = "canary-label";
    for (let at = 0; at < 100; at++) {
      const name = `${canary}-${at}`;
      await Promise.all([
        gateway.post("/v1/chat/completions", { ...chat, model: name, user: name }),
        gateway.get(`/v1/models/${name}`),
        gateway.get(`/${name}/x`),
        gateway.get("/v1/models", name),
        gateway.get(`/api/${name}`),
      ]);
    }
    const after = await metrics();
    expect(after).not.toContain(canary);
    expect(after.split("\n").length - before).toBeLessThan(100);
  });

  test("hazard H6 what is asked and answered is written nowhere", async () => {
    const [asked, answered] = ["canary of the prompt", "canary of the answer"];
    vendor.script = (request, reply) => {
      if (request.body["stream"] !== true) return reply.json(completion(answered));
      reply.stream();
      reply.event(delta({ content: answered }));
      reply.cut();
    };
    const { key } = await gateway.customer(1_000_000);
    for (const stream of [false, true]) {
      const body = { ...chat, messages: [{ role: "user", content: asked }], stream, user: asked };
      await (await gateway.post("/v1/chat/completions", body, key)).text();
    }
    await gateway.post("/v1/chat/completions", { ...chat, messages: asked }, key);
    await settle();
    for (const canary of [asked, answered]) {
      expect((await placesWith(canary)).filter((place) => place !== "vendor")).toEqual([]);
    }
  });
});

describe("the headers of a channel", () => {
  const canary = "header-canary-31415926";

  test("hazard G11 are seen by the vendor alone: no route, role, entry, file or backup has a value of one", async () => {
    await using own = await startGateway({ config, isOnFiles: true });
    const headers = { "x-vendor-secret": canary };
    const body = vendor.channel({ name: "with-headers", models: ["chatH"], headers });
    vendor.script = answer;
    const { id } = await own.control<{ id: string }>("POST", "/api/channel", body);
    await own.control("POST", "/api/price", { model: "chatH", call_micros: 1 });
    const ask = async (gateway: Gateway) => {
      const sent = vendor.requests.length;
      const response = await gateway.post("/v1/chat/completions", { ...chat, model: "chatH" });
      expect([response.status, (await response.text()).includes(canary)]).toEqual([200, false]);
      expect(vendor.requests[sent]?.headers["x-vendor-secret"]).toBe(canary);
    };
    await ask(own);
    const { token } = await own.control<{ token: string }>("POST", "/api/access-token", {
      name: "reader",
      read_only: true,
    });
    const paths = ["/api/channel", `/api/channel/${id}`, "/api/channel/yaml", "/api/audit"];
    for (const path of paths) {
      for (const bearer of [rootToken, token]) {
        const shown = await own.controlEnvelope("GET", path, undefined, bearer);
        const text = JSON.stringify(shown);
        expect([path, shown.success, text.includes(canary)]).toEqual([path, true, false]);
        expect([path, text.includes("x-vendor-secret")]).toEqual([path, true]);
      }
    }
    const converted = await own.control<{ headers: object }>("POST", "/api/convert", {
      format: "chat",
      body: { ...chat, model: "chatH" },
      channel: id,
    });
    expect(converted.headers).toMatchObject({ "x-vendor-secret": "********" });
    const changed = await own.control<object>("PATCH", `/api/channel/${id}`, {
      priority: 4,
      headers: { "x-vendor-secret": "********" },
    });
    expect(changed).toMatchObject({ headers: { "x-vendor-secret": "********" } });
    await ask(own);
    const backup = join(own.folder, "backup");
    expect(await runCommand({ folder: own.folder }, "backup", backup)).toMatchObject({ code: 0 });
    const listed = await runCommand({ folder: own.folder }, "channel", "list", "--json");
    expect([listed.code, listed.out.includes(canary)]).toEqual([0, false]);
    expect(await filesWith(own.folder, canary)).toEqual([]);
    expect(own.output).not.toContain(canary);
    // Write the headers as a version that did not seal them would have left them.
    expect(await own.stop()).toBe(0);
    await rowsOf(own, `update channel set headers = '${JSON.stringify(headers)}' returning id`);
    expect(await filesWith(own.folder, canary)).not.toEqual([]);
    await using next = await startGateway({ config, folder: own.folder, isOnFiles: true });
    await ask(next);
    const later = join(own.folder, "later");
    expect(await runCommand({ folder: own.folder }, "backup", later)).toMatchObject({ code: 0 });
    expect(await filesWith(later, canary)).toEqual([]);
    expect(await next.stop()).toBe(0);
    expect(await filesWith(own.folder, canary)).toEqual([]);
  }, 60_000);
});

describe("the files of the data folder", () => {
  const modesOf = (folder: string) =>
    readdirSync(folder)
      .filter((name) => statSync(join(folder, name)).isFile() && name !== "sluice.yaml")
      .map((name) => `${name} ${(statSync(join(folder, name)).mode & 0o777).toString(8)}`);
  const closed = (modes: readonly string[]) => modes.map((line) => line.replace(/\d+$/, "600"));

  test("are for their owner alone, also those of an older version", async () => {
    const folder = temporaryFolder();
    try {
      await using first = await startGateway({ folder, isOnFiles: true });
      const made = modesOf(folder);
      expect(made).toEqual(closed(made));
      expect(made.join()).toMatch(
        /sluice\.db-wal 600.*sluice\.db-shm|sluice\.db-shm.*sluice\.db-wal/,
      );
      expect(first.output).not.toContain("can be read by others");
      await first.stop();
      for (const name of readdirSync(folder)) {
        if (statSync(join(folder, name)).isFile()) chmodSync(join(folder, name), 0o644);
      }
      await using second = await startGateway({ folder, isOnFiles: true });
      const found = modesOf(folder);
      expect(found).toEqual(closed(found));
      await second.stop();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("what a client can make the gateway send", () => {
  test("hazard H7 none of a client's headers reaches the vendor", async () => {
    vendor.script = answer;
    const sent: Record<string, string> = {
      authorization: `Bearer ${rootKey}`,
      "x-api-key": "client-value",
      "x-goog-api-key": "client-value",
      "x-goog-user-project": "client-value",
      "openai-organization": "client-value",
      "openai-project": "client-value",
      "openai-beta": "client-value",
      "anthropic-beta": "client-value",
      "anthropic-version": "client-value",
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-host": "client-value",
      "x-real-ip": "203.0.113.9",
      forwarded: "for=203.0.113.9",
      via: "client-value",
      cookie: "session=client-value",
      referer: "http://client-value.test",
      origin: "http://client-value.test",
      "user-agent": "client-value",
      "accept-encoding": "gzip, br",
      accept: "client-value/x",
      "accept-language": "client-value",
      "x-request-id": "client-value",
      "idempotency-key": "client-value",
      traceparent: "client-value",
      "proxy-authorization": "client-value",
      "x-stainless-lang": "client-value",
      expect: "",
      te: "trailers",
      "x-anything": "client-value",
    };
    const request = rawRequest("POST /v1/chat/completions", sent, JSON.stringify(chat));
    expect((await exchange(gateway.url, request)).status).toBe(200);
    const { headers = {}, path } = vendor.requests.at(-1) ?? {};
    expect(Object.keys(headers).toSorted()).toEqual(
      [
        ["accept", "accept-encoding", "authorization", "content-length"],
        ["content-type", "host", "user-agent", "x-sluice-hops"],
      ]
        .flat()
        .toSorted(),
    );
    expect(headers).toMatchObject({
      authorization: `Bearer ${vendorKey}`,
      host: new URL(vendor.url).host,
      "user-agent": "sluice",
      "accept-encoding": "identity",
      accept: "*/*",
      "x-sluice-hops": "1",
    });
    expect(path).toBe("/v1/chat/completions");
  });

  test("hazard H7 a client cannot choose where a request goes", async () => {
    vendor.script = answer;
    using other = new Vendor(answer);
    const fields = {
      base_url: other.url,
      api_base: other.url,
      channel: "plain",
      api_key: "sk-mine",
    };
    const headers = { host: new URL(other.url).host, authorization: `Bearer ${rootKey}` };
    const body = JSON.stringify({ ...chat, ...fields });
    const request = rawRequest(`POST ${other.url}/v1/chat/completions`, headers, body);
    expect((await exchange(gateway.url, request)).status).toBe(200);
    expect(other.requests).toEqual([]);
    expect(vendor.requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${vendorKey}`);
  });
});

describe("a channel that leads back here", () => {
  beforeAll(async () => {
    const back = { base_url: gateway.url, key: rootKey, models: ["gpt-4o"], allow_private: true };
    await gateway.control("POST", "/api/channel", { name: "back", type: "gateway", ...back });
  });

  async function ask(hops?: string) {
    const { id, key } = await gateway.customer(rich);
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        ...(hops !== undefined && { "x-sluice-hops": hops }),
      },
      body: JSON.stringify({ ...chat, model: "gpt-4o" }),
    });
    const before = gateway.output.length;
    await outputWith(response);
    const turns = gateway.output.slice(0, before).split('"model":"gpt-4o"').length - 1;
    return { response, turns, balance: await settledBalance(gateway, id) };
  }

  const rich = 1_000_000_000;

  test("hazard E14 ends in an error after a few turns, and costs nothing", async () => {
    const { response, turns, balance } = await ask();
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("too many gateways");
    expect(turns).toBeLessThan(20);
    expect(balance).toMatchObject({ quota_micros: rich, used_micros: 0 });
  });

  test("hazard E14 ends as soon when the client says it has not begun", async () => {
    for (const hops of ["-1000", "-1e9", "0", "", " ", "-Infinity", "abc", "1e400", "6", "0x1"]) {
      const before = gateway.output.split('"model":"gpt-4o"').length;
      const { response } = await ask(hops);
      expect([hops, response.status]).toEqual([hops, 400]);
      const after = gateway.output.split('"model":"gpt-4o"').length;
      expect(after - before).toBeLessThan(10);
    }
  });
});
