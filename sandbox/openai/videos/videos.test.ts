// Videos on OpenAI's wire, over real HTTP and by the vendor's own SDK.
import { describe, expect, test } from "bun:test";
import { OpenAI } from "openai";
import { png } from "../../../test/harness/samples.ts";
import { VideoVendor, vendorKey } from "../../../test/harness/video-vendor.ts";

const authorization = `Bearer ${vendorKey}`;

function post({ sandbox }: VideoVendor, body: object | FormData) {
  const isForm = body instanceof FormData;
  return fetch(`${sandbox.url}/openai/v1/videos`, {
    method: "POST",
    headers: { authorization, ...(isForm ? {} : { "content-type": "application/json" }) },
    body: isForm ? body : JSON.stringify(body),
  });
}

function form(fields: Record<string, string | Blob>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

function picture(type = "image/png"): Blob {
  return new Blob([Buffer.from(png, "base64")], { type });
}

/** The SDK's promises are of a kind of their own. */
async function statusOf(call: PromiseLike<unknown>): Promise<number | undefined> {
  try {
    await call;
    return 200;
  } catch (error) {
    return error instanceof OpenAI.APIError ? error.status : undefined;
  }
}

describe("the SDK", () => {
  test("creates, waits for, downloads, lists and deletes a video", async () => {
    await using vendor = new VideoVendor("openai");
    const baseURL = `${vendor.sandbox.url}/openai/v1`;
    const client = new OpenAI({ apiKey: vendorKey, baseURL, maxRetries: 0 });
    const prompt = "A fox in the snow";
    const made = await client.videos.create({ prompt, seconds: "8", size: "1280x720" });
    expect(made).toEqual({
      id: made.id,
      object: "video",
      created_at: 1_790_000_000,
      completed_at: null,
      expires_at: null,
      status: "queued",
      progress: 0,
      error: null,
      model: "sora-2",
      prompt,
      seconds: "8",
      size: "1280x720",
      remixed_from_video_id: null,
    });
    expect(await statusOf(client.videos.delete(made.id))).toBe(409);
    expect(await statusOf(client.videos.downloadContent(made.id))).toBe(404);
    vendor.pass(2);
    const done = await client.videos.retrieve(made.id);
    expect(done).toMatchObject({ status: "completed", progress: 100, completed_at: 1_790_000_002 });
    const content = await client.videos.downloadContent(made.id);
    expect(content.headers.get("content-type")).toBe("video/mp4");
    const typeOf = async (variant: "thumbnail" | "spritesheet") =>
      (await client.videos.downloadContent(made.id, { variant })).headers.get("content-type");
    expect([await typeOf("thumbnail"), await typeOf("spritesheet")]).toEqual([
      "image/webp",
      "image/jpeg",
    ]);
    const other = await client.videos.create({ prompt });
    const ids: string[] = [];
    for await (const video of client.videos.list({ limit: 1 })) ids.push(video.id);
    expect(ids).toEqual([other.id, made.id]);
    expect(await client.videos.delete(made.id)).toMatchObject({ deleted: true });
    expect(await statusOf(client.videos.retrieve(made.id))).toBe(404);
  });
});

describe("a request", () => {
  test.each<[string, object]>([
    ["prompt", {}],
    ["prompt", { prompt: "" }],
    ["seconds", { prompt: "p", seconds: 4 }],
    ["seconds", { prompt: "p", model: "sora-2", seconds: "5" }],
    ["size", { prompt: "p", model: "sora-2", size: "1792x1024" }],
    ["size", { prompt: "p", model: "other", size: "641x360" }],
    ["colour", { prompt: "p", colour: "red" }],
    ["input_reference", { prompt: "p", input_reference: "https://a.example/b.png" }],
  ])("is refused for its %s", async (param, body) => {
    await using vendor = new VideoVendor("openai");
    const response = await post(vendor, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param } });
    expect(await vendor.jobs()).toEqual([]);
  });

  test.each<[string, object | FormData]>([
    ["pro sizes", { prompt: "p", model: "sora-2-pro", size: "1792x1024" }],
    ["a reseller's length", { prompt: "p", model: "other", seconds: "30", size: "640x360" }],
    ["an address", { prompt: "p", input_reference: { image_url: "https://a.example/b.png" } }],
    ["a form", form({ prompt: "p", model: "other", seconds: "6", metadata: '{"a":1}' })],
    ["an address in a form", form({ prompt: "p", "input_reference[image_url]": "https://a.b/c" })],
    ["a file", form({ prompt: "p", model: "other", input_reference: picture() })],
  ])("with %s is taken", async (_title, body) => {
    await using vendor = new VideoVendor("openai");
    expect((await post(vendor, body)).status).toBe(200);
  });

  test.each<[string, FormData]>([
    ["of another size", form({ prompt: "p", model: "sora-2", input_reference: picture() })],
    ["of another type", form({ prompt: "p", model: "m", input_reference: picture("image/gif") })],
    ["that is text", form({ prompt: "p", model: "m", input_reference: "abc" })],
  ])("with a file %s is refused", async (_title, body) => {
    await using vendor = new VideoVendor("openai");
    const response = await post(vendor, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "input_reference" } });
  });
});
