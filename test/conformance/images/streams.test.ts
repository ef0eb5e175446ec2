// Pictures as server-sent events: the vendor's own passed on as they come, or made of its answer.
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
import { readEvents } from "../../../src/core/sse.ts";
import { balanceOf, eventually, newestRow } from "../../harness/books.ts";
import { runCommand } from "../../harness/command.ts";
import { entryOf } from "../../harness/entries.ts";
import { StreamReader } from "../../harness/event-stream.ts";
import { rootKey, startGateway, type Gateway } from "../../harness/gateway.ts";
import { decodeBase64Picture } from "../../harness/images/decode.ts";
import {
  eventOf,
  hugePicture,
  ImageHost,
  madeOf,
  picture,
  refusal,
  streamOf,
  usage,
  type HostCall,
} from "../../harness/images/host.ts";
import { spoolIsEmpty } from "../../harness/images/stand.ts";

setDefaultTimeout(60_000);

const prompt = "A fox in the snow";
const grantMicros = 10_000_000;
const eachMicros = 1000;
const first = new ImageHost();
const second = new ImageHost();
let gateway: Gateway;

const both = { model: "imageA-2", prompt, stream: true };
const alone = { model: "imageA-2-pro", prompt, stream: true };

beforeAll(async () => {
  gateway = await startGateway({
    config: `
images: { call_ms: 4000 }
timeouts: { keep_alive_ms: 100 }
distribution: { failures_to_eject: 1000, retry_budget_percent: 100 }
prices:
  - { model: imageA-2, image_micros: ${eachMicros} }
  - { model: imageA-2-pro, image_micros: ${eachMicros} }
  - { model: imageG-4-0-250828, image_micros: ${eachMicros} }`,
  });
  const models = ["imageA-2", "imageA-2-pro"];
  // One that is sent away as too busy rests, and the others do not.
  const keys = Array.from({ length: 20 }, (_, index) => `sk-host-secret-${index}`);
  const { key: _key, ...channel } = first.channel({ models, keys, priority: 9 });
  await gateway.control("POST", "/api/channel", channel);
  await gateway.control("POST", "/api/channel", second.channel());
  const ark = { name: "ark", type: "ark", models: ["imageG-4-0-250828"] };
  await gateway.control("POST", "/api/channel", first.channel(ark));
});

afterEach(async () => {
  await spoolIsEmpty(gateway);
  for (const host of [first, second]) host.calls.length = 0;
  second.script = () => streamOf([completed()]);
});

afterAll(async () => {
  const verified = await runCommand({ folder: gateway.folder }, "ledger", "verify");
  await gateway[Symbol.asyncDispose]();
  for (const host of [first, second]) await host[Symbol.asyncDispose]();
  expect(verified.code).toBe(0);
});

function partial(index: number, base64 = picture(`partial ${index}`)): string {
  const type = "image_generation.partial_image";
  return eventOf({
    type,
    partial_image_index: index,
    b64_json: base64,
    size: "64x64",
    extra: { a: 1 },
  });
}

function completed(base64 = picture("final"), more: JsonObject = { usage }): string {
  return eventOf({ type: "image_generation.completed", b64_json: base64, ...more });
}

async function open(body: object, key: string = rootKey, signal?: AbortSignal): Promise<Response> {
  return await fetch(`${gateway.url}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

interface Event {
  name: string | null;
  data: JsonObject;
}

async function eventsOf(response: Response): Promise<Event[]> {
  return toEvents(await response.text());
}

/** A picture that is begun; once it was seen these pieces, and then the end or none. */
function endingIn(pieces: readonly string[], isCut: boolean, seen: Promise<void>): Response {
  const left = [partial(0), ...pieces];
  let isBegun = false;
  const body = new ReadableStream({
    async pull(controller) {
      if (isBegun) await seen;
      isBegun = true;
      const text = left.shift();
      if (text !== undefined) controller.enqueue(new TextEncoder().encode(text));
      else if (isCut) controller.error(new Error("cut"));
      else controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function toEvents(text: string): Event[] {
  return readEvents(text).map(({ event, data }) => ({
    name: event,
    data: JSON.parse(data) as JsonObject,
  }));
}

async function usedBy(id: string): Promise<number> {
  const { held_micros: held, used_micros: used } = await balanceOf(gateway, id);
  expect(held).toBe(0);
  return used;
}

describe("a stream of pictures", () => {
  test("I1 a vendor's events are passed on with all that is in them, and charged once", async () => {
    const [unfinished, final] = [picture("partial 0", 400), hugePicture(300_000)];
    first.script = () => streamOf([partial(0, unfinished), partial(1), completed(final)]);
    const { id, key, keyId } = await gateway.customer(grantMicros);
    const response = await open({ ...alone, partial_images: 2 }, key);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = await eventsOf(response);
    expect(events.map(({ name }) => name)).toEqual([
      "image_generation.partial_image",
      "image_generation.partial_image",
      "image_generation.completed",
    ]);
    for (const { name, data } of events) expect(data["type"]).toBe(name ?? "");
    expect(events[0]?.data).toMatchObject({
      partial_image_index: 0,
      size: "64x64",
      extra: { a: 1 },
    });
    expect(events[0]?.data["b64_json"] === unfinished).toBe(true);
    expect(events[2]?.data["b64_json"] === final).toBe(true);
    expect(events[2]?.data["usage"]).toEqual(usage);
    expect(first.calls.at(-1)?.body).toMatchObject({ stream: true, partial_images: 2 });
    expect(await usedBy(id)).toBe(eachMicros);
    const row = await newestRow(gateway, keyId);
    expect(row).toMatchObject({
      outcome: "ok",
      stream: true,
      micros: eachMicros,
      input_tokens: 50,
    });
  });

  test("I1 an unfinished picture is shown while the vendor goes on with it", async () => {
    const goOn = Promise.withResolvers<void>();
    first.script = () => {
      let step = 0;
      const body = new ReadableStream({
        async pull(controller) {
          if (step === 1) await goOn.promise;
          const next = [partial(0), completed()][step++];
          if (next === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(next));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
    const reader = new StreamReader(await open(alone));
    const shown = await reader.until(": keep-alive");
    expect(shown).toContain(picture("partial 0"));
    expect(shown).not.toContain("completed");
    goOn.resolve();
    const text = await reader.rest();
    const names = readEvents(text).map(({ event }) => event);
    expect(names).toEqual(["image_generation.partial_image", "image_generation.completed"]);
  });

  test("I1 an edit has the names of edits, whatever the vendor calls it", async () => {
    first.script = () => streamOf([partial(0), completed()]);
    const form = new FormData();
    for (const [name, value] of Object.entries({ model: alone.model, prompt, stream: "true" })) {
      form.append(name, value);
    }
    form.append(
      "image",
      new Blob([Buffer.from(picture(), "base64")], { type: "image/png" }),
      "a.png",
    );
    const response = await fetch(`${gateway.url}/v1/images/edits`, {
      method: "POST",
      headers: { authorization: `Bearer ${rootKey}` },
      body: form,
    });
    const names = (await eventsOf(response)).map(({ name }) => name);
    expect(names).toEqual(["image_edit.partial_image", "image_edit.completed"]);
    expect(first.calls.at(-1)?.path).toBe("/v1/images/edits");
  });

  test("I1 a vendor without events has them made of its answer, one for each picture", async () => {
    first.script = () =>
      madeOf([picture("a", 32)], { usage: { output_tokens: 10, total_tokens: 10 } });
    const { id, key } = await gateway.customer(grantMicros);
    const events = await eventsOf(await open({ ...both, model: "imageG-4-0-250828", n: 2 }, key));
    expect(events.map(({ name }) => name)).toEqual([
      "image_generation.completed",
      "image_generation.completed",
    ]);
    for (const { data } of events) {
      expect(decodeBase64Picture(String(data["b64_json"])).width).toBe(32);
      expect(data).toMatchObject({
        type: "image_generation.completed",
        size: "32x32",
        output_format: "png",
      });
    }
    expect(events[1]?.data["usage"]).toMatchObject({ output_tokens: 20 });
    expect(await usedBy(id)).toBe(2 * eachMicros);
  });

  test("I4 links are made where they are asked for", async () => {
    first.script = () => madeOf([picture()]);
    const [event] = await eventsOf(await open({ ...alone, response_format: "url" }));
    expect(String(event?.data["url"])).toStartWith(`${gateway.url}/media/`);
    expect(event?.data["b64_json"]).toBeUndefined();
    expect(first.calls.at(-1)?.body?.["stream"]).toBeUndefined();
  });

  test("Q7 a channel that fails before its first picture is left for the next one", async () => {
    const wrongs = [
      () => refusal(500, { type: "server_error" }),
      () => refusal(429, { code: "rate_limit_exceeded" }),
      () => streamOf([]),
      () => streamOf([partial(0).slice(0, 100)], true),
      () => streamOf([eventOf({ type: "error", error: { type: "server_error", message: "Oh." } })]),
      () => streamOf(["data: [DONE]\n\n"]),
      () => madeOf([picture()]),
      () => new Promise<Response>(() => {}),
    ];
    for (const [index, wrong] of wrongs.entries()) {
      first.script = wrong;
      second.script = () => streamOf([completed()]);
      second.calls.length = 0;
      const names = (await eventsOf(await open(both))).map(({ name }) => name);
      expect([index, names]).toEqual([index, ["image_generation.completed"]]);
      expect(second.calls.length).toBe(1);
    }
  });

  test("Q4 a refusal of the request itself is a plain error, in a stream's first event too", async () => {
    const error = {
      type: "image_generation_user_error",
      code: "moderation_blocked",
      message: "No.",
    };
    const { id, key } = await gateway.customer(grantMicros);
    for (const script of [
      () => refusal(400, error),
      () => streamOf([eventOf({ type: "error", error })]),
    ]) {
      first.script = script;
      const response = await open(both, key);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        error: { code: "moderation_blocked", message: "No." },
      });
    }
    expect(second.calls.length).toBe(0);
    expect(await usedBy(id)).toBe(0);
  });

  test("T18 a stream that breaks off ends in an error event, and costs nothing", async () => {
    const error = {
      type: "server_error",
      code: "server_error",
      message: "Out of paint sk-host-secret-7.",
    };
    const half = completed().slice(0, 200);
    const ends: [pieces: string[], isCut: boolean][] = [
      [[], false],
      [[], true],
      [[half], false],
      [[half], true],
      [[eventOf({ type: "error", error })], false],
    ];
    for (const [index, [pieces, isCut]] of ends.entries()) {
      const goOn = Promise.withResolvers<void>();
      first.script = () => endingIn(pieces, isCut, goOn.promise);
      const { id, key, keyId } = await gateway.customer(grantMicros);
      const reader = new StreamReader(await open(alone, key));
      await reader.until("partial_image_index");
      goOn.resolve();
      const events = toEvents(await reader.rest());
      expect([index, events.map(({ name }) => name)]).toEqual([
        index,
        ["image_generation.partial_image", "error"],
      ]);
      const { data } = events[1] ?? { data: {} };
      expect(data).toMatchObject({
        type: "error",
        error: { code: "bad_response", type: "server_error" },
      });
      expect(JSON.stringify(data)).not.toMatch(/sk-host-secret-\d/);
      expect(await usedBy(id)).toBe(0);
      expect(await newestRow(gateway, keyId)).toMatchObject({
        outcome: "upstream_error",
        micros: 0,
      });
    }
  });

  test("T18 a client that leaves after it saw a picture pays for one, and the upstream is ended", async () => {
    const called = Promise.withResolvers<HostCall>();
    first.script = (call) => {
      called.resolve(call);
      let isFirst = true;
      const body = new ReadableStream({
        async pull(controller) {
          if (!isFirst) return await new Promise(() => {});
          isFirst = false;
          controller.enqueue(new TextEncoder().encode(partial(0)));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
    const { id, key, keyId } = await gateway.customer(grantMicros);
    const abort = new AbortController();
    const response = await open({ ...alone, n: 3 }, key, abort.signal);
    await response.body?.getReader().read();
    abort.abort();
    await (
      await called.promise
    ).left;
    const row = await newestRow(gateway, keyId);
    expect(row).toMatchObject({ outcome: "client_abort", micros: eachMicros });
    expect(await usedBy(id)).toBe(eachMicros);
    const entry = await entryOf(gateway, row.request_id);
    expect([entry.held_micros, entry.loss_micros]).toEqual([3 * eachMicros, 2 * eachMicros]);
  });

  test("T18 a client that leaves pays for the pictures that come soon after", async () => {
    first.script = () => {
      const pieces = [partial(0), completed(), completed()];
      const body = new ReadableStream({
        async pull(controller) {
          const piece = pieces.shift();
          if (piece === undefined) return controller.close();
          if (pieces.length < 2) await Bun.sleep(100);
          controller.enqueue(new TextEncoder().encode(piece));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
    const { key, keyId } = await gateway.customer(grantMicros);
    const abort = new AbortController();
    const response = await open({ ...alone, n: 2 }, key, abort.signal);
    await response.body?.getReader().read();
    abort.abort();
    const row = await newestRow(gateway, keyId);
    expect(row).toMatchObject({ outcome: "client_abort", micros: 2 * eachMicros });
    expect(await entryOf(gateway, row.request_id)).toMatchObject({ loss_micros: 0 });
  });

  test("T18 a client that leaves before it saw any pays nothing", async () => {
    const called = Promise.withResolvers<HostCall>();
    first.script = async (call) => {
      called.resolve(call);
      return await new Promise<Response>(() => {});
    };
    const { id, key, keyId } = await gateway.customer(grantMicros);
    const abort = new AbortController();
    const leaving = open(both, key, abort.signal).catch(() => null);
    const { left } = await called.promise;
    abort.abort();
    await left;
    await leaving;
    expect(await newestRow(gateway, keyId)).toMatchObject({ outcome: "client_abort", micros: 0 });
    expect(await usedBy(id)).toBe(0);
    expect(second.calls.length).toBe(0);
  });

  test("Q2 fewer pictures than were asked for cost less", async () => {
    first.script = () => streamOf([completed(picture("a")), completed(picture("b"))]);
    const { id, key } = await gateway.customer(grantMicros);
    expect(await eventsOf(await open({ ...alone, n: 3 }, key))).toHaveLength(2);
    const used = await eventually("the charge", async () => {
      const { held_micros: held, used_micros } = await balanceOf(gateway, id);
      return held === 0 ? used_micros : undefined;
    });
    expect(used).toBe(2 * eachMicros);
  });
});
