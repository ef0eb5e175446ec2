// The video itself through the gateway: whole, in parts, and long after its vendor has gone.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeMp4 } from "../../../sandbox/mp4/index.ts";
import { balanceOf } from "../../harness/books.ts";
import { rootKey } from "../../harness/gateway.ts";
import { ScriptedArk, shortFilm } from "../../harness/scripted-ark.ts";
import {
  create,
  envelopeOf,
  idOf,
  prompt,
  query,
  reaches,
  slowPrompt,
  slowSeconds,
  startVideos,
} from "../../harness/videos.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const ark = kept(new ScriptedArk());
const model = "videoC-2-0-260128";
let bytes: Uint8Array;
let url: string;

const stand = useStand(() => startVideos("distribution: { failures_to_eject: 1000000 }"));

beforeAll(async () => {
  const channel = ark.channel({ models: [model], priority: 9 });
  await stand.gateway.control("POST", "/api/channel", channel);
  const reply = await create(stand.gateway, { model, prompt });
  url = `${stand.gateway.url}/v1/videos/${idOf(reply)}/content`;
  await reaches(stand.gateway, idOf(reply), "completed");
  bytes = shortFilm;
});

async function content(headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  return await fetch(url, { method, headers: { authorization: `Bearer ${rootKey}`, ...headers } });
}

describe("a finished video", () => {
  test("V-Q2 it is an MP4 of its exact length, and those are the vendor's bytes", async () => {
    const response = await content();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "video/mp4",
      "content-length": String(bytes.length),
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
    });
    expect(response.headers.get("x-request-id")).not.toBeNull();
    expect(await response.bytes()).toEqual(bytes);
    // The official client's header.
    const binary = await content({ accept: "application/binary" });
    expect(await binary.bytes()).toEqual(bytes);
  });

  test("V-Q2 a HEAD has the same headers and nothing else", async () => {
    const response = await content({}, "HEAD");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("video/mp4");
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    expect(await response.text()).toBe("");
  });

  test("V-Q2 ranges are served as players ask for them", async () => {
    const end = bytes.length;
    const ranges: [string, number, number][] = [
      ["bytes=0-", 0, end],
      ["bytes=0-0", 0, 1],
      ["bytes=10-19", 10, 20],
      ["bytes=10-", 10, end],
      ["bytes=-16", end - 16, end],
      [`bytes=0-${end * 2}`, 0, end],
      [`bytes=${end - 1}-${end - 1}`, end - 1, end],
    ];
    for (const [range, from, to] of ranges) {
      const part = await content({ range });
      expect([range, part.status]).toEqual([range, 206]);
      expect(part.headers.get("content-range")).toBe(`bytes ${from}-${to - 1}/${end}`);
      expect(part.headers.get("content-length")).toBe(String(to - from));
      expect(part.headers.get("content-type")).toBe("video/mp4");
      expect(await part.bytes()).toEqual(bytes.slice(from, to));
    }
    const beyond = await content({ range: `bytes=${end}-` });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${end}`]);
    const head = await content({ range: "bytes=10-19" }, "HEAD");
    expect([head.status, head.headers.get("content-length")]).toEqual([206, "10"]);
  });

  test("A6 without a credential it is a 401, also for a HEAD and a range", async () => {
    for (const init of [{}, { method: "HEAD" }, { headers: { range: "bytes=0-1" } }]) {
      expect((await fetch(url, init)).status).toBe(401);
    }
    const key = encodeURIComponent(rootKey);
    expect((await fetch(`${url}?key=${key}`)).status).toBe(401);
  });
});

describe("a video that is not there", () => {
  test("V-Q2 a task that waits, runs or has failed is a clear 4xx in its envelope", async () => {
    const rows: [string, string, string, string][] = [
      ["videoB-2", slowPrompt, "queued", "a"],
      ["videoB-2", slowPrompt, "in_progress", "a"],
      ["videoB-2", `${prompt} sandbox:fail`, "failed", "a"],
      ["videoC-2-0-fast-260128", slowPrompt, "queued", "c"],
      ["videoC-2-0-fast-260128", `${prompt} sandbox:filter`, "failed", "c"],
    ];
    for (const [name, words, status, envelope] of rows) {
      const id = idOf(await create(stand.gateway, { model: name, prompt: words }));
      if (status === "in_progress") stand.clock.pass(slowSeconds / 2);
      await reaches(stand.gateway, id, status);
      const reply = await query(stand.gateway, `/v1/videos/${id}/content`);
      expect([status, Math.floor(reply.status / 100)]).toEqual([status, 4]);
      expect([name, envelopeOf(reply)]).toEqual([name, envelope as "a" | "c"]);
      const { error } = reply.body as { error: { message: string; type: string } };
      expect(error.type).toBe("invalid_request_error");
      expect(error.message).not.toBe("");
    }
  });
});

describe("vendors and their links", () => {
  test("V-Q2 a link that works only later is tried again, and charged once", async () => {
    const { id: account, key } = await stand.gateway.customer(1_000_000);
    let tries = 0;
    ark.file = () =>
      ++tries <= 2 ? new Response("soon", { status: 503 }) : new Response(shortFilm);
    const reply = await create(stand.gateway, { model, prompt, duration: 5 }, { key });
    await reaches(stand.gateway, idOf(reply), "completed", key);
    expect(tries).toBe(3);
    expect(await balanceOf(stand.gateway, account)).toMatchObject({
      held_micros: 0,
      used_micros: 5 * 90_000,
    });
    const whole = await stand.gateway.get(`/v1/videos/${idOf(reply)}/content`, key);
    expect(await whole.bytes()).toEqual(shortFilm);
    ark.file = () => new Response(shortFilm);
  });

  test("V-Q2 a link to something that is no video makes no completed task", async () => {
    const { id: account, key } = await stand.gateway.customer(1_000_000);
    ark.file = () =>
      new Response("<html>gone</html>", { headers: { "content-type": "text/html" } });
    const reply = await create(stand.gateway, { model, prompt, duration: 5 }, { key });
    await reaches(stand.gateway, idOf(reply), "failed", key);
    expect(await balanceOf(stand.gateway, account)).toMatchObject({
      quota_micros: 1_000_000,
      held_micros: 0,
      used_micros: 0,
    });
    ark.file = () => new Response(shortFilm);
  });

  test("V-Q2 each vendor's file comes through, whichever way the vendor hands it out", async () => {
    const shapes: [string, object, Uint8Array | null][] = [
      ["videoA_3_1", { duration: 4 }, null],
      ["videoB-2", { seconds: "4", size: "720x1280" }, null],
      ["videoC-1-5-pro_480p", { seconds: "4" }, film(864, 496, 4)],
      ["videoD-h3", { duration: 4, ratio: "1:1" }, film(768, 768, 4)],
      ["videoE-v1", { duration: 5 }, null],
      ["omni-fast-v2v", { video: "https://media.example/a.mp4", seconds: "4" }, null],
    ];
    const replies = await Promise.all(
      shapes.map(([name, fields]) => create(stand.gateway, { model: name, prompt, ...fields })),
    );
    for (const [at, [name, , wanted]] of shapes.entries()) {
      const id = String(replies[at]?.body["id"]);
      await reaches(stand.gateway, id, "completed");
      const response = await stand.gateway.get(`/v1/videos/${id}/content`);
      expect([name, response.headers.get("content-type")]).toEqual([name, "video/mp4"]);
      const received = await response.bytes();
      expect([name, received.length > 500, text(received.subarray(4, 8))]).toEqual([
        name,
        true,
        "ftyp",
      ]);
      if (wanted) expect([name, Buffer.compare(received, wanted)]).toEqual([name, 0]);
    }
  });

  test("V-Q2 it works when the vendor's links are dead and the vendor is gone", async () => {
    await ark.close();
    const response = await content();
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    expect(await response.bytes()).toEqual(bytes);
    const { body } = await query(stand.gateway, new URL(url).pathname.replace("/content", ""));
    const linked = await fetch(String(body["video_url"]));
    expect(await linked.bytes()).toEqual(bytes);
  });
});

function film(width: number, height: number, seconds: number): Uint8Array {
  return writeMp4({ width, height, seconds });
}

function text(part: Uint8Array): string {
  return new TextDecoder().decode(part);
}
