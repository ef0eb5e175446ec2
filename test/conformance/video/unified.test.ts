// The unified route: one body for every family, and its own way to say that it is too much.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { png, pngUrl } from "../../harness/samples.ts";
import {
  create as createAt,
  envelopeOf,
  form,
  idOf,
  prompt,
  query,
  reaches,
  slowPrompt,
  starts,
  startVideos,
  type CreateOptions,
  type Reply,
} from "../../harness/videos.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const stand = useStand(() => startVideos("distribution: { failures_to_eject: 1000000 }"));

const path = "/v1/video/generations";
const far = "https://images.example/fox.png";

async function create(body: object, options: CreateOptions = {}): Promise<Reply> {
  return await createAt(stand.gateway, body, { path, ...options });
}

function lastBody(): JsonObject {
  return starts(stand).at(-1)?.body ?? {};
}

const keys = "id,task_id,object,model,status,progress,created_at";

describe("the unified create", () => {
  test("V-U1 every family answers in the one shape, and its id works on both queries", async () => {
    const bodies: [object, string][] = [
      [{ model: "videoA_3_1" }, "videoA_3_1"],
      [{ model: "videoA-3" }, "videoA_3_1"],
      [{ model: "videoB-2" }, "videoB-2"],
      [{ model: "omni-fast" }, "omni-fast"],
      [{ model: "omni-fast-v2v", video: "https://media.example/clip.mp4" }, "omni-fast-v2v"],
      [{ model: "manxue-2.0" }, "manxue-2.0"],
      [{ model: "videoC-2-0-260128" }, "videoC-2-0-260128"],
      [{ model: "videoC-1-5-pro_480p" }, "videoC-1-5-pro_480p"],
      [{ model: "videoD-h3", duration: 5, size: "2K" }, "videoD-h3-2k"],
      [{ model: "videoE-v1" }, "videoE-v1"],
    ];
    const ids: string[] = [];
    for (const [fields, model] of bodies) {
      const reply = await create({ prompt, ...fields });
      expect([model, reply.status, Object.keys(reply.body).join()]).toEqual([model, 200, keys]);
      expect(["queued", "in_progress"]).toContain(String(reply.body["status"]));
      expect(reply.body).toMatchObject({ object: "video", model, progress: 0 });
      ids.push(idOf(reply));
      expect(reply.body["task_id"]).toBe(idOf(reply));
    }
    for (const id of ids) {
      await reaches(stand.gateway, id, "completed");
      const [one, other] = await Promise.all([
        query(stand.gateway, `/v1/videos/${id}`),
        query(stand.gateway, `${path}/${id}`),
      ]);
      expect([one.status, other.status]).toEqual([200, 200]);
      expect(other.body).toEqual(one.body);
    }
  });

  test("V-U1 each of its fields reaches the vendor in the vendor's words", async () => {
    idOf(await create({ model: "videoE-v1", prompt, image: far, duration: 10, size: "16:9" }));
    expect(lastBody()).toMatchObject({ image: far, duration: "10" });
    idOf(await create({ model: "videoE-v1", prompt, size: "9:16", seconds: "5" }));
    expect(lastBody()).toMatchObject({ aspect_ratio: "9:16", duration: "5" });
    const metadata = { negative_prompt: "rain", camera_control: { type: "simple" } };
    idOf(await create({ model: "videoE-v1", prompt, metadata }));
    expect(lastBody()).toMatchObject(metadata);
    idOf(await create({ model: "videoE-v1", prompt, images: [far, `${far}?2`] }));
    expect(lastBody()["image_list"]).toEqual([{ image: far }, { image: `${far}?2` }]);
    idOf(await create({ model: "videoE-v1", prompt, input_reference: png }));
    expect(lastBody()["image"]).toBe(png);
    idOf(await create({ model: "videoB-2", prompt, seconds: "8", size: "16:9" }));
    expect(lastBody()).toMatchObject({ seconds: "8", size: "1280x720" });
    idOf(await create({ model: "videoB-2", prompt, duration: 12, size: "720x1280" }));
    expect(lastBody()).toMatchObject({ seconds: "12", size: "720x1280" });
    const aspect = { aspectRatio: "9:16" };
    idOf(await create({ model: "videoA_3_1", prompt, image: pngUrl, metadata: aspect }));
    expect(lastBody()).toMatchObject({
      instances: [{ prompt, image: { bytesBase64Encoded: png } }],
      parameters: { aspectRatio: "9:16" },
    });
    idOf(await create({ model: "videoC-2-0-260128", prompt, size: "1:1", image: far }));
    expect(lastBody()).toMatchObject({ ratio: "1:1" });
    idOf(await create({ model: "videoC-1-5-pro_720p", prompt, size: "1280x720", seconds: "6" }));
    expect(lastBody()).toMatchObject({ ratio: "16:9", duration: 6 });
  });

  test("V-U1 a prompt may be left out where an image says what is wanted", async () => {
    idOf(await create({ model: "videoE-v1", image: far }));
    const without = await create({ model: "videoE-v1" });
    expect([without.status, envelopeOf(without)]).toEqual([400, "a"]);
    expect(without.body).toMatchObject({ error: { param: "prompt" } });
  });

  test("V-U1 N4 it takes forms, with files as images", async () => {
    const file = new File([Buffer.from(png, "base64")], "fox.png", { type: "image/png" });
    const fields = { model: "videoE-v1", prompt, duration: "5", image: file };
    const reply = await create(form(fields));
    expect(Object.keys(reply.body).join()).toBe(keys);
    expect(lastBody()).toMatchObject({ duration: "5", image: png });
    await reaches(stand.gateway, idOf(reply), "completed");
  });
});

describe("the unified route's errors", () => {
  test("V-U1 what is wrong with a request is said in envelope A, or the family's", async () => {
    const before = starts(stand).length;
    const rows: [object, number, "a" | "c", string | null][] = [
      [{ prompt }, 400, "a", "model"],
      [{ model: "", prompt }, 400, "a", "model"],
      [{ model: "videoZ-9", prompt }, 503, "a", "model"],
      [{ model: "videoE-v1", prompt, duration: 7 }, 400, "a", "duration"],
      [{ model: "videoE-v1", prompt, image: "fox.png" }, 400, "a", "image"],
      [{ model: "videoB-2", prompt, size: "1024x1024" }, 400, "a", "size"],
      [{ model: "videoB-2", prompt, metadata: "x" }, 400, "a", "metadata"],
      [{ model: "videoD-h3", prompt }, 400, "a", "duration"],
      [{ model: "videoC-2-0-260128", prompt, image: pngUrl }, 400, "c", null],
    ];
    for (const [body, status, envelope, param] of rows) {
      const reply = await create(body);
      expect([body, reply.status, envelopeOf(reply)]).toEqual([body, status, envelope]);
      if (param !== null) expect(reply.body).toMatchObject({ error: { param } });
    }
    const poor = await stand.gateway.customer(1);
    const unpaid = await create({ model: "videoE-v1", prompt }, { key: poor.key });
    expect([unpaid.status, envelopeOf(unpaid)]).toEqual([402, "a"]);
    const unknown = await create({ model: "videoE-v1", prompt }, { key: "sk-nobody" });
    expect([unknown.status, envelopeOf(unknown)]).toEqual([401, "a"]);
    expect(starts(stand).length).toBe(before);
  });

  test("V-U1 Q3 a key's rate limit is a 429 in envelope B here and in A elsewhere", async () => {
    const { key } = await stand.gateway.customer(10_000_000, { requests_per_minute: 1 });
    const body = { model: "videoE-v1", prompt: slowPrompt };
    expect((await create(body, { key })).status).toBe(200);
    const limited = await create(body, { key });
    expect([limited.status, envelopeOf(limited)]).toEqual([429, "b"]);
    expect(limited.body).toMatchObject({ code: "rate_limit_exceeded", data: null });
    expect(typeof limited.body["message"]).toBe("string");
    expect(Number(limited.headers.get("retry-after"))).toBeWithin(1, 61);
    const plain = await createAt(stand.gateway, body, { key });
    expect([plain.status, envelopeOf(plain)]).toEqual([429, "a"]);
    expect(plain.body).toMatchObject({
      error: { code: "rate_limit_exceeded", type: "rate_limit_error" },
    });
  });

  test("V-U1 Q3 vendors that are all too busy are a 429 in envelope B", async () => {
    for (const model of ["videoE-v1", "videoC-2-0-260128"]) {
      const reply = await create({ model, prompt: "A fox sandbox:status=429" });
      expect([model, reply.status, envelopeOf(reply)]).toEqual([model, 429, "b"]);
      expect(reply.body).toMatchObject({ code: "too_many_requests", data: null });
      expect(reply.headers.get("retry-after")).not.toBeNull();
    }
  });

  test("Q4 vendors that all fail are a 500, and no task is left behind", async () => {
    const { id, key } = await stand.gateway.customer(1_000_000);
    const reply = await create(
      { model: "videoD-h3", prompt: "A sandbox:status=500", duration: 4 },
      {
        key,
      },
    );
    expect([reply.status, envelopeOf(reply)]).toEqual([500, "a"]);
    const list = await query(stand.gateway, "/v1/videos", { key });
    expect(list.body["data"]).toEqual([]);
    const self = await stand.gateway.control<JsonObject>("GET", `/api/user/${id}`);
    expect(self).toMatchObject({ quota_micros: 1_000_000, held_micros: 0, used_micros: 0 });
  });
});
