// Image requests that go wrong: on to the next channel before anything was shown, an error that
// says whose fault it is, nothing charged, nothing left on the disk.
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { balanceOf, eventually, heldOf, logRow, newestRow } from "../../harness/books.ts";
import { runCommand } from "../../harness/command.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import {
  ImageHost,
  madeOf,
  picture,
  refusal,
  type HostCall,
  type HostScript,
} from "../../harness/images/host.ts";
import { ask, bytesOf, spoolIsEmpty, verdict } from "../../harness/images/stand.ts";

setDefaultTimeout(60_000);

const prompt = "A fox in the snow";
const grantMicros = 10_000_000;
const priceMicros = 42_000;
/** A header's value, which may be a credential. */
const workspace = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
const first = new ImageHost();
const second = new ImageHost();
const files = new ImageHost(() => new Response(Buffer.from(picture("kept"), "base64")));
let gateway: Gateway;

/** One channel after the other, the first as it is scripted. */
const both = { model: "imageA-2", prompt };
/** The first channel alone. */
const alone = { model: "imageA-2-pro", prompt };

beforeAll(async () => {
  gateway = await startGateway({
    config: `
images: { call_ms: 3000, reply_bytes_max: 2000000 }
text: { read_on_ms: 300 }
distribution: { failures_to_eject: 1000, retry_budget_percent: 100 }
media: { private_hosts: ["${new URL(files.url).host}"] }
prices: [{ model: imageA-2-pro, image_micros: ${priceMicros} }]`,
  });
  const keys = ["sk-host-first-0001", "sk-host-first-0002", "sk-host-first-0003"];
  const models = ["imageA-2", "imageA-2-pro"];
  const headers = { "x-workspace": workspace };
  const { key: _key, ...channel } = first.channel({ models, keys, headers });
  await gateway.control("POST", "/api/channel", { ...channel, priority: 9 });
  await gateway.control("POST", "/api/channel", second.channel());
  const gateways = { type: "gateway", models: ["imageH-3-pro-image-preview"], name: "reseller" };
  await gateway.control("POST", "/api/channel", first.channel(gateways));
});

afterEach(async () => {
  await spoolIsEmpty(gateway);
  for (const host of [first, second]) {
    host.script = () => madeOf([picture()]);
    host.calls.length = 0;
  }
});

afterAll(async () => {
  const verified = await runCommand({ folder: gateway.folder }, "ledger", "verify");
  await gateway[Symbol.asyncDispose]();
  for (const host of [first, second, files]) await host[Symbol.asyncDispose]();
  expect(verified.code).toBe(0);
});

async function expectUnspent(id: string): Promise<void> {
  const balance = await balanceOf(gateway, id);
  expect(balance).toMatchObject({ quota_micros: grantMicros, held_micros: 0, used_micros: 0 });
}

function never(): Promise<Response> {
  return new Promise(() => {});
}

const faults: Record<string, HostScript> = {
  "too busy": () => refusal(429, { code: "rate_limit_exceeded" }),
  "an error of its own": () => refusal(500, { type: "server_error" }),
  "a proxy's page": () => new Response("<html>Bad gateway</html>", { status: 502 }),
  "a gateway's timeout": () => new Response("", { status: 504 }),
  "no JSON": () => new Response("<html>", { headers: { "content-type": "application/json" } }),
  "half of it": () => new Response(`{"data":[{"b64_json":"${picture().slice(0, 50)}`),
  "no images": () => madeOf([]),
  "no picture": () => madeOf([Buffer.from("not a picture at all").toString("base64")]),
  "no base64": () => madeOf(["<svg onload=alert(1)>"]),
  "too much": () => madeOf(["A".repeat(3_000_000)]),
  "nothing in time": never,
  "a link that is dead": () => Response.json({ data: [{ url: `${files.url}:1/x.png` }] }),
};

describe("a channel that fails", () => {
  test.each(Object.keys(faults))("Q7 is left for the next one: %s", async (fault) => {
    first.script = faults[fault] ?? never;
    const { id, key } = await gateway.customer(grantMicros);
    const answer = await ask(gateway, both, { key });
    expect([answer.status, answer.items.length]).toEqual([200, 1]);
    expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
    expect(await balanceOf(gateway, id)).toMatchObject({ held_micros: 0, used_micros: 42_000 });
  });

  test.each(Object.keys(faults))(
    "Q4 Q2 is an error of ours, and free, when there is no other: %s",
    async (fault) => {
      first.script = faults[fault] ?? never;
      const { id, key } = await gateway.customer(grantMicros);
      const answer = await ask(gateway, alone, { key });
      const codes = ["do_request_failed", "bad_response", "bad_response_body", "too_many_requests"];
      const { error } = answer.body as { error: JsonObject };
      expect(codes).toContain(String(error["code"]));
      expect(answer.status).toBe(error["code"] === "too_many_requests" ? 429 : 500);
      expect(JSON.stringify(answer.body)).not.toContain("svg");
      await expectUnspent(id);
    },
  );

  // The specification has `bad_response_body` for an answer that cannot be read.
  test.each([
    ["no JSON", () => new Response("<html>200</html>")],
    ["half of it", () => new Response('{"data":[{"b64')],
    ["a list", () => Response.json([1])],
    ["no picture", () => madeOf(["<svg onload=alert(1)>"])],
  ])(
    "Q4 an answer that cannot be read is a bad_response_body, as it is of text: %s",
    async (_, script) => {
      first.script = script;
      const answer = await ask(gateway, alone);
      expect(answer.status).toBe(500);
      expect(answer.body).toMatchObject({ error: { code: "bad_response_body" } });
    },
  );

  // The specification: "Request body too large" is a 413 with `request_body_too_large`.
  test.each([null, "payload_too_large", "request_too_large"])(
    "Q4 a 413 of the upstream with the code %p has the gateway's code",
    async (code) => {
      first.script = () => refusal(413, { code, message: "Too large." });
      const answer = await ask(gateway, alone);
      expect(answer.status).toBe(413);
      expect(answer.body).toMatchObject({ error: { code: "request_body_too_large" } });
    },
  );

  test("Q7 a key that is refused is left for its siblings", async () => {
    first.script = () =>
      first.calls.length > 1
        ? madeOf([picture()])
        : refusal(401, { code: "invalid_api_key", message: "Wrong key." });
    const answer = await ask(gateway, alone);
    expect(answer.status).toBe(200);
    const used = first.calls.map(({ headers }) => headers.get("authorization"));
    expect(new Set(used).size).toBe(2);
  });

  test("Q4 a vendor's refusal of the request itself is the client's to read, and asks no other", async () => {
    first.script = () =>
      refusal(400, {
        code: "moderation_blocked",
        type: "image_generation_user_error",
        message: "Blocked: sk-host-first-0003.",
      });
    const { id, key } = await gateway.customer(grantMicros);
    const answer = await ask(gateway, both, { key });
    expect([answer.status, second.calls.length]).toEqual([400, 0]);
    expect(answer.body).toMatchObject({ error: { message: "Blocked: [secret]." } });
    await expectUnspent(id);
  });

  test("Q1 too little money is told before anything is sent", async () => {
    const poor = await gateway.customer(priceMicros * 2 - 1);
    expect(await verdict(gateway, { ...alone, n: 2 }, poor)).toBe("402 insufficient_user_quota n");
    expect(await verdict(gateway, alone, poor)).toBe("200");
    const limited = await gateway.customer(grantMicros, { quota_micros: priceMicros - 1 });
    expect(await verdict(gateway, alone, limited)).toBe("402 insufficient_quota null");
    expect(first.calls.length).toBe(1);
    await expectUnspent(limited.id);
  });

  test("a field that no channel can carry is named, and nothing is held", async () => {
    const { id, key } = await gateway.customer(grantMicros);
    const said = await verdict(gateway, { ...alone, seed: 7 }, { key });
    expect(said).toBe("400 invalid_request seed");
    await expectUnspent(id);
    expect(first.calls.length).toBe(0);
  });
});

test.each([
  ["key", "sk-host-first-0001"],
  ["header", workspace],
])("the vendor's %s is concealed in every field of an image's error", async (_what, secret) => {
  const error = { code: `no_${secret}`, type: `t_${secret}`, param: secret, message: secret };
  first.script = () => refusal(400, error);
  const { status, body } = await ask(gateway, alone);
  expect([status, JSON.stringify(body)]).toEqual([400, expect.not.stringContaining(secret)]);
  first.script = () =>
    Response.json({ data: [{ b64_json: picture() }, { error: { ...error, message: "No." } }] });
  const partly = await ask(gateway, { ...alone, n: 2 });
  expect([partly.status, partly.items.length]).toEqual([200, 1]);
  expect(JSON.stringify(partly.body["errors"])).toContain("[secret]");
  expect(JSON.stringify(partly.body)).not.toContain(secret);
});

describe("a client that leaves", () => {
  test("invariant I20 before anything came has its upstream ended soon, and pays nothing", async () => {
    const asked = Promise.withResolvers<HostCall>();
    first.script = (call) => {
      asked.resolve(call);
      return never();
    };
    const { id, key, keyId } = await gateway.customer(grantMicros);
    const abort = new AbortController();
    const leaving = fetch(`${gateway.url}/v1/images/generations`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(both),
      signal: abort.signal,
    }).catch(() => null);
    const { left } = await asked.promise;
    expect(await heldOf(gateway, id)).toBe(42_000);
    abort.abort();
    await left;
    await leaving;
    const row = await newestRow(gateway, keyId);
    expect(row).toMatchObject({ outcome: "client_abort", micros: 0, model: "imageA-2" });
    await expectUnspent(id);
    expect(second.calls.length).toBe(0);
  });

  test("in the midst of the answer leaves nothing on the disk, and has paid for it", async () => {
    const large = `${picture()}${"A".repeat(1_500_000)}`;
    first.script = () => madeOf([large]);
    const { id, key } = await gateway.customer(grantMicros);
    const abort = new AbortController();
    const response = await fetch(`${gateway.url}/v1/images/generations`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...alone, response_format: "b64_json" }),
      signal: abort.signal,
    });
    await response.body?.getReader().read();
    abort.abort();
    await spoolIsEmpty(gateway);
    expect(await balanceOf(gateway, id)).toMatchObject({
      held_micros: 0,
      used_micros: priceMicros,
    });
  });
});

describe("what vendors send", () => {
  test("I4 base64 reaches the client as it is, whatever stood around it", async () => {
    const plain = picture("plain", 300);
    const large = `${plain.slice(0, -4)}${"AAAA".repeat(40_000)}`;
    const forms = [
      JSON.stringify(plain),
      JSON.stringify(large),
      JSON.stringify(large).replaceAll("/", "\\/"),
      JSON.stringify(`data:image/png;base64,${large}`),
      JSON.stringify(`data:image/png;base64,${plain}`),
      JSON.stringify(large.replace(/(.{76})/g, "$1\r\n")),
    ];
    for (const [index, form] of forms.entries()) {
      first.script = () => new Response(`{"data":[{"b64_json":${form}}]}`);
      const expected = index === 0 || index === 4 ? plain : large;
      const answer = await ask(gateway, { ...alone, response_format: "b64_json" });
      expect([index, answer.items[0]?.b64_json === expected]).toEqual([index, true]);
      const linked = await ask(gateway, alone);
      const bytes = Buffer.from(await bytesOf(linked.items[0] ?? {}));
      expect([index, bytes.equals(Buffer.from(expected, "base64"))]).toEqual([index, true]);
    }
  });

  test("I4 a link of the vendor becomes one of ours, or base64", async () => {
    first.script = () => Response.json({ data: [{ url: `${files.url}/x.png` }], created: 1 });
    const model = "imageH-3-pro-image-preview";
    const linked = await ask(gateway, { model, prompt });
    expect(linked.items[0]?.url).toStartWith(`${gateway.url}/media/`);
    const asText = await ask(gateway, { model, prompt, response_format: "b64_json" });
    expect(asText.items[0]?.b64_json).toBe(picture("kept"));
    expect(Buffer.from(await bytesOf(linked.items[0] ?? {})).toString("base64")).toBe(
      picture("kept"),
    );
  });

  test("hazard E12 a link of the vendor to a private network is not followed for a public channel", async () => {
    const before = files.calls.length;
    first.script = () => Response.json({ data: [{ url: "http://169.254.169.254/latest" }] });
    const answer = await ask(gateway, alone);
    expect(answer.body).toMatchObject({ error: { code: "bad_response_body" } });
    expect(files.calls.length).toBe(before);
  });

  test("N21 a reference that the vendor wants as bytes and that cannot be fetched is named", async () => {
    const { id, key } = await gateway.customer(grantMicros);
    const gone = { ...alone, image: ["https://images.invalid/fox.png"] };
    expect(await verdict(gateway, gone, { key })).toBe("400 invalid_request image.0");
    await expectUnspent(id);
    expect(first.calls.length).toBe(0);
  });

  test("I4 a prompt that was rewritten, and what the vendor says of the picture, are told", async () => {
    first.script = () =>
      Response.json({
        data: [{ b64_json: picture("a", 32), revised_prompt: "A red fox" }],
        background: "opaque",
        quality: "high",
        size: "1024x1024",
      });
    const answer = await ask(gateway, alone);
    expect(answer.items[0]?.revised_prompt).toBe("A red fox");
    expect(answer.body).toMatchObject({ background: "opaque", quality: "high", size: "32x32" });
  });

  test("Q2 the usage log counts the images", async () => {
    first.script = () => madeOf([picture("a"), picture("b")]);
    const response = await gateway.post("/v1/images/generations", { ...alone, n: 2 });
    expect(response.status).toBe(200);
    await response.text();
    const row = await logRow(gateway, response);
    expect(row).toMatchObject({
      model: "imageA-2-pro",
      outcome: "ok",
      micros: 84_000,
      attempts: 1,
    });
    expect(row).toMatchObject({ images: 2 });
    expect(await eventually("the call", async () => first.calls.at(-1)?.body?.["n"])).toBe(2);
  });
});
