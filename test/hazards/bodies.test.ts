// Attacks through a request's body and its framing: nesting, prototypes, types, lengths, smuggling.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { errorOf } from "../harness/ask.ts";
import { type Gateway, rootKey, rootToken, startGateway } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import { assertUp, balanceOf, logRows } from "./observe.ts";
import { exchange, RawClient, rawRequest } from "./raw-client.ts";

const bodyBytesMax = 1024 * 1024;
const vendor = new Vendor((_request, reply) => reply.json(completion("hello")));
const chat = { model: "chatA-mini", messages: [{ role: "user", content: "hi" }], max_tokens: 10 };
const text = JSON.stringify(chat);
const bearer = { authorization: `Bearer ${rootKey}` };
const typed = { ...bearer, "content-type": "application/json" };
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({ config: `server: { text_body_bytes_max: ${bodyBytesMax} }` });
  await gateway.control(
    "POST",
    "/api/channel",
    vendor.channel({ models: ["chatA", "chatA-mini"] }),
  );
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

async function send(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { ...typed, ...headers },
    body,
  });
}

/** The body with this text of JSON as one more field. */
const withField = (json: string) => `${text.slice(0, -1)},"note":${json}}`;
const nested = (depth: number, open = '{"a":', close = "}") =>
  withField(`${open.repeat(depth)}1${close.repeat(depth)}`);

describe("shapes of JSON", () => {
  test("hazard D1 nesting is refused past 64 levels, however deep it goes", async () => {
    expect((await send(nested(63))).status).toBe(200);
    const before = vendor.requests.length;
    for (const body of [
      nested(64),
      nested(50_000),
      `${"[".repeat(500_000)}`,
      nested(80_000, "[", "]"),
    ]) {
      const response = await send(body);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("nested more than 64 levels deep");
    }
    expect(vendor.requests.length).toBe(before);
  });

  test("hazard D1 brackets inside a text are no nesting", async () => {
    const content = `${"[{".repeat(5000)}\\"${'"'.repeat(3)}`;
    const response = await send(JSON.stringify({ ...chat, messages: [{ role: "user", content }] }));
    expect(response.status).toBe(200);
  });

  test("hazard D1 a vendor's answer that is nested too deep is not read", async () => {
    using deep = new Vendor((_request, reply) => {
      const body = `{"choices":[],"x":${"[".repeat(5000)}${"]".repeat(5000)}}`;
      const head = `content-type: application/json\r\ncontent-length: ${body.length}`;
      reply.raw(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`);
    });
    await gateway.control(
      "POST",
      "/api/channel",
      deep.channel({ models: ["chatA-mini"], groups: ["deep"] }),
    );
    await gateway.control("POST", "/api/group", { name: "deep" });
    const { key } = await gateway.customer(1_000_000, { group: "deep" });
    const response = await gateway.post("/v1/chat/completions", chat, key);
    expect(await response.json()).toMatchObject({ error: { code: "bad_response_body" } });
  });

  test("hazard D2 D3 D5 a body past its route's limit is a 413, declared or counted", async () => {
    const inside = withField(JSON.stringify("x".repeat(bodyBytesMax - text.length - 20)));
    expect([inside.length <= bodyBytesMax, (await send(inside)).status]).toEqual([true, 200]);
    const image = {
      type: "image_url",
      image_url: { url: `data:image/png;base64,${"A".repeat(bodyBytesMax)}` },
    };
    const bodies = [
      withField(`{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":${at}`).join()}}`),
      withField(`[${"1,".repeat(bodyBytesMax / 2)}1]`),
      JSON.stringify({ ...chat, messages: [{ role: "user", content: [image] }] }),
      "x".repeat(bodyBytesMax + 1),
    ];
    for (const body of bodies) {
      const response = await send(body);
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ error: { code: "request_body_too_large" } });
    }
  });

  test("hazard D2 a body past every limit is refused in the envelope too", async () => {
    const declared = { ...typed, "content-length": String(100 * 1024 * bodyBytesMax) };
    const answer = await exchange(gateway.url, rawRequest("POST /v1/chat/completions", declared));
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "request_body_too_large" } });
  });

  test("hazard D2 the control plane has a limit of its own", async () => {
    const reason = "x".repeat(2 * bodyBytesMax);
    const answer = await gateway.controlEnvelope("POST", "/api/price", { model: reason });
    expect(answer).toMatchObject({ success: false, code: "request_body_too_large" });
  });

  const poisons = ['"__proto__":', '"constructor":{"prototype":', '"prototype":'];

  test("hazard D4 a field that names a prototype changes no other field", async () => {
    for (const poison of poisons) {
      const close = poison.includes("{") ? "}}" : "}";
      const fields = '{"stream":true,"n":128,"model":"chatA","polluted":true}';
      const response = await send(`${text.slice(0, -1)},${poison}${fields}${close}`);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(vendor.requests.at(-1)?.body).toMatchObject(chat);
      const without = `{"messages":${JSON.stringify(chat.messages)},${poison}${fields}${close}`;
      const missing = await send(without);
      expect(await missing.json()).toMatchObject({ error: { param: "model" } });
    }
    const plain = await send(text);
    expect(plain.headers.get("content-type")).toBe("application/json");
    expect(vendor.requests.at(-1)?.text).not.toContain("polluted");
  });

  test("hazard D4 the control plane takes no field through a prototype", async () => {
    const { id, keyId } = await gateway.customer(100);
    const patch = async (path: string, body: string) => {
      const headers = { authorization: `Bearer ${rootToken}`, "content-type": "application/json" };
      const response = await fetch(gateway.url + path, { method: "PATCH", headers, body });
      return (await response.json()) as { success: boolean };
    };
    for (const poison of poisons) {
      const close = poison.includes("{") ? "}}" : "}";
      const body = `{${poison}{"role":"root","status":"disabled","quota_micros":5}${close}`;
      expect((await patch(`/api/user/${id}`, body)).success).toBe(false);
      await patch(`/api/token/${keyId}`, body);
    }
    expect(await balanceOf(gateway, id)).toMatchObject({ role: "user", status: "enabled" });
    expect(await gateway.control("GET", `/api/token/${keyId}`)).toMatchObject({
      status: "enabled",
      unlimited: true,
    });
  });

  test("hazard D7 a body that does not say it is JSON is a 415", async () => {
    const types = [
      ["text/plain", "application/json, text/plain", "application/json;charset=utf-7"],
      ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json"],
      ["application/json; charset=utf-16", "application/jsonx", "application/json/x", "json"],
      ["application/json; boundary=x", "image/png", "application/octet-stream", "*/*"],
    ].flat();
    for (const type of types) {
      const response = await send(text, { "content-type": type });
      expect([type, response.status]).toEqual([type, 415]);
      const control = await fetch(`${gateway.url}/api/group`, {
        method: "POST",
        headers: { authorization: `Bearer ${rootToken}`, "content-type": type },
        body: '{"name":"by-another-type"}',
      });
      expect(await control.json()).toMatchObject({
        success: false,
        code: "unsupported_media_type",
      });
    }
    const twice = `${rawRequest("POST /v1/chat/completions", typed).slice(0, -2)}content-type: text/plain\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
    expect((await exchange(gateway.url, twice)).status).toBe(415);
    for (const type of ["application/json", "Application/JSON; charset=UTF-8"]) {
      expect((await send(text, { "content-type": type })).status).toBe(200);
    }
  });

  test("hazard D8 a body that is packed in a way not known here is a 415", async () => {
    for (const encoding of ["br", "zstd", "gzip, identity", "gzip, gzip", "x"]) {
      const response = await send(Bun.gzipSync(text), { "content-encoding": encoding });
      expect([encoding, response.status]).toEqual([encoding, 415]);
    }
    expect((await send(text, { "content-encoding": "identity" })).status).toBe(200);
  });

  test("hazard D8 a body that is packed is unpacked, and only up to the limit", async () => {
    expect((await send(Bun.gzipSync(text), { "content-encoding": "gzip" })).status).toBe(200);
    expect(
      (await send(Buffer.from(deflateSync(text)), { "content-encoding": "deflate" })).status,
    ).toBe(200);
    expect((await send(text, { "content-encoding": "gzip" })).status).toBe(400);
    const before = vendor.requests.length;
    const bomb = { ...chat, messages: [{ role: "user", content: "x".repeat(100_000_000) }] };
    const packed = Bun.gzipSync(JSON.stringify(bomb));
    expect(packed.length).toBeLessThan(1_000_000);
    const response = await send(packed, { "content-encoding": "gzip" });
    expect(response.status).toBe(413);
    expect((await errorOf(response)).code).toBe("request_body_too_large");
    expect(vendor.requests).toHaveLength(before);
  });

  test("hazard D13 odd characters pass to the vendor and do not stop the log", async () => {
    const { key, keyId } = await gateway.customer(1_000_000);
    const content = "\u0000 \ud800 \udfff \ufffe \u2028 \u202e";
    const odd = { ...chat, messages: [{ role: "user", content }], user: "\u0000\ud800" };
    expect((await gateway.post("/v1/chat/completions", odd, key)).status).toBe(200);
    expect(vendor.requests.at(-1)?.body["messages"]).toEqual(odd.messages);
    const unknown = { ...chat, model: "x\u0000\ud800'\"; drop table usage_log; --" };
    expect((await gateway.post("/v1/chat/completions", unknown, key)).status).toBe(503);
    expect((await gateway.post("/v1/chat/completions", chat, key)).status).toBe(200);
    // Rows of one millisecond stand in any order.
    const statuses = (await logRows(gateway, keyId, 3)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 503]);
  });

  test("hazard D13 odd characters in what is stored are refused or kept, never cut", async () => {
    for (const name of ["a\u0000b", "a\nb", "\ud800", "a\u202eb", "a;b", "<b>"]) {
      const made = await gateway.controlEnvelope("POST", "/api/group", { name });
      expect([name, made.success]).toEqual([name, false]);
    }
    for (const name of ["a'b", "我的"]) {
      expect(await gateway.control("POST", "/api/group", { name })).toMatchObject({ name });
    }
    const { id } = await gateway.customer(0);
    const credit = { micros: 5, reason: "a\u0000b\ud800'; drop table entry; --" };
    expect(await gateway.control("POST", `/api/user/${id}/credit`, credit)).toMatchObject({
      quota_micros: 5,
    });
  });

  test.each([
    ["max_tokens", "5"],
    ["max_completion_tokens", "5"],
    ["n", "1"],
    ["stream", "true"],
    ["stream", 1],
    ["temperature", "0.5"],
    ["top_p", "1"],
    ["max_tokens", 1.5],
    ["max_tokens", -1],
    ["model", 5],
    ["model", null],
    ["model", ""],
    ["messages", "hi"],
    ["messages", []],
    ["messages", {}],
    ["tools", {}],
    ["logprobs", 1],
  ])("hazard D15 %s = %p is a 400 that names it", async (name, value) => {
    const before = vendor.requests.length;
    const response = await send(JSON.stringify({ ...chat, [name]: value }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: name } });
    expect(vendor.requests.length).toBe(before);
  });

  test("hazard D15 a body that is no object is a 400", async () => {
    const bodies = ["", "null", "[]", '"x"', "5", "{", "{}}", "{'a':1}", "\u00ff", "NaN", "{]"];
    for (const body of [
      ...bodies,
      new Uint8Array([0x7b, 0xff, 0x7d]),
      new Uint8Array([0xff, 0xfe]),
    ]) {
      const response = await send(body);
      expect([body, response.status]).toEqual([body, 400]);
    }
  });
});

describe("framing", () => {
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: gateway.test\r\n${Object.entries(typed)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}`;
  const hidden = "GET /healthz HTTP/1.1\r\nhost: gateway.test\r\n\r\n";
  const size = text.length.toString(16);
  const chunked = `${size}\r\n${text}\r\n0\r\n\r\n`;
  const length = `content-length: ${text.length}\r\n`;
  const inChunks = "transfer-encoding: chunked\r\n";

  test.each([
    ["both framings", `${head}content-length: ${chunked.length}\r\n${inChunks}\r\n${chunked}`],
    ["both framings the other way", `${head}${inChunks}content-length: 4\r\n\r\n${chunked}`],
    ["two lengths", `${head}${length}content-length: ${text.length + 5}\r\n\r\n${text}`],
    ["a list of lengths", `${head}content-length: ${text.length}, 5\r\n\r\n${text}`],
    ["a length with a sign", `${head}content-length: +${text.length}\r\n\r\n${text}`],
    ["a negative length", `${head}content-length: -1\r\n\r\n${text}`],
    ["a length in hex", `${head}content-length: 0x${size}\r\n\r\n${text}`],
    ["a length with a space", `${head}content-length: 1 2\r\n\r\n${text}`],
    ["a length past all numbers", `${head}content-length: 99999999999999999999\r\n\r\n${text}`],
    ["an unknown coding", `${head}transfer-encoding: xchunked\r\n\r\n${chunked}`],
    ["chunked that is not last", `${head}transfer-encoding: chunked, identity\r\n\r\n${chunked}`],
    ["two codings", `${head}transfer-encoding: identity, chunked\r\n\r\n${chunked}`],
    ["the coding twice", `${head}${inChunks}${inChunks}\r\n${chunked}`],
    ["a control sign in the coding", `${head}transfer-encoding: \x0bchunked\r\n\r\n${chunked}`],
    ["a space before the colon", `${head}transfer-encoding : chunked\r\n\r\n${chunked}`],
    ["a space before the length's colon", `${head}content-length : ${text.length}\r\n\r\n${text}`],
    ["a folded header", `${head}x-a: b\r\n c\r\n${length}\r\n${text}`],
    ["a folded coding", `${head}transfer-encoding:\r\n chunked\r\n\r\n${chunked}`],
    ["bare line feeds", `${head}${length}\r\n${text}`.replaceAll("\r\n", "\n")],
    ["one bare line feed", `${head}x-a: b\n${inChunks}\r\n${chunked}`],
    ["one bare carriage return", `${head}x-a: b\r${inChunks}\r\n${chunked}`],
    ["a null in a value", `${head}x-a: b\0c\r\n${length}\r\n${text}`],
    ["a null in a name", `${head}x\0a: c\r\n${length}\r\n${text}`],
    ["a header without a colon", `${head}xyz\r\n${length}\r\n${text}`],
    ["a header without a name", `${head}: x\r\n${length}\r\n${text}`],
    ["a chunk's size with a prefix", `${head}${inChunks}\r\n0x${size}\r\n${text}\r\n0\r\n\r\n`],
    ["a chunk's size below nothing", `${head}${inChunks}\r\n-1\r\n${text}\r\n0\r\n\r\n`],
    ["a chunk's size past all numbers", `${head}${inChunks}\r\nffffffffffffffff1\r\n${text}`],
    ["a chunk that is longer than its size", `${head}${inChunks}\r\n${size}\r\n${text}XX0\r\n\r\n`],
    ["chunks with bare line feeds", `${head}${inChunks}\r\n${size}\n${text}\n0\n\n`],
    ["chunks in HTTP/1.0", `${head.replace("1.1", "1.0")}${inChunks}\r\n${chunked}`],
    ["another version", `${head.replace("1.1", "9.9")}${length}\r\n${text}`],
  ])("hazard D9 a request with %s is refused and nothing hides behind it", async (_name, bytes) => {
    const before = vendor.requests.length;
    using client = await RawClient.open(gateway.url);
    client.send(bytes + hidden);
    const received = await client.untilClosed();
    expect(received).toMatch(/^HTTP\/1\.1 (?:4|505)/);
    expect(received.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    expect(vendor.requests.length).toBe(before);
  });

  test("hazard D9 requests one after the other stay apart", async () => {
    using client = await RawClient.open(gateway.url);
    client.send(`${head}${length}\r\n${text}`);
    await client.until(/"usage":/);
    client.send(`${head}${inChunks}\r\n${chunked}`);
    await client.until(/"usage":[^]*"usage":/);
    client.send(hidden);
    const received = await client.until(/"status":"up"/);
    expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  test("hazard D10 chunks past the limit are a 413", async () => {
    using client = await RawClient.open(gateway.url);
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    client.send(`${head}${inChunks}\r\n${chunk.repeat(bodyBytesMax / 0x10000)}1\r\nx\r\n`);
    const answer = await client.answer();
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "request_body_too_large" } });
  });

  test("hazard D14 the body of a GET is not looked at and not taken for a request", async () => {
    using client = await RawClient.open(gateway.url);
    client.send(rawRequest("GET /v1/models", bearer, hidden) + rawRequest("GET /healthz"));
    const received = await client.until(/"status":"up"/);
    expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(received.match(/"status":"up"/g)).toHaveLength(1);
  });

  test("hazard D14 methods that nobody asked for do nothing", async () => {
    const before = vendor.requests.length;
    for (const method of ["TRACE", "CONNECT", "PUT", "PROPFIND", "PATCH", "DELETE", "LOCK"]) {
      for (const path of ["/v1/chat/completions", "/v1/models", "/healthz"]) {
        const { status, body } = await exchange(
          gateway.url,
          rawRequest(`${method} ${path}`, bearer),
        );
        expect([method, path, status]).toEqual([method, path, 405]);
        expect(body).not.toContain(rootKey);
      }
    }
    const tunnel = await exchange(gateway.url, rawRequest("CONNECT vendor.test:443", bearer));
    expect(tunnel.status).toBe(400);
    const wrong = await exchange(gateway.url, rawRequest("GET /v1/chat/completions", bearer));
    expect(wrong.status).toBe(405);
    expect(vendor.requests.length).toBe(before);
  });
});
