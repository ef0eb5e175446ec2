// The official openai client makes videos: it sends forms, and reads the vendor's own shape.
import { beforeAll, describe, expect, test } from "bun:test";
import {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  OpenAI,
  RateLimitError,
  toFile,
} from "openai";
import { rootKey } from "../harness/gateway.ts";
import { eventually } from "../harness/books.ts";
import { png } from "../harness/samples.ts";
import { prompt, slowPrompt, starts, startVideos } from "../harness/videos.ts";
import { useStand } from "../harness/nodes/stand.ts";

let client: OpenAI;

const stand = useStand(() => startVideos());

beforeAll(() => {
  client = clientOf(rootKey);
});

function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${stand.gateway.url}/v1`, maxRetries: 0 });
}

const model = "videoB-2";

async function reaches(id: string, status: string): Promise<OpenAI.Video> {
  return await eventually(`${id} to be ${status}`, async () => {
    const video = await client.videos.retrieve(id);
    return video.status === status ? video : undefined;
  });
}

/** Error of a call; a call that succeeds is a failure here. */
async function thrownBy(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("the call succeeded");
}

describe("the openai client", () => {
  test("N4 V-B2 creates, retrieves and downloads a video", async () => {
    const made = await client.videos.create({ model, prompt, seconds: "8", size: "1280x720" });
    expect(made).toMatchObject({
      object: "video",
      model,
      status: "queued",
      progress: 0,
      seconds: "8",
      size: "1280x720",
    });
    expect(starts(stand).at(-1)?.body).toMatchObject({ seconds: "8", size: "1280x720" });
    const video = await reaches(made.id, "completed");
    expect(video).toMatchObject({ id: made.id, progress: 100 });
    expect(video.completed_at).toBeGreaterThanOrEqual(video.created_at);
    const content = await client.videos.downloadContent(made.id);
    expect(content.headers.get("content-type")).toBe("video/mp4");
    const bytes = new Uint8Array(await content.arrayBuffer());
    expect(bytes.length).toBe(Number(content.headers.get("content-length")));
    expect(new TextDecoder().decode(bytes.subarray(4, 8))).toBe("ftyp");
    const thumbnail = await client.videos.downloadContent(made.id, { variant: "thumbnail" });
    expect(thumbnail.headers.get("content-type")).toBe("image/webp");
  });

  test("N4 sends a file, or an address, as the image to begin with", async () => {
    const file = await toFile(Buffer.from(png, "base64"), "fox.png", { type: "image/png" });
    const uploaded = await client.videos.create({ model, prompt, input_reference: file });
    expect(starts(stand).at(-1)?.text).toContain('name="input_reference"; filename=');
    await reaches(uploaded.id, "completed");
    const image_url = "https://images.example/fox.png";
    const linked = await client.videos.create({ model, prompt, input_reference: { image_url } });
    expect(starts(stand).at(-1)?.body?.["input_reference"]).toEqual({ image_url });
    await reaches(linked.id, "completed");
  });

  test("N4 lists them page by page, newest first", async () => {
    const { key } = await stand.gateway.customer(100_000_000);
    const own = clientOf(key);
    const made: string[] = [];
    for (let count = 0; count < 5; count++) {
      made.push((await own.videos.create({ model, prompt: slowPrompt })).id);
    }
    const listed: string[] = [];
    for await (const video of own.videos.list({ limit: 2 })) listed.push(video.id);
    expect(listed).toEqual(made.toReversed());
    const ascending: string[] = [];
    for await (const video of own.videos.list({ limit: 3, order: "asc" })) ascending.push(video.id);
    expect(ascending).toEqual(made);
  });

  test("N23 deletes a video, after which it is not found", async () => {
    const { id } = await client.videos.create({ model, prompt });
    await reaches(id, "completed");
    expect(await client.videos.delete(id)).toEqual({ id, object: "video.deleted", deleted: true });
    expect(await thrownBy(client.videos.retrieve(id))).toBeInstanceOf(NotFoundError);
    expect(await thrownBy(client.videos.downloadContent(id))).toBeInstanceOf(NotFoundError);
  });

  test("V-Q1 a failed video is an answer with its error, not an exception", async () => {
    const { id } = await client.videos.create({ model, prompt: `${prompt} sandbox:fail` });
    const video = await reaches(id, "failed");
    expect(video.error).toMatchObject({ code: "video_generation_failed" });
    expect(typeof video.error?.message).toBe("string");
  });

  test("N4 every other family goes through it as well", async () => {
    const made = await Promise.all([
      client.videos.create({ model: "videoA_3_1", prompt }),
      client.videos.create({ model: "manxue-2.0", prompt }),
      client.videos.create({ model: "videoC-2-0-260128", prompt }),
      client.videos.create({ model: "videoC-1-5-pro_720p", prompt, seconds: "4" }),
      client.videos.create({ model: "videoD-h3", prompt, seconds: "8" }),
      client.videos.create({ model: "videoE-v1", prompt }),
    ]);
    for (const { id } of made) await reaches(id, "completed");
  });

  test("Q6 its errors are of the classes it has for them", async () => {
    const wrongSize = client.videos.create({ model, prompt, size: "1024x1792" });
    const size = await thrownBy(wrongSize);
    expect(size).toBeInstanceOf(BadRequestError);
    expect(size).toMatchObject({ code: "invalid_size", param: "size", type: "gateway_api_error" });
    const stranger = clientOf("sk-nobody").videos.retrieve("task_1");
    expect(await thrownBy(stranger)).toBeInstanceOf(AuthenticationError);
    const missing = await thrownBy(client.videos.retrieve("task_1"));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ code: "task_not_found" });
    const { key } = await stand.gateway.customer(1, { requests_per_minute: 2 });
    const poor = await thrownBy(clientOf(key).videos.create({ model, prompt }));
    expect(poor).toBeInstanceOf(APIError);
    expect(poor).toMatchObject({ status: 402, code: "insufficient_user_quota" });
    await thrownBy(clientOf(key).videos.create({ model, prompt }));
    expect(await thrownBy(clientOf(key).videos.list())).toBeInstanceOf(RateLimitError);
    const { id } = await client.videos.create({ model, prompt: slowPrompt });
    expect(await thrownBy(client.videos.downloadContent(id))).toBeInstanceOf(ConflictError);
  });
});
