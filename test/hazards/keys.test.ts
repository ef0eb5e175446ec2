// Attacks on API keys: who is let in, by which carrier, and what a refusal gives away.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expire } from "../harness/accounts/expiry.ts";
import { type Gateway, rootKey, rootToken, startGateway } from "../harness/gateway.ts";
import { rowsOf } from "../harness/rows.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import { isOnPostgres } from "../harness/postgres.ts";
import { assertUp, eventually, filesWith, visible } from "./observe.ts";
import { exchange, rawRequest } from "./raw-client.ts";

const vendorKey = "sk-vendor-canary-5e1f00d5";
const mapped = "secret-name-upstream";
const vendor = new Vendor((_request, reply) => reply.json(completion("hello")));
const chat = { model: "chatA-mini", messages: [{ role: "user", content: "hi" }] };
let gateway: Gateway;
let good: { id: string; key: string; keyId: string };

beforeAll(async () => {
  gateway = await startGateway({ config: "log: { requests: true, level: debug }" });
  await gateway.control(
    "POST",
    "/api/channel",
    vendor.channel({
      key: vendorKey,
      models: ["chatA", "chatA-mini"],
      model_mapping: { "chatA-mini": mapped },
    }),
  );
  good = await gateway.customer(1_000_000_000);
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

/** The ways in which a key can be carried, by the route that takes it. */
const carriers: Record<string, (key: string) => Promise<Response>> = {
  "chat with bearer": (key) => gateway.post("/v1/chat/completions", chat, key),
  "models with bearer": (key) => gateway.get("/v1/models", key),
  "models with x-api-key": (key) => call("/v1/models", { "x-api-key": key }),
  "v1beta with bearer": (key) => gateway.get("/v1beta/models", key),
  "v1beta with x-goog-api-key": (key) => call("/v1beta/models", { "x-goog-api-key": key }),
  "v1beta with x-vendorc-api-key": (key) => call("/v1beta/models", { "x-vendorC-api-key": key }),
  "v1beta with ?key=": (key) => call(`/v1beta/models?key=${encodeURIComponent(key)}`),
};

async function call(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(gateway.url + path, { headers });
}

/** The status of each carrier with this key. */
async function verdicts(key: string): Promise<number[]> {
  const tried = Object.values(carriers).map(async (carry) => (await carry(key)).status);
  return await Promise.all(tried);
}

const everyCarrier = (status: number) => Object.keys(carriers).map(() => status);

describe("how a key is looked up", () => {
  test("hazard A1 the row is found by the digest of the whole key and by nothing else", async () => {
    const select = `select * from api_key where id = '${good.keyId}'`;
    const [row] = await rowsOf<{ hash: string; shown: string }>(gateway, select);
    const digest = new Bun.CryptoHasher("sha256").update(good.key).digest("hex");
    expect(row?.hash).toBe(digest);
    expect(Object.values(row ?? {})).not.toContain(good.key);
    const near = [digest, row?.shown ?? "", good.key.slice(0, -1), `${good.key}x`, flipLast()];
    for (const key of near) expect(await verdicts(encodeURI(key))).toEqual(everyCarrier(401));
  });

  function flipLast(): string {
    return good.key.slice(0, -1) + (good.key.endsWith("A") ? "B" : "A");
  }

  test("hazard A3 a key that was revoked is refused from the next request on", async () => {
    const { key, keyId } = await gateway.customer(1_000_000_000);
    expect(await verdicts(key)).toEqual(everyCarrier(200));
    await gateway.control("DELETE", `/api/token/${keyId}`);
    expect(await verdicts(key)).toEqual(everyCarrier(401));
  });

  test("hazard A13 nothing in the data folder holds a key, a token or a vendor's key", async () => {
    const apart = ["sluice.yaml"];
    for (const secret of [good.key, rootKey, rootToken, vendorKey]) {
      for (const form of [secret, btoa(secret), Buffer.from(secret).toString("hex")]) {
        expect(await filesWith(gateway.folder, form.replace(/=+$/, ""), apart)).toEqual([]);
      }
    }
    expect(await filesWith(gateway.folder, good.keyId, apart)).not.toEqual([]);
  });
});

describe("which carrier counts", () => {
  test("hazard A4 two Authorization headers are refused, whichever of them is right", async () => {
    const wrong = "sk-wrong";
    for (const [first, second] of [
      [good.key, wrong],
      [wrong, good.key],
      [good.key, good.key],
    ]) {
      const twice = `authorization: Bearer ${first}\r\nauthorization: Bearer ${second}`;
      const head = `GET /v1/models HTTP/1.1\r\nhost: gateway.test\r\n`;
      const answers = [
        await exchange(gateway.url, `${head}${twice}\r\n\r\n`),
        await exchange(
          gateway.url,
          `${head}authorization: Bearer ${first}, Bearer ${second}\r\n\r\n`,
        ),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    }
  });

  test("hazard A5 two carriers with different keys are a 400, with the same key they are one", async () => {
    const other = await gateway.customer(1_000_000_000);
    const bearer = { authorization: `Bearer ${good.key}` };
    const conflicts = [
      call("/v1/models", { ...bearer, "x-api-key": other.key }),
      call("/v1/models", { ...bearer, "x-api-key": "sk-unknown" }),
      call("/v1beta/models", { ...bearer, "x-goog-api-key": other.key }),
      call(`/v1beta/models?key=${other.key}`, bearer),
      call(`/v1beta/models?key=${other.key}`, { "x-goog-api-key": good.key }),
      call(`/v1beta/models?key=${other.key}&key=${good.key}`),
      call("/v1beta/models", { "x-goog-api-key": good.key, "x-vendorC-api-key": other.key }),
    ];
    for (const response of await Promise.all(conflicts)) {
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("Two different API keys were sent.");
    }
    const agreeing = await call("/v1/models", { ...bearer, "x-api-key": good.key });
    expect(agreeing.status).toBe(200);
  });

  test("hazard A6 a restriction of a key holds for every carrier", async () => {
    const elsewhere = await gateway.customer(1_000_000_000, { allow_ips: ["10.0.0.0/8"] });
    const expired = await gateway.customer(1_000_000_000);
    await expire(gateway, "api_key", expired.keyId);
    expect(await verdicts(elsewhere.key)).toEqual(everyCarrier(401));
    expect(await verdicts(expired.key)).toEqual(everyCarrier(401));
    const narrow = await gateway.customer(1_000_000_000, { models: ["chatA-mini"] });
    for (const [name, carry] of Object.entries(carriers)) {
      if (name.startsWith("chat")) continue;
      const listed = await (await carry(narrow.key)).text();
      expect(listed).toContain("chatA-mini");
      expect(listed).not.toMatch(/chatA"/);
    }
  });

  test("hazard A7 an odd key is refused like any other", async () => {
    const { key } = good;
    const odd = [`${key} `, ` ${key}`, `${key}\r\n`, `${key}\u0000`, `${key}\t`, "", " "];
    const unicode = [key.replace(/\d/, "１"), `${key}\u200b`, `${key}\u00a0`, `${key}é`];
    const long = ["x".repeat(257), "x".repeat(10_000), key.repeat(8)];
    for (const text of [...odd, ...unicode, ...long]) {
      const response = await call(`/v1beta/models?key=${encodeURIComponent(text)}`);
      expect([text.slice(0, 60), response.status]).toEqual([text.slice(0, 60), 401]);
    }
  });

  test("hazard A7 an odd Authorization header never opens anything", async () => {
    const { key } = good;
    const headers = [`Bearer  ${key}`, `Bearer\t${key}`, `Bearer ${key}\0`, `Bearer ${key}\xa0`];
    const others = [`Bearer ${key},`, `Bearer ${"x".repeat(1 << 20)}`, "Bearer", `"Bearer ${key}"`];
    for (const authorization of [...headers, ...others]) {
      const request = rawRequest("GET /v1/models", { authorization });
      const { status } = await exchange(gateway.url, request);
      expect([400, 401, 431]).toContain(status);
    }
    expect((await gateway.get("/v1/models", key)).status).toBe(200);
  });

  test("hazard A8 only Bearer is a scheme, in any case", async () => {
    const send = async (authorization: string) =>
      (await call("/v1/models", { authorization })).status;
    for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR"]) {
      expect(await send(`${scheme} ${good.key}`)).toBe(200);
    }
    const { key } = good;
    const basic = [`${key}:`, `:${key}`, `user:${key}`].map((pair) => `Basic ${btoa(pair)}`);
    const others = [`Token ${key}`, `Basic ${key}`, `Bearer: ${key}`, `ApiKey ${key}`, key];
    for (const header of [...basic, ...others]) expect(await send(header)).toBe(401);
  });

  test("hazard A12 a key in the path, the query, a cookie or the body opens nothing", async () => {
    const { key } = good;
    const before = vendor.requests.length;
    const inBody = JSON.stringify({ ...chat, key, api_key: key, authorization: `Bearer ${key}` });
    const send = async (path: string, headers: Record<string, string> = {}) =>
      await fetch(gateway.url + path, { method: "POST", body: inBody, headers });
    const responses = await Promise.all([
      send("/v1/chat/completions"),
      send(`/v1/chat/completions?key=${key}&api_key=${key}&access_token=${key}`),
      send("/v1/chat/completions", { cookie: `key=${key}; session=${key}` }),
      send("/v1/chat/completions", { "x-api-key": key, "x-goog-api-key": key, "api-key": key }),
      send("/v1/chat/completions", { "proxy-authorization": `Bearer ${key}` }),
      call(`/v1/models?api_key=${key}`),
      call(`/v1beta/models?api_key=${key}`),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 401));
    const inPath = await Promise.all([
      send(`/v1/${key}/chat/completions`),
      send(`/${key}/v1/chat/completions`),
      send(`/v1/chat/completions/${key}`),
    ]);
    expect(inPath.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(vendor.requests.length).toBe(before);
  });

  test("hazard A12 a key opens no route of the control plane, and a token none of the keys", async () => {
    const envelope = await gateway.controlEnvelope("GET", "/api/user/self", undefined, rootKey);
    expect(envelope.success).toBe(false);
    expect(await verdicts(rootToken)).toEqual(everyCarrier(401));
  });
});

describe("what a refusal gives away", () => {
  test("hazard A10 A11 every kind of refused key gets the same answer", async () => {
    const disabled = await gateway.customer(1_000_000_000);
    await gateway.control("PATCH", `/api/token/${disabled.keyId}`, { status: "disabled" });
    const revoked = await gateway.customer(1_000_000_000);
    await gateway.control("DELETE", `/api/token/${revoked.keyId}`);
    const locked = await gateway.customer(1_000_000_000);
    expect((await gateway.get("/v1/models", locked.key)).status).toBe(200);
    await gateway.control("DELETE", `/api/user/${locked.id}`);
    const expired = await gateway.customer(1_000_000_000);
    await expire(gateway, "api_key", expired.keyId);
    const elsewhere = await gateway.customer(1_000_000_000, { allow_ips: ["192.0.2.0/24"] });
    const refused = [disabled, revoked, locked, expired, elsewhere].map(({ key }) => key);
    for (const path of ["/v1/models", "/v1beta/models"]) {
      const unknown = await visible(await gateway.get(path, "sk-nobody-has-this-key"));
      expect(unknown).toStartWith("401");
      for (const key of [...refused, "x".repeat(300), "sk-"]) {
        expect(await visible(await gateway.get(path, key))).toBe(unknown);
      }
      expect(await visible(await call(path))).toBe(unknown);
    }
  });

  test("hazard A10 a key whose group is gone is refused", async () => {
    await gateway.control("POST", "/api/group", { name: "ghosts" });
    const { key } = await gateway.customer(1_000_000_000, { group: "ghosts" });
    expect((await gateway.get("/v1/models", key)).status).toBe(200);
    expect((await gateway.controlEnvelope("DELETE", "/api/group/ghosts")).success).toBe(false);
    // No command takes a group away that is in use, so a hand in the database does.
    await rowsOf(gateway, "delete from account_group where name = 'ghosts'");
    await gateway.control("POST", "/api/group", { name: "makes groups be read anew" });
    expect(await verdicts(key)).toEqual(everyCarrier(401));
  });

  test("hazard A10 a key expires while it is in use", async () => {
    const seconds = isOnPostgres ? 4 : 3600;
    const expires_at = Math.ceil(Date.now() / 1000) + seconds;
    const { key } = await gateway.customer(1_000_000_000, { expires_at });
    expect((await gateway.get("/v1/models", key)).status).toBe(200);
    const ask = async () => (await gateway.get("/v1/models", key)).status;
    if (!isOnPostgres) gateway.pass(seconds + 1);
    await eventually(ask, (status) => status === 401);
  });

  test("hazard A10 a forwarded address does not stand in for the real one", async () => {
    const { key } = await gateway.customer(1_000_000_000, { allow_ips: ["10.1.2.3"] });
    const bearer = { authorization: `Bearer ${key}` };
    const names = ["x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip", "client-ip"];
    for (const name of names) {
      const value = name === "forwarded" ? "for=10.1.2.3" : "10.1.2.3";
      expect((await call("/v1/models", { ...bearer, [name]: value })).status).toBe(401);
    }
    const here = await gateway.customer(1_000_000_000, { allow_ips: ["127.0.0.0/8"] });
    expect((await gateway.get("/v1/models", here.key)).status).toBe(200);
  });

  test("hazard A10 the token of an account that was disabled opens nothing", async () => {
    const { id } = await gateway.customer(0);
    const made = await gateway.control<{ token: string }>("POST", `/api/user/${id}/token`);
    const self = () => gateway.controlEnvelope("GET", "/api/user/self", undefined, made.token);
    expect((await self()).success).toBe(true);
    await gateway.control("DELETE", `/api/user/${id}`);
    const refusedSelf = await self();
    expect(refusedSelf).toEqual(
      await gateway.controlEnvelope("GET", "/api/user/self", undefined, "sat-unknown"),
    );
  });
});

describe("which models a key reaches", () => {
  test("hazard A14 no spelling gets around a key's list of models", async () => {
    const narrow = await gateway.customer(1_000_000_000, { models: ["chatA-mini"] });
    const before = vendor.requests.length;
    const spellings = [
      ["chatA", "CHATA-MINI", "chata-mini", "chatA-mini.", " chatA-mini", "chatA-mini "],
      ["models/chatA-mini", "models/chatA", "chatA%2dmini", "chatA-mini\u0000", "chatA\u200b"],
      ["chatA-mini/../chatA", "openai/chatA", "chatA-mini,chatA", mapped, "*", "default"],
      ["__proto__", "constructor", "toString", "ｃhatA-mini"],
    ].flat();
    for (const model of spellings) {
      const response = await gateway.post("/v1/chat/completions", { ...chat, model }, narrow.key);
      const body = (await response.json()) as { error: { code: string } };
      expect([model, response.status, body.error.code]).toEqual([model, 503, "model_not_found"]);
    }
    expect(vendor.requests.length).toBe(before);
    expect((await gateway.post("/v1/chat/completions", chat, narrow.key)).status).toBe(200);
  });

  test("hazard A14 a model off the list is not there for the one who asks for it by name", async () => {
    const narrow = await gateway.customer(1_000_000_000, { models: ["chatA-mini"] });
    for (const base of ["/v1/models", "/v1beta/models"]) {
      const status = async (id: string) => (await gateway.get(`${base}/${id}`, narrow.key)).status;
      expect(await status("chatA-mini")).toBe(200);
      const others = ["chatA", "CHATA-MINI", "chatA-mini.", mapped, "models:chatA"];
      for (const id of [...others, "models%2FchatA"]) {
        expect([id, await status(id)]).toEqual([id, 404]);
      }
    }
  });

  test("hazard A14 a key's group decides, not what the request says of one", async () => {
    await gateway.control("POST", "/api/group", { name: "elsewhere" });
    const { key } = await gateway.customer(1_000_000_000, { group: "elsewhere" });
    const body = { ...chat, group: "default", user: "root", metadata: { group: "default" } };
    expect((await gateway.post("/v1/chat/completions", body, key)).status).toBe(503);
    expect(await (await gateway.get("/v1/models", key)).json()).toMatchObject({ data: [] });
  });
});
