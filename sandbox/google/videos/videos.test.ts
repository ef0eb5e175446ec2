// Videos on Google's wire, over real HTTP and by the vendor's own SDK, the newest that makes them with
// an API key.
import { describe, expect, test } from "bun:test";
import { GoogleGenAI } from "@google/genai-2";
import { png } from "../../../test/harness/samples.ts";
import { VideoVendor, vendorKey } from "../../../test/harness/video-vendor.ts";

function post({ sandbox }: VideoVendor, body: object) {
  return fetch(`${sandbox.url}/google/v1beta/models/veo:predictLongRunning`, {
    method: "POST",
    headers: { "x-goog-api-key": vendorKey },
    body: JSON.stringify(body),
  });
}

const image = { bytesBase64Encoded: png, mimeType: "image/png" };

test("the SDK starts a video and sees it done", async () => {
  await using vendor = new VideoVendor("google");
  const httpOptions = { baseUrl: `${vendor.sandbox.url}/google` };
  const client = new GoogleGenAI({ apiKey: vendorKey, httpOptions });
  const config = { aspectRatio: "9:16", durationSeconds: 4, numberOfVideos: 1 };
  const source = { prompt: "A fox" };
  const started = await client.models.generateVideos({ model: "veo-3.1", source, config });
  expect(started.done).toBeFalsy();
  vendor.pass(3);
  const done = await client.operations.getVideosOperation({ operation: started });
  expect(done.done).toBeTrue();
  const uri = done.response?.generatedVideos?.[0]?.video?.uri ?? "";
  const file = await fetch(uri, { headers: { "x-goog-api-key": vendorKey } });
  expect(file.headers.get("content-type")).toBe("video/mp4");
  const other = await fetch(uri, { headers: { "x-goog-api-key": "sk-sandbox-other" } });
  expect(other.status).toBe(404);
});

describe("a request", () => {
  test.each<[string, object]>([
    ["no instance", { instances: [] }],
    ["nothing to go by", { instances: [{}] }],
    ["an unknown field", { instances: [{ prompt: "p", seed: 1 }] }],
    ["an unknown parameter", { instances: [{ prompt: "p" }], parameters: { seed: 1 } }],
    ["another length", { instances: [{ prompt: "p" }], parameters: { durationSeconds: 10 } }],
    ["a length in a text", { instances: [{ prompt: "p" }], parameters: { durationSeconds: "8" } }],
    [
      "a short length of fine pictures",
      { instances: [{ prompt: "p" }], parameters: { durationSeconds: 4, resolution: "1080p" } },
    ],
    ["a last frame alone", { instances: [{ prompt: "p", lastFrame: image }] }],
    [
      "a mislabelled image",
      { instances: [{ prompt: "p", image: { ...image, mimeType: "image/jpeg" } }] },
    ],
    [
      "frames and references",
      {
        instances: [{ prompt: "p", image, referenceImages: [{ image, referenceType: "asset" }] }],
      },
    ],
  ])("with %s is refused", async (_title, body) => {
    await using vendor = new VideoVendor("google");
    const response = await post(vendor, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { status: "INVALID_ARGUMENT" } });
    expect(await vendor.jobs()).toEqual([]);
  });

  test("with two frames is taken", async () => {
    await using vendor = new VideoVendor("google");
    const response = await post(vendor, { instances: [{ image, lastFrame: image }] });
    expect(response.status).toBe(200);
  });
});

test("an operation is there for its own key alone", async () => {
  await using vendor = new VideoVendor("google");
  const { name } = (await (await post(vendor, { instances: [{ prompt: "p" }] })).json()) as {
    name: string;
  };
  const at = `${vendor.sandbox.url}/google/v1beta/${name}`;
  const own = await fetch(at, { headers: { "x-goog-api-key": vendorKey } });
  expect(await own.json()).toEqual({ name });
  expect((await fetch(at, { headers: { "x-goog-api-key": "sk-other" } })).status).toBe(404);
});
