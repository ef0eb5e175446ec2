// The official openai client makes and edits images: it sends JSON for one and forms for the other,
// and reads base64, links and streams.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { APIError, BadRequestError, OpenAI, toFile } from "openai";
import { drawPicture } from "../../sandbox/picture/index.ts";
import { rootKey } from "../harness/gateway.ts";
import { decodeBase64Picture, decodePicture } from "../harness/images/decode.ts";
import { eventOf, ImageHost, picture, streamOf } from "../harness/images/host.ts";
import { maskPng } from "../harness/images/mask.ts";
import { sizeOf, spoolIsEmpty, startImages, type ImageStand } from "../harness/images/stand.ts";

setDefaultTimeout(60_000);

let stand: ImageStand;
let client: OpenAI;
const host = new ImageHost();
const prompt = "A fox in the snow";
const drawn = drawPicture({ width: 64, height: 64, format: "png", seed: "fox" });

beforeAll(async () => {
  stand = await startImages();
  client = clientOf(rootKey);
  const channel = host.channel({ models: ["imageA-2-vip"], priority: 9 });
  await stand.gateway.control("POST", "/api/channel", channel);
});

afterAll(async () => {
  await spoolIsEmpty(stand.gateway);
  await stand[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${stand.gateway.url}/v1`, maxRetries: 0 });
}

async function fox(name = "fox.png") {
  return await toFile(Buffer.from(drawn), name, { type: "image/png" });
}

async function thrownBy(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("the call succeeded");
}

describe("the openai client", () => {
  test("I1 I4 generates by the vendor's own names, and gets base64 and usage", async () => {
    const made = await client.images.generate({
      model: "gpt-image-2",
      prompt,
      size: "1536x1024",
      n: 2,
    });
    expect(made.data).toHaveLength(2);
    for (const { b64_json: base64, url } of made.data ?? []) {
      expect(sizeOf(decodeBase64Picture(base64 ?? ""))).toBe("1536x1024");
      expect(url).toBeUndefined();
    }
    expect(made.usage?.total_tokens).toBeGreaterThan(0);
    expect(made.size).toBe("1536x1024");
  });

  test("I1 I4 generates by the gateway's names, and gets links or base64 as it asks", async () => {
    for (const model of ["imageA-2.5-flare", "imageG-4-0-250828", "imageH-3-pro-image-preview"]) {
      const linked = await client.images.generate({ model, prompt, response_format: "url" });
      const file = await fetch(linked.data?.[0]?.url ?? "");
      expect(decodePicture(await file.bytes()).width).toBeGreaterThanOrEqual(1024);
      const plain = await client.images.generate({ model, prompt, response_format: "b64_json" });
      expect(decodeBase64Picture(plain.data?.[0]?.b64_json ?? "").width).toBeGreaterThanOrEqual(
        1024,
      );
    }
  });

  test("I5 edits one file", async () => {
    const made = await client.images.edit({ model: "gpt-image-2", prompt, image: await fox() });
    expect(decodeBase64Picture(made.data?.[0]?.b64_json ?? "").type).toBe("png");
    expect(stand.calls.at(-1)?.path).toEndWith("/v1/images/edits");
  });

  test("I5 edits several files", async () => {
    const image = [await fox("one.png"), await fox("two.png"), await fox("three.png")];
    const made = await client.images.edit({
      model: "gpt-image-2",
      prompt,
      image,
      size: "1024x1536",
    });
    expect(sizeOf(decodeBase64Picture(made.data?.[0]?.b64_json ?? ""))).toBe("1024x1536");
    expect(stand.calls.at(-1)?.form?.getAll("image[]")).toHaveLength(3);
  });

  test("I5 edits where a mask lets it, and reads a link where it asks for one", async () => {
    const mask = await toFile(maskPng(64, 64), "mask.png", { type: "image/png" });
    const image = await fox();
    const made = await client.images.edit({
      model: "imageA-2",
      prompt,
      image,
      mask,
      response_format: "url",
    });
    expect(decodePicture(await (await fetch(made.data?.[0]?.url ?? "")).bytes()).type).toBe("png");
    expect(stand.calls.at(-1)?.form?.get("mask")).toBeInstanceOf(Blob);
  });

  test("I1 follows a stream from its unfinished pictures to the last", async () => {
    const stream = await client.images.generate({
      model: "gpt-image-2",
      prompt,
      stream: true,
      partial_images: 2,
    });
    const types: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      if ("b64_json" in event) expect(decodeBase64Picture(event.b64_json).width).toBe(1024);
      if (event.type === "image_generation.completed")
        expect(event.usage.total_tokens).toBeGreaterThan(0);
    }
    expect(types).toEqual([
      "image_generation.partial_image",
      "image_generation.partial_image",
      "image_generation.completed",
    ]);
  });

  test("I1 follows the stream of an edit, and of vendors that have none", async () => {
    const image = await fox();
    for (const model of ["gpt-image-2", "imageG-4-0-250828", "imageH-3-pro-image-preview"]) {
      const stream = await client.images.edit({ model, prompt, image, stream: true });
      let last = "";
      for await (const event of stream) last = event.type;
      expect([model, last]).toEqual([model, "image_edit.completed"]);
    }
  });

  test("I1 an error in a stream is thrown as one", async () => {
    const type = "image_generation.partial_image";
    host.script = () =>
      streamOf([
        eventOf({ type, b64_json: picture(), partial_image_index: 0 }),
        eventOf({ type: "error", error: { type: "server_error", message: "Out of paint." } }),
      ]);
    const stream = await client.images.generate({ model: "imageA-2-vip", prompt, stream: true });
    const seen: string[] = [];
    const failure = await thrownBy(
      (async () => {
        for await (const event of stream) seen.push(event.type);
      })(),
    );
    expect(seen).toEqual([type]);
    expect(failure).toBeInstanceOf(APIError);
    expect(failure).toMatchObject({ code: "bad_response", type: "server_error" });
  });

  test("I2 a size that is not made is a BadRequestError with its code", async () => {
    const call = client.images.generate({ model: "imageA-2.5-flare", prompt, size: "1000x1000" });
    const error = await thrownBy(call);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ code: "invalid_size", param: "size", status: 400 });
  });
});
