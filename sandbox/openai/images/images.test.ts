// OpenAI's images over real HTTP, asked for by hand and by the vendor's own client.
import { afterAll, describe, expect, test } from "bun:test";
import OpenAI, { toFile } from "openai";
import { maskPng } from "../../../test/harness/images/mask.ts";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { readImageSize } from "../../../src/core/image-size.ts";
import { readEvents } from "../../../src/core/sse.ts";
import { drawPicture } from "../../picture/index.ts";
import { startSandbox } from "../../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const root = `${sandbox.url}/openai/v1`;
const client = new OpenAI({ apiKey: "sk-one", baseURL: root, maxRetries: 0 });
const model = "gpt-image-2.5-flare";
const isPng = { type: "image/png" };
const asked = { model, prompt: "a fox" };
const cat = drawPicture({ width: 64, height: 48, format: "png", seed: "cat" });
const dog = drawPicture({ width: 32, height: 32, format: "jpeg", seed: "dog" });

async function post(path: string, body: object | FormData): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(`${root}${path}`, {
    method: "POST",
    headers: { authorization: "Bearer sk-one" },
    body: isForm ? body : JSON.stringify(body),
  });
}

function pngAt(base64: string | undefined): object | null {
  return readImageSize("image/png", Buffer.from(base64 ?? "", "base64"));
}

function formOf(fields: Record<string, string | Uint8Array>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)], { type: "image/png" }), "a.png");
  }
  return form;
}

describe("a generation", () => {
  test("has distinct pictures of the asked size, and a count of tokens", async () => {
    const reply = await client.images.generate({ ...asked, n: 2, size: "1536x864" });
    expect(reply).toMatchObject({
      size: "1536x864",
      quality: "medium",
      background: "opaque",
      output_format: "png",
      usage: {
        input_tokens: 2,
        input_tokens_details: { text_tokens: 2, image_tokens: 0 },
        output_tokens: 2674,
        total_tokens: 2676,
      },
    });
    const pictures = reply.data?.map(({ b64_json: data }) => data) ?? [];
    expect(pictures.map(pngAt)).toEqual(Array(2).fill({ width: 1536, height: 864 }));
    expect(new Set(pictures).size).toBe(2);
    const again = await client.images.generate(asked);
    expect(pictures).not.toContain(again.data?.[0]?.b64_json);
  });

  test.each(["png", "jpeg", "webp"] as const)("comes as %s", async (format) => {
    const reply = await client.images.generate({ ...asked, output_format: format });
    const bytes = Buffer.from(reply.data?.[0]?.b64_json ?? "", "base64");
    expect(readImageSize(`image/${format}`, bytes)).toEqual({ width: 1024, height: 1024 });
  });

  test.each<[string, string, object]>([
    ["response_format", "unknown_parameter", { response_format: "b64_json" }],
    ["style", "unknown_parameter", { style: "vivid" }],
    ["watermark", "unknown_parameter", { watermark: false }],
    ["image", "unknown_parameter", { image: "https://images.example/a.png" }],
    ["seed", "unknown_parameter", { seed: 1 }],
    ["prompt", "missing_required_parameter", { prompt: undefined }],
    ["n", "invalid_value", { n: 11 }],
    ["n", "invalid_value", { n: 0 }],
    ["quality", "invalid_value", { quality: "standard" }],
    ["quality", "invalid_value", { model: "gpt-image-2", quality: "xhigh" }],
    ["size", "invalid_value", { model: "gpt-image-2", size: "1920x1080" }],
    ["size", "invalid_value", { model: "gpt-image-2", size: "3840x2880" }],
    ["size", "invalid_value", { size: "3856x1600" }],
    ["size", "invalid_value", { size: "3200x1024" }],
    ["size", "invalid_value", { size: "2K" }],
    ["size", "invalid_value", { model: "gpt-image-1.5", size: "2048x2048" }],
    ["background", "invalid_value", { background: "transparent", output_format: "jpeg" }],
    ["output_compression", "invalid_value", { output_compression: 50 }],
    ["partial_images", "invalid_value", { partial_images: 2 }],
    ["partial_images", "invalid_value", { stream: true, partial_images: 4 }],
  ])("is refused for %s with %s: %j", async (param, code, more) => {
    const response = await post("/images/generations", { ...asked, ...more });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param, code } });
  });

  test("takes null for nothing", async () => {
    const response = await post("/images/generations", { ...asked, size: null, n: null });
    expect(response.status).toBe(200);
  });
});

describe("an edit", () => {
  test("takes one file, or several with a mask", async () => {
    const one = await client.images.edit({ ...asked, image: await toFile(cat, "cat.png", isPng) });
    expect(pngAt(one.data?.[0]?.b64_json)).toEqual({ width: 1024, height: 1024 });
    expect(one.usage?.input_tokens_details.image_tokens).toBe(323);
    const files = [
      await toFile(cat, "cat.png", isPng),
      await toFile(dog, "dog.jpg", { type: "image/jpeg" }),
    ];
    const mask = await toFile(maskPng(64, 48), "mask.png", isPng);
    const several = await client.images.edit({
      ...asked,
      image: files,
      mask,
      n: 2,
      size: "2048x1152",
    });
    expect(several.data?.map(({ b64_json: data }) => pngAt(data))).toEqual(
      Array(2).fill({ width: 2048, height: 1152 }),
    );
    expect(several.usage?.input_tokens_details.image_tokens).toBe(646);
  });

  test.each<[string, Record<string, string | Uint8Array>]>([
    ["image", {}],
    ["image", { image: "https://images.example/a.png" }],
    ["image", { image: new TextEncoder().encode("no picture at all") }],
    ["image", { image: cat.subarray(0, 20) }],
    ["mask", { image: cat, mask: maskPng(48, 64) }],
    ["mask", { image: cat, mask: cat }],
    ["mask", { image: cat, mask: "text" }],
    ["response_format", { image: cat, response_format: "url" }],
    ["moderation", { image: cat, moderation: "low" }],
    ["n", { image: cat, n: "two" }],
    ["size", { image: cat, model: "gpt-image-2", size: "1080x1920" }],
  ])("is refused for %s", async (param, more) => {
    const response = await post("/images/edits", formOf({ ...asked, ...more }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param } });
  });

  test("is no JSON, has no field twice, and no more than sixteen images", async () => {
    expect((await post("/images/edits", { ...asked, image: "x" })).status).toBe(400);
    const twice = formOf({ ...asked, image: cat });
    twice.append("prompt", "another");
    const duplicate = await (await post("/images/edits", twice)).json();
    expect(duplicate).toMatchObject({ error: { param: "prompt", code: "duplicate_parameter" } });
    const many = formOf(asked);
    const file = new Blob([new Uint8Array(cat)], { type: "image/png" });
    for (let count = 0; count < 17; count++) many.append("image[]", file, "a.png");
    expect((await post("/images/edits", many)).status).toBe(400);
  });
});

describe("a stream", () => {
  test("shows unfinished pictures before each one", async () => {
    const stream = await client.images.generate({ ...asked, stream: true, partial_images: 2 });
    const seen: string[] = [];
    const pictures: string[] = [];
    for await (const event of stream) {
      seen.push(event.type);
      pictures.push(event.b64_json);
      expect(event).toMatchObject({ size: "1024x1024", quality: "medium", output_format: "png" });
      if (event.type === "image_generation.completed") {
        expect(event.usage.total_tokens).toBeGreaterThan(1000);
      } else expect(event.partial_image_index).toBe(pictures.length - 1);
    }
    expect(seen).toEqual([
      "image_generation.partial_image",
      "image_generation.partial_image",
      "image_generation.completed",
    ]);
    expect(new Set(pictures).size).toBe(3);
    expect(pictures.map(pngAt)).toEqual(Array(3).fill({ width: 1024, height: 1024 }));
  });

  test("of an edit has names of its own", async () => {
    const image = await toFile(cat, "cat.png", isPng);
    const stream = await client.images.edit({ ...asked, image, stream: true, partial_images: 1 });
    const seen = await Array.fromAsync(stream, ({ type }) => type);
    expect(seen).toEqual(["image_edit.partial_image", "image_edit.completed"]);
  });

  test("may break off", async () => {
    const prompt = "x sandbox:error-after=1";
    const body = { ...asked, prompt, stream: true, partial_images: 3 };
    const events = readEvents(await (await post("/images/generations", body)).text());
    expect(events.map(({ event }) => event)).toEqual(["image_generation.partial_image", "error"]);
  });
});

describe("the vendor, on demand,", () => {
  test.each([
    ["status=429", 429, "rate_limit_exceeded"],
    ["fail", 500, null],
    ["filter", 400, "moderation_blocked"],
  ])("refuses by sandbox:%s", async (directive, status, code) => {
    for (const stream of [true, false]) {
      const body = { ...asked, prompt: `x sandbox:${directive}`, stream };
      const response = await post("/images/generations", body);
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ error: { code } });
    }
  });

  test("leaves the tokens uncounted, and notes every call", async () => {
    const prompt = "x sandbox:no-usage";
    const reply = await client.images.generate({ ...asked, prompt, model: "seen-in-the-log" });
    expect(reply.usage).toBeUndefined();
    expect(sandbox.calls().recent).toContainEqual(
      expect.objectContaining({
        path: "/openai/v1/images/generations",
        model: "seen-in-the-log",
        stream: false,
        status: 200,
      }),
    );
  });
});
