// Seedream's wire over real HTTP: what it takes, what it refuses, what it draws.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { readImageSize } from "../../../src/core/image-size.ts";
import { drawPicture } from "../../picture/index.ts";
import { startSandbox } from "../../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const model = "doubao-seedream-4-0-250828";
const cat = Buffer.from(drawPicture({ width: 64, height: 48, format: "png", seed: "cat" }));
const catUrl = `data:image/png;base64,${cat.toString("base64")}`;

interface Reply {
  data?: { url?: string; b64_json?: string; size?: string; error?: object }[];
  usage?: object;
  error?: { code: string; param: string };
}

async function make(said: object, key = "sk-one"): Promise<Reply & { status: number }> {
  const response = await fetch(`${sandbox.url}/ark/api/v3/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, prompt: "a fox", ...said }),
  });
  return { ...((await response.json()) as Reply), status: response.status };
}

async function follow(url: string | undefined): Promise<Uint8Array> {
  return (await fetch(url ?? "")).bytes();
}

test("pictures are behind links that need no key, two of one prompt differ", async () => {
  const replies = [await make({ size: "2560x1440" }), await make({ size: "2560x1440" })];
  const pictures = await Promise.all(replies.map(({ data }) => follow(data?.[0]?.url)));
  for (const bytes of pictures) {
    expect(readImageSize("image/jpeg", bytes)).toEqual({ width: 2560, height: 1440 });
  }
  expect(Bun.hash(pictures[0] ?? "")).not.toBe(Bun.hash(pictures[1] ?? ""));
  expect(replies[0]).toMatchObject({
    data: [{ size: "2560x1440" }],
    usage: { generated_images: 1, output_tokens: 14_400, total_tokens: 14_400 },
  });
});

test("with a seed a picture is the same again, and unmarked only where that is said", async () => {
  const links = async (said: object) => (await make({ seed: 7, ...said })).data?.[0]?.url;
  const marked = await follow(await links({}));
  expect(Buffer.from(marked).equals(await follow(await links({ watermark: true })))).toBe(true);
  expect(Buffer.from(marked).equals(await follow(await links({ watermark: false })))).toBe(false);
});

test.each([
  ["1K", 1024],
  ["4K", 4096],
  [undefined, 2048],
])("the class %s is %d pixels a side", async (size, side) => {
  const { data } = await make({ size, response_format: "b64_json", output_format: "png" });
  const bytes = Buffer.from(data?.[0]?.b64_json ?? "", "base64");
  expect(readImageSize("image/png", bytes)).toEqual({ width: side, height: side });
});

test("a series brings as many as it may, and its last may fail", async () => {
  const series = {
    image: [catUrl, "https://images.example/a.png"],
    sequential_image_generation: "auto",
    sequential_image_generation_options: { max_images: 3 },
  };
  const { data } = await make(series);
  expect(new Set(data?.map(({ url }) => url)).size).toBe(3);
  const failing = await make({ ...series, prompt: "x sandbox:fail" });
  expect(failing).toMatchObject({
    status: 200,
    data: [{ size: "2048x2048" }, { size: "2048x2048" }, { error: {} }],
    usage: { generated_images: 2 },
  });
});

describe("a request", () => {
  test.each<[string, object]>([
    ["n", { n: 2 }],
    ["quality", { quality: "high" }],
    ["stream", { stream: true }],
    ["size", { size: "1024x768" }],
    ["size", { size: "4097x4096" }],
    ["size", { size: "8192x500" }],
    ["size", { size: "16:9" }],
    ["size", { size: "2k" }],
    ["image", { image: "AAAA" }],
    ["image", { image: catUrl.replace("png", "jpeg") }],
    ["image", { image: Array.from({ length: 11 }, () => catUrl) }],
    ["watermark", { watermark: "false" }],
    ["output_format", { output_format: "webp" }],
    ["prompt", { prompt: "" }],
  ])("is refused for its %s when it says %j", async (param, said) => {
    const { status, error } = await make(said);
    expect([status, error?.code, error?.param]).toEqual([400, "InvalidParameter", param]);
  });

  test("is refused without a model, and with a revoked key", async () => {
    expect(await make({ model: undefined })).toMatchObject({
      status: 400,
      error: { code: "MissingParameter", param: "model" },
    });
    expect(await make({}, "sk-sandbox-revoked")).toMatchObject({ status: 401 });
  });

  test("is refused when the prompt asks for that", async () => {
    expect(await make({ prompt: "x sandbox:status=429" })).toMatchObject({ status: 429 });
    expect(await make({ prompt: "x sandbox:filter" })).toMatchObject({
      status: 400,
      error: { code: "OutputImageSensitiveContentDetected" },
    });
    expect(await make({ prompt: "x sandbox:fail" })).toMatchObject({
      status: 200,
      data: [{ error: { code: "InternalServiceError" } }],
    });
    expect((await make({ prompt: "x sandbox:no-usage" })).usage).toBeUndefined();
  });
});
