// A gateway whose upstream is another one, which makes the videos; and what there is of a video
// besides the video, which comes all the way from the vendor.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { readImageSize } from "../../../src/core/image-size.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { balanceOf } from "../../harness/books.ts";
import { rootKey, startProcess, type Gateway } from "../../harness/gateway.ts";
import { create, envelopeOf, idOf, prompt, query, quickPolls } from "../../harness/videos.ts";
import { reaches, slowPrompt, startVideos } from "../../harness/videos.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const model = "videoB-2";
const body = { model, prompt, seconds: "4", size: "1280x720" };
let here: Gateway;
/** Between the two; it may keep the answer to a create to itself. */
let line: ReturnType<typeof Bun.serve>;
let isCut = false;
/** In place of every picture of a video. */
let large: Uint8Array<ArrayBuffer> | null = null;

const there = useStand(() => startVideos());

beforeAll(async () => {
  // A vendor that reads one after the other keeps the last ones waiting.
  line = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: pass });
  here = await startProcess({
    config: `${quickPolls}
channels:
  - { name: there, type: gateway, base_url: "${line.url.origin}", key: ${rootKey},
      models: [${model}, videoC-2-0-260128], allow_private: true }`,
  });
});

afterAll(async () => {
  await here[Symbol.asyncDispose]();
  await line.stop(true);
});

async function pass(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  if (large && search.includes("variant=thumbnail")) return new Response(large);
  const { method, headers } = request;
  const isBare = method === "GET" || method === "DELETE";
  const content = isBare ? {} : { body: await request.bytes() };
  const passed = new Headers(headers);
  passed.delete("host");
  const url = there.gateway.url + pathname + search;
  const reply = await fetch(url, { method, headers: passed, ...content });
  if (method === "POST" && isCut) return new Response("<html>bad gateway</html>", { status: 502 });
  return reply;
}

function content({ url }: Gateway, id: string, variant: string): Promise<Response> {
  const headers = { authorization: `Bearer ${rootKey}` };
  return fetch(`${url}/v1/videos/${id}/content?variant=${variant}`, { headers });
}

async function done(gateway: Gateway, given: object = body): Promise<string> {
  const id = idOf(await create(gateway, given));
  await reaches(gateway, id, "completed");
  return id;
}

test("Q2 D3 a start whose answer was lost is found there by our own id, and made once", async () => {
  const { id: account, key } = await here.customer(10_000_000);
  isCut = true;
  const reply = await create(here, body, { key });
  isCut = false;
  const id = idOf(reply);
  expect(reply.body).toMatchObject({ status: "queued", progress: 0 });
  await reaches(here, id, "completed", key);
  expect((await balanceOf(here, account)).used_micros).toBe(400_000);
  const list = await query(there.gateway, `/v1/videos?idempotency_key=${id}`);
  expect(list.body).toMatchObject({ object: "list", idempotency_key: id, has_more: false });
  const made = (list.body["data"] as JsonObject[]).map((task) => task["status"]);
  expect(made).toEqual(["completed"]);
});

test("N14 a create is found by its key, and by no key of another account", async () => {
  const { gateway } = there;
  const send = async (key: string) => {
    const headers = { authorization: `Bearer ${rootKey}`, "idempotency-key": key };
    const options = { method: "POST", headers, body: JSON.stringify(body) };
    return (await (await fetch(`${gateway.url}/v1/videos`, options)).json()) as JsonObject;
  };
  const { id } = await send("a key & more");
  const found = await query(gateway, "/v1/videos?idempotency_key=a+key+%26+more");
  expect(found.body).toMatchObject({ data: [{ id }], first_id: id, last_id: id });
  const none = { object: "list", data: [], first_id: null, last_id: null, has_more: false };
  const other = await query(gateway, "/v1/videos?idempotency_key=other");
  expect(other.body).toEqual({ ...none, idempotency_key: "other" });
  const { key } = await gateway.customer(1000);
  const foreign = await query(gateway, "/v1/videos?idempotency_key=a+key+%26+more", { key });
  expect(foreign.body).toEqual({ ...none, idempotency_key: "a key & more" });
});

describe("V-Q2 a variant", () => {
  test("is the video itself, or a picture of it, here and through another gateway", async () => {
    for (const gateway of [there.gateway, here]) {
      const id = await done(gateway);
      const video = await content(gateway, id, "video");
      const plain = await gateway.get(`/v1/videos/${id}/content`);
      expect(await video.bytes()).toEqual(await plain.bytes());
      for (const [variant, type] of [
        ["thumbnail", "image/webp"],
        ["spritesheet", "image/jpeg"],
      ] as const) {
        const response = await content(gateway, id, variant);
        expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
        const bytes = await response.bytes();
        expect(response.headers.get("content-length")).toBe(String(bytes.length));
        expect(readImageSize(type, bytes)).toEqual({ width: 1280, height: 720 });
      }
    }
  });

  test("that is large takes no memory for the whole of it, however many are asked for", async () => {
    const peakBytes = () => {
      const statuses = here.pids.map((pid) => readFileSync(`/proc/${pid}/status`, "utf8"));
      const peaks = statuses.map((status) => Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]));
      return peaks.reduce((sum, kibibytes) => sum + kibibytes * 1024, 0);
    };
    const id = await done(here);
    const mebibyte = 1024 * 1024;
    const picture = new Uint8Array(24 * mebibyte);
    picture.set(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
    large = picture;
    try {
      const before = peakBytes();
      const asked = Array.from({ length: 24 }, async () => {
        const response = await content(here, id, "thumbnail");
        expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
        let bytes = 0;
        for await (const piece of response.body ?? []) bytes += piece.length;
        expect(bytes).toBe(picture.length);
      });
      await Promise.all(asked);
      expect((peakBytes() - before) / mebibyte).toBeLessThan(200);
    } finally {
      large = null;
    }
  });

  test("that nobody knows, or that this video does not have, is a 400 that names it", async () => {
    const id = await done(there.gateway);
    const wordless = await done(there.gateway, { model: "videoD-h3", prompt, duration: 4 });
    const c = await done(there.gateway, { model: "videoC-2-0-260128", prompt, duration: 5 });
    const relayed = await done(here, { model: "videoC-2-0-260128", prompt, duration: 5 });
    const rows: [Gateway, string, string, "a" | "c"][] = [
      [there.gateway, id, "poster", "a"],
      [there.gateway, id, "", "a"],
      [there.gateway, wordless, "thumbnail", "a"],
      [there.gateway, c, "spritesheet", "c"],
      [here, relayed, "thumbnail", "c"],
    ];
    for (const [gateway, task, variant, envelope] of rows) {
      const reply = await query(gateway, `/v1/videos/${task}/content?variant=${variant}`);
      expect([variant, reply.status, envelopeOf(reply)]).toEqual([variant, 400, envelope]);
      const error = reply.body["error"] as JsonObject;
      expect(error["message"]).toStartWith("variant");
      if (envelope === "a") expect(error["param"]).toBe("variant");
    }
  });

  test("of a task that has not ended is not there yet", async () => {
    const id = idOf(await create(there.gateway, { ...body, prompt: slowPrompt }));
    const reply = await query(there.gateway, `/v1/videos/${id}/content?variant=thumbnail`);
    expect([reply.status, reply.body]).toMatchObject([
      409,
      { error: { code: "task_not_finished" } },
    ]);
  });
});
