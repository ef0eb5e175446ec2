// Images for which nobody waits: creates, queries, callbacks, and what a death leaves.
import { afterAll, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import type { JsonObject } from "../../../src/core/json.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { rootKey, rootToken } from "../../harness/gateway.ts";
import { decodePicture } from "../../harness/images/decode.ts";
import { bytesOf, sizeOf, type Item } from "../../harness/images/stand.ts";
import { becomes, startImageTasks } from "../../harness/images/tasks.ts";
import { png, pngUrl } from "../../harness/samples.ts";
import { create, form, idOf, query, type CreateOptions, type Reply } from "../../harness/videos.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const generations = "/v1/images/generations/async";
const edits = "/v1/images/edits/async";
const prompt = "A fox in the snow";
const model = "imageA-2";
const unknown = "task_01h00000000000000000000000";
const grantMicros = 10_000_000;

interface Call {
  path: string;
  headers: Headers;
  text: string;
}

const told: Call[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname: path } = new URL(request.url);
    told.push({ path, headers: request.headers, text: await request.text() });
    return new Response(null, { status: 204 });
  },
});
const receiverHost = `127.0.0.1:${receiver.port}`;

const stand = useStand(() => startImageTasks(`media: { private_hosts: [ "${receiverHost}" ] }`));

afterAll(async () => {
  await receiver.stop(true);
});

function ask(body: object | FormData, options: CreateOptions = {}): Promise<Reply> {
  return create(stand.gateway, body, { path: generations, ...options });
}

async function ended(id: string, key: string = rootKey): Promise<JsonObject> {
  const path = `${generations}/${id}`;
  return await becomes(stand.gateway, path, ({ status }) => isEnd(status), key);
}

function isEnd(status: unknown): boolean {
  return status === "completed" || status === "failed";
}

function itemsOf(body: JsonObject): Item[] {
  return (Array.isArray(body["data"]) ? body["data"] : []) as unknown as Item[];
}

/** Number of calls to the vendors with these words. */
function callsWith(words: string): number {
  return stand.vendors.calls.filter(({ text }) => text.includes(words)).length;
}

describe("a create", () => {
  test("I6 is answered at once with the queued task, under all its names", async () => {
    const goOn = stand.vendors.hold();
    const { status, body } = await ask({ model, prompt, size: "1024x1024" });
    const { id } = body;
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      task_id: id,
      taskId: id,
      object: "image.generation.task",
      model,
      status: "queued",
      progress: "0%",
      created_at: expect.any(Number),
      size: "1024x1024",
    });
    expect(String(id)).toMatch(/^task_[0-9a-z]{26}$/);
    const running = await query(stand.gateway, `${generations}/${id}`);
    expect(isEnd(running.body["status"])).toBe(false);
    expect(running.headers.get("openai-poll-after-ms")).toMatch(/^\d+$/);
    goOn();
    expect((await ended(String(id)))["status"]).toBe("completed");
  });

  test.each(["imageA-2.5-flare", "imageG-4-0-250828", "imageH-3-pro-image-preview"])(
    "I6 I7 of %s ends with pictures, their size and what the vendor counted",
    async (name) => {
      const id = idOf(await ask({ model: name, prompt, n: 2, size: "1024x1024" }));
      const body = await ended(id);
      const items = itemsOf(body);
      expect(body).toMatchObject({
        id,
        task_id: id,
        object: "image.generation.task",
        model: name,
        status: "completed",
        progress: "100%",
        size: "1024x1024",
      });
      expect(body).not.toHaveProperty("error");
      expect(items).toHaveLength(2);
      const pictures = await Promise.all(
        items.map(async (item) => decodePicture(await bytesOf(item))),
      );
      expect(pictures.map(sizeOf)).toEqual(["1024x1024", "1024x1024"]);
      const usage = body["usage"] as JsonObject;
      for (const name of ["input_tokens", "output_tokens", "total_tokens"]) {
        expect(Number.isInteger(usage[name])).toBe(true);
      }
      expect(usage["input_tokens_details"]).toMatchObject({ text_tokens: expect.any(Number) });
      expect(usage["output_tokens_details"]).toMatchObject({ image_tokens: expect.any(Number) });
    },
  );

  test("I6 N4 of an edit takes a form or JSON, and both are read by either way", async () => {
    const file = new File([Buffer.from(png, "base64")], "a.png", { type: "image/png" });
    const bodies = [
      form({ model, prompt, image: file }),
      { model, prompt, image: pngUrl },
      { prompt, image: [pngUrl, pngUrl] },
    ];
    for (const body of bodies) {
      const id = idOf(await ask(body, { path: edits }));
      const done = await becomes(stand.gateway, `${edits}/${id}`, ({ status }) => isEnd(status));
      expect(done).toMatchObject({ id, status: "completed", object: "image.generation.task" });
      decodePicture(await bytesOf(itemsOf(done)[0] ?? {}));
      expect((await query(stand.gateway, `${generations}/${id}`)).body["status"]).toBe("completed");
    }
    const fromForm = await ask(form({ model, prompt, n: "2" }));
    expect(itemsOf(await ended(idOf(fromForm)))).toHaveLength(2);
  });

  test("I6 with b64_json has its pictures in the task, byte for byte at each query", async () => {
    const asked = { model, prompt, n: 2, size: "2048x2048", response_format: "b64_json" };
    const id = idOf(await ask(asked));
    const first = itemsOf(await ended(id));
    expect(first.map((item) => Object.keys(item))).toEqual([["b64_json"], ["b64_json"]]);
    const sizes = await Promise.all(
      first.map(async (item) => sizeOf(decodePicture(await bytesOf(item)))),
    );
    expect(sizes).toEqual(["2048x2048", "2048x2048"]);
    expect(itemsOf((await query(stand.gateway, `${generations}/${id}`)).body)).toEqual(first);
  });

  test("I6 I2 Q5 what a family refuses is a 400 at once, and no task is left", async () => {
    const customer = await stand.gateway.customer(grantMicros);
    const bad: [object, number, string, string][] = [
      [{ model: "imageA-2.5-flare", prompt, size: "1000x1000" }, 400, "invalid_size", "size"],
      [{ model }, 400, "invalid_request", "prompt"],
      [{ prompt }, 400, "invalid_request", "model"],
      [{ model, prompt, stream: true }, 400, "invalid_request", "stream"],
      [{ model, prompt, n: 1000 }, 400, "invalid_request", "n"],
      [{ model: "imageZ", prompt }, 503, "model_not_found", "model"],
      [{ model, prompt, webhook_url: "http://10.0.0.1/" }, 400, "invalid_request", "webhook_url"],
    ];
    for (const [body, status, code, param] of bad) {
      const reply = await ask(body, { key: customer.key });
      expect([body, reply.status]).toEqual([body, status]);
      expect(reply.body).toMatchObject({ error: { code, param } });
    }
    const tasks = await stand.gateway.control<{ items: { account: string }[] }>(
      "GET",
      "/api/task?page_size=100",
    );
    const { username } = await stand.gateway.control<{ username: string }>(
      "GET",
      `/api/user/${customer.id}`,
    );
    expect(tasks.items.filter(({ account }) => account === username)).toEqual([]);
  });

  test("I6 goes on without the client that sent it", async () => {
    const leave = new AbortController();
    const words = "a client that leaves";
    const body = JSON.stringify({ model, prompt: `${words} sandbox:delay=300ms` });
    const headers = {
      authorization: `Bearer ${rootKey}`,
      "content-type": "application/json",
      "idempotency-key": words,
    };
    const sent = { method: "POST", headers, body, signal: leave.signal };
    const gone = fetch(stand.gateway.url + generations, sent).catch(() => null);
    await eventually("the vendor's call", async () => (callsWith(words) > 0 ? true : undefined));
    leave.abort();
    await gone;
    const again = await fetch(stand.gateway.url + generations, { method: "POST", headers, body });
    const { id } = (await again.json()) as { id: string };
    expect((await ended(id))["status"]).toBe("completed");
    expect(callsWith(words)).toBe(1);
  });
});

describe("a query", () => {
  test("I6 A9 finds the account's own tasks, and every other is a 404 that names taskId", async () => {
    const id = idOf(await ask({ model, prompt }));
    await ended(id);
    const other = await stand.gateway.customer(grantMicros);
    const video = await ask(
      { prompt: "a fox sandbox:seconds=0" },
      { path: "/imgF/submit/imagine" },
    );
    const error = { type: "invalid_request_error", code: "task_not_found", param: "taskId" };
    for (const path of [generations, edits]) {
      for (const [name, key] of [
        [unknown, rootKey],
        ["nope", rootKey],
        [String(video.body["result"]), rootKey],
        [id, other.key],
      ] as const) {
        const reply = await query(stand.gateway, `${path}/${name}`, { key });
        expect([path, name, reply.status]).toEqual([path, name, 404]);
        expect(reply.body).toMatchObject({ error });
      }
      expect((await fetch(`${stand.gateway.url}${path}/${id}`)).status).toBe(401);
    }
    expect((await query(stand.gateway, `/v1/videos/${id}`)).status).toBe(404);
  });

  test("I6 Q2 costs nothing, asks nobody, and its links live", async () => {
    const customer = await stand.gateway.customer(grantMicros);
    const words = "asked about often";
    const id = idOf(await ask({ model, prompt: words }, { key: customer.key }));
    const first = await ended(id, customer.key);
    const { used_micros } = await balanceOf(stand.gateway, customer.id);
    expect(used_micros).toBeGreaterThan(0);
    for (let count = 0; count < 10; count++) {
      const { body } = await query(stand.gateway, `${generations}/${id}`, { key: customer.key });
      expect(body).toMatchObject({ id, status: "completed" });
      const url = new URL(String(itemsOf(body)[0]?.url));
      expect(Number(url.searchParams.get("expires"))).toBeGreaterThan(Date.now() / 1000 + 3600);
    }
    const picture = await fetch(String(itemsOf(first)[0]?.url));
    expect(picture.headers.get("content-type")).toBe("image/png");
    expect(picture.headers.get("x-content-type-options")).toBe("nosniff");
    const after = await balanceOf(stand.gateway, customer.id);
    expect([after.used_micros, after.held_micros]).toEqual([used_micros, 0]);
    expect(callsWith(words)).toBe(1);
  });

  test("I6 Q2 of what failed is a 200 that says why, and it is paid back", async () => {
    const customer = await stand.gateway.customer(grantMicros);
    const failing = [
      ["sandbox:filter", /./],
      ["sandbox:status=400", /./],
      ["sandbox:cut", /^task_failed$/],
      ["sandbox:garbage", /^task_failed$/],
    ] as const;
    for (const [directive, code] of failing) {
      const words = `failing ${directive}`;
      const id = idOf(await ask({ model, prompt: words }, { key: customer.key }));
      const body = await ended(id, customer.key);
      expect([directive, body["status"], body["progress"]]).toEqual([directive, "failed", "0%"]);
      expect(body["error"]).toEqual({
        message: expect.any(String),
        code: expect.stringMatching(code),
      });
      expect(body).not.toHaveProperty("data");
      // The vendor is not asked a second time by itself, whatever it did.
      expect([directive, callsWith(words)]).toEqual([directive, 1]);
    }
    const { quota_micros, held_micros } = await balanceOf(stand.gateway, customer.id);
    expect([quota_micros, held_micros]).toEqual([grantMicros, 0]);
  });
});

describe("money", () => {
  test("I6 Q1 too little is a 402, and nobody is asked", async () => {
    const poor = await stand.gateway.customer(10);
    const reply = await ask({ model, prompt: "for the poor" }, { key: poor.key });
    expect(reply.status).toBe(402);
    expect(reply.body).toMatchObject({ error: { code: "insufficient_user_quota" } });
    expect(callsWith("for the poor")).toBe(0);
  });

  test("I6 Q2 is held while it runs, and then what came is charged, as a synchronous call is", async () => {
    const [one, other] = [
      await stand.gateway.customer(grantMicros),
      await stand.gateway.customer(grantMicros),
    ];
    const asked = { model, prompt, n: 2, quality: "low" };
    const goOn = stand.vendors.hold();
    const id = idOf(await ask(asked, { key: one.key }));
    expect((await balanceOf(stand.gateway, one.id)).held_micros).toBeGreaterThan(0);
    goOn();
    await ended(id, one.key);
    const whole = await create(stand.gateway, asked, {
      key: other.key,
      path: "/v1/images/generations",
    });
    expect(whole.status).toBe(200);
    const { used_micros, held_micros } = await balanceOf(stand.gateway, one.id);
    expect(used_micros).toBeGreaterThan(0);
    const theirs = await balanceOf(stand.gateway, other.id);
    expect([used_micros, held_micros]).toEqual([theirs.used_micros, theirs.held_micros]);
  });
});

describe("a create that is sent again", () => {
  async function send(key: string, body: object, path = generations) {
    const response = await fetch(stand.gateway.url + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${rootKey}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify(body),
    });
    const isReplay = response.headers.get("idempotent-replayed") === "true";
    return { status: response.status, isReplay, body: (await response.json()) as JsonObject };
  }

  test("N14 under the same key makes one task, however many come at once", async () => {
    const body = { model, prompt: "one of many sandbox:delay=100ms" };
    const all = await Promise.all(Array.from({ length: 8 }, () => send("many", body)));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(new Set(all.map((one) => one.body["id"])).size).toBe(1);
    expect(all.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    await ended(String(all[0]?.body["id"]));
    const late = await send("many", body);
    expect([late.isReplay, late.body["status"]]).toEqual([true, "completed"]);
    expect(callsWith("one of many")).toBe(1);
  });

  test("N14 with another body, or by another way, is a 409", async () => {
    const body = { model, prompt, image: pngUrl };
    expect((await send("two", body)).status).toBe(200);
    for (const [path, other] of [
      [generations, { ...body, n: 2 }],
      [edits, body],
      ["/v1/videos", { model: "videoB-2", prompt }],
    ] as const) {
      expect([path, (await send("two", other, path)).status]).toEqual([path, 409]);
    }
  });
});

describe("a callback", () => {
  test.each([
    ["completed", prompt],
    ["failed", `${prompt} sandbox:filter`],
  ])("N15 is told that the task is %s, signed, and no vendor hears of it", async (end, words) => {
    const url = `http://${receiverHost}/${end}`;
    const id = idOf(await ask({ model, prompt: words, webhook_url: url }));
    const call = await eventually(`a call to ${end}`, async () =>
      told.find(({ path }) => path === `/${end}`),
    );
    const { data } = await stand.gateway.controlEnvelope(
      "GET",
      "/api/webhook-secret",
      undefined,
      rootToken,
    );
    const { webhooks } = new OpenAI({ apiKey: "none" });
    const secret = (data as { secret: string }).secret;
    const event: unknown = await webhooks.unwrap(call.text, call.headers, secret);
    const shown = await query(stand.gateway, `${generations}/${id}`);
    expect(event).toMatchObject({ type: `image.${end}`, data: { id, status: end } });
    expect(Object.keys((event as { data: JsonObject }).data)).toEqual(Object.keys(shown.body));
    expect(stand.vendors.calls.filter(({ text }) => text.includes(receiverHost))).toEqual([]);
  });
});
