import { expect, test } from "bun:test";
import { findVideoFamily } from "../../families/index.ts";
import type { VideoJob } from "../../families/video-job.ts";
import { upstreams } from "../../upstreams/index.ts";
import { withNeededBytes, type ReferenceNeeds } from "./needed-bytes.ts";

const picture = Buffer.from("\x89PNG\r\n\x1a\n and the rest of it", "latin1");

function jobWith(reference: string): VideoJob {
  const body = { model: "videoA_3_1", prompt: "A fox", duration: 8, input_reference: reference };
  const job = findVideoFamily("videoA_3_1")?.parse(body);
  if (!job) throw new Error("there is no such family");
  return job;
}

/** A host with these bytes behind every address. */
function hostOf(bytes: Uint8Array): ReferenceNeeds & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    fetchTimeoutMs: 1000,
    fetch: {
      async open(url) {
        asked.push(url);
        const pieces = [bytes.subarray(0, 3), bytes.subarray(3)];
        return { read: async () => pieces.shift() ?? null, close() {} };
      },
    },
  };
}

const fitsGoogle = (job: VideoJob) => upstreams["google"]?.video?.lacks(job) === null;

test("N21 a vendor that wants bytes gets those behind the URL", async () => {
  const host = hostOf(picture);
  const job = await withNeededBytes(host, jobWith("https://images.example/a"), fitsGoogle);
  expect(host.asked).toEqual(["https://images.example/a"]);
  expect(job.media[0]?.source).toEqual({
    kind: "bytes",
    type: "image/png",
    base64: picture.toString("base64"),
  });
  expect(fitsGoogle(job)).toBe(true);
});

test("N21 nothing is fetched for a vendor that takes URLs", async () => {
  const host = hostOf(picture);
  const job = jobWith("https://images.example/a");
  expect(await withNeededBytes(host, job, () => true)).toBe(job);
  expect(host.asked).toEqual([]);
});

test("nothing is fetched when bytes would not do either", async () => {
  const host = hostOf(picture);
  const job = { ...jobWith("https://images.example/a"), watermark: true };
  expect(await withNeededBytes(host, job, fitsGoogle)).toBe(job);
  expect(host.asked).toEqual([]);
});

test.each([
  ["is no picture", Buffer.from("<html>")],
  ["is nothing", Buffer.alloc(0)],
])("what %s is a 400 that names the field and says no more", async (_, bytes) => {
  const asked = withNeededBytes(hostOf(bytes), jobWith("https://images.example/a"), fitsGoogle);
  const fault = await asked.catch((error: unknown) => error);
  expect(fault).toMatchObject({ code: "invalid_request", param: "input_reference" });
});
