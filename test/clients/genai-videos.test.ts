// Google's own client makes videos through the gateway, unmodified: the newest that does so with an
// API key.
import { beforeAll, expect, test } from "bun:test";
import { GoogleGenAI } from "@google/genai-2";
import { rootKey, startGateway } from "../harness/gateway.ts";
import { png } from "../harness/samples.ts";
import { useStand } from "../harness/nodes/stand.ts";

let client: GoogleGenAI;

const gateway = useStand(() =>
  startGateway({ config: "tasks: {poll_first_ms: 100, poll_most_ms: 200}" }),
);

beforeAll(() => {
  client = new GoogleGenAI({ apiKey: rootKey, httpOptions: { baseUrl: gateway.url } });
});

async function finish(started: Awaited<ReturnType<typeof client.models.generateVideos>>) {
  for (let operation = started, asked = 0; asked < 100; asked++) {
    if (operation.done) return operation;
    await Bun.sleep(100);
    operation = await client.operations.getVideosOperation({ operation });
  }
  throw new Error("the video was never done");
}

test("V-A1 generateVideos ends with a link to a video", async () => {
  const started = await client.models.generateVideos({
    model: "videoA_3_1",
    source: { prompt: "a lighthouse sandbox:seconds=0.3" },
    config: { aspectRatio: "16:9", durationSeconds: 8 },
  });
  const { response } = await finish(started);
  const uri = response?.generatedVideos?.[0]?.video?.uri ?? "";
  const video = await fetch(uri);
  expect(video.headers.get("content-type")).toBe("video/mp4");
  const bytes = Buffer.from(await video.arrayBuffer());
  expect(bytes.toString("latin1", 4, 8)).toBe("ftyp");
});

test("V-A1 an image may be what it begins with", async () => {
  const started = await client.models.generateVideos({
    model: "videoA_3_1",
    source: {
      prompt: "a lighthouse sandbox:seconds=0.3",
      image: { imageBytes: png, mimeType: "image/png" },
    },
  });
  const { response } = await finish(started);
  expect(response?.generatedVideos).toHaveLength(1);
});

test("a video that fails is an operation with an error", async () => {
  const started = await client.models.generateVideos({
    model: "videoA_3_1",
    source: { prompt: "a lighthouse sandbox:fail sandbox:seconds=0.3" },
  });
  const { error } = await finish(started);
  expect(error).toMatchObject({ code: 13 });
});

test("N2 what is wrong is told in Google's shape, naming the field", async () => {
  const asked = client.models.generateVideos({
    model: "videoA_3_1",
    source: { prompt: "a lighthouse" },
    config: { durationSeconds: 900 },
  });
  const fault = await asked.catch((error: unknown) => error);
  expect(fault).toMatchObject({ status: 400 });
  expect(String(fault)).toContain("duration");
});
