// Images from a prompt: what may be said, what comes back, and that it is a picture.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { png } from "../../harness/samples.ts";
import {
  ask,
  bytesOf,
  picturesOf,
  sizeOf,
  spoolIsEmpty,
  startImages,
  verdict,
  type ImageStand,
} from "../../harness/images/stand.ts";
import { decodePicture } from "../../harness/images/decode.ts";

setDefaultTimeout(60_000);

const prompt = "A fox in the snow";
const flare = "imageA-2.5-flare";
const models = [
  "imageA-1",
  "imageA-2",
  "imageA-2-pro",
  "imageA-2-vip",
  flare,
  "imageA-2.5-sunburst",
  "imageG-4-0-250828",
  "imageH-3-pro-image-preview",
  "imageH-3.1-flash-lite-image",
];
const sizes = [
  ["1024x1024", "1536x1152", "1536x1024", "1024x1536", "1920x1080", "1080x1920"],
  ["2048x2048", "2048x1536", "2560x1712", "1712x2560", "2048x1152", "1152x2048"],
  ["2880x2880", "3840x2880", "3840x2560", "2560x3840", "3840x2160", "2160x3840"],
].flat();

let stand: ImageStand;

beforeAll(async () => {
  stand = await startImages();
});

afterAll(async () => {
  await spoolIsEmpty(stand.gateway);
  await stand[Symbol.asyncDispose]();
});

describe("a request for images", () => {
  test("I7 I4 every model of the three families answers with a link that opens and is a picture", async () => {
    for (const model of models) {
      const before = Math.floor(Date.now() / 1000);
      const answer = await ask(stand.gateway, { model, prompt });
      const [picture] = await picturesOf(answer);
      expect([model, answer.items.length]).toEqual([model, 1]);
      expect(Object.keys(answer.items[0] ?? {})).toEqual(["url"]);
      expect(answer.body["created"]).toBeGreaterThanOrEqual(before);
      expect(picture?.width).toBeGreaterThanOrEqual(1024);
      expect([model, picture && sizeOf(picture)]).toEqual([model, String(answer.body["size"])]);
      expect(String(answer.body["output_format"])).toBe(String(picture?.type));
    }
  });

  test("I7 the same models give base64 where it is asked for", async () => {
    for (const model of models) {
      const answer = await ask(stand.gateway, { model, prompt, response_format: "b64_json" });
      const [picture] = await picturesOf(answer);
      expect([model, Object.keys(answer.items[0] ?? {})]).toEqual([model, ["b64_json"]]);
      expect(picture?.width).toBeGreaterThanOrEqual(1024);
    }
  });

  test("I1 a model and a prompt are required", async () => {
    expect(await verdict(stand.gateway, { prompt })).toBe("400 invalid_request model");
    expect(await verdict(stand.gateway, { model: "", prompt })).toBe("400 invalid_request model");
    expect(await verdict(stand.gateway, { model: 7, prompt })).toBe("400 invalid_request model");
    for (const model of models) {
      expect(await verdict(stand.gateway, { model })).toBe("400 invalid_request prompt");
      expect(await verdict(stand.gateway, { model, prompt: 7 })).toBe("400 invalid_request prompt");
    }
  });

  test("Q4 a model that nobody serves is not found, and no client need try again", async () => {
    for (const model of ["imageZ-9", "chatA", "videoB-2"]) {
      const answer = await ask(stand.gateway, { model, prompt });
      expect([answer.status, answer.headers.get("x-should-retry")]).toEqual([503, "false"]);
      expect(answer.body).toMatchObject({
        error: { code: "model_not_found", type: "invalid_request_error", param: "model" },
      });
    }
  });

  test("I1 n is 1 where it is 0 or absent, as many as are asked for otherwise, within its limit", async () => {
    const count = async (model: string, n?: number) => {
      const answer = await ask(stand.gateway, { model, prompt, ...(n !== undefined && { n }) });
      return (await picturesOf(answer)).length;
    };
    for (const model of ["imageA-2", "imageG-4-0-250828", "imageH-3-pro-image-preview"]) {
      expect([model, await count(model)]).toEqual([model, 1]);
      expect([model, await count(model, 0)]).toEqual([model, 1]);
      expect([model, await count(model, 1)]).toEqual([model, 1]);
      expect([model, await count(model, 4)]).toEqual([model, 4]);
      for (const n of [-1, 1.5, "two", 1000]) {
        expect(await verdict(stand.gateway, { model, prompt, n })).toBe("400 invalid_request n");
      }
    }
  });

  test("I4 several pictures differ from one another", async () => {
    const answer = await ask(stand.gateway, { model: "imageA-2", prompt, n: 3 });
    const pictures = await picturesOf(answer);
    const seen = new Set(pictures.map(({ pixels }) => Bun.hash(pixels?.() ?? "")));
    expect(seen.size).toBe(3);
  });

  // The specification: `size` is an "actual WxH value from the table below", for both models.
  test("I2 both 2.5 models make each of the eighteen sizes exactly as asked", async () => {
    for (const model of [flare, "imageA-2.5-sunburst"]) {
      for (const size of sizes) {
        const answer = await ask(stand.gateway, { model, prompt, size });
        const [picture] = await picturesOf(answer);
        const made = picture && sizeOf(picture);
        expect([model, made, answer.body["size"]]).toEqual([model, size, size]);
      }
    }
  });

  test("I2 any other size of theirs is refused as what it is", async () => {
    const misses = ["1024x1023", "1025x1024", "1920x1088", "3840x2161", "4096x4096", "512x512"];
    for (const model of [flare, "imageA-2.5-sunburst"]) {
      for (const size of [...misses, "1K", "auto", "large", ""]) {
        const answer = await ask(stand.gateway, { model, prompt, size });
        // Nothing said is nothing wrong.
        if (size === "") continue;
        expect([size, answer.status]).toEqual([size, 400]);
        expect(answer.body).toMatchObject({
          error: { code: "invalid_size", type: "gateway_api_error", param: "size" },
        });
      }
    }
  });

  test("I1 every quality is taken, and no other", async () => {
    for (const quality of ["low", "medium", "high", "xhigh", "max", "auto"]) {
      const answer = await ask(stand.gateway, { model: flare, prompt, quality });
      expect([quality, answer.status]).toEqual([quality, 200]);
      expect(stand.calls.at(-1)?.body?.["quality"]).toBe(quality);
    }
    for (const quality of ["best", "standard", 7]) {
      const said = await verdict(stand.gateway, { model: flare, prompt, quality });
      expect(said).toBe("400 invalid_request quality");
    }
  });

  test("I1 style and background go on to who understands them", async () => {
    const style = { name: "ink" };
    const said = { model: "imageA-2", prompt, style, background: "transparent" };
    expect(await verdict(stand.gateway, said)).toBe("200");
    expect(stand.calls.at(-1)?.body?.["background"]).toBe("transparent");
    expect(await verdict(stand.gateway, { ...said, style: 7 })).toBe("400 invalid_request style");
  });

  test("I1 a watermark that is refused is not one that nobody spoke of", async () => {
    const model = "imageG-4-0-250828";
    const watermarkOf = async (said: object) => {
      expect(await verdict(stand.gateway, { model, prompt, ...said })).toBe("200");
      return stand.calls.at(-1)?.body?.["watermark"];
    };
    expect(await watermarkOf({ watermark: false })).toBe(false);
    expect(await watermarkOf({ watermark: true })).toBe(true);
    expect(await watermarkOf({})).toBeUndefined();
    const wrong = { model, prompt, watermark: "perhaps" };
    expect(await verdict(stand.gateway, wrong)).toBe("400 invalid_request watermark");
  });

  test("I3 a reference may be base64, a data URI, an object, or a list of them", async () => {
    const uri = `data:image/png;base64,${png}`;
    const forms: object[] = [
      { image: png },
      { image: uri },
      { image: [png, uri] },
      { image: { url: uri } },
      { image: { image_url: uri } },
      { image: { b64_json: png } },
      { images: [{ image_url: { url: uri } }, png] },
    ];
    for (const said of forms) {
      const answer = await ask(stand.gateway, { model: flare, prompt, ...said });
      expect([said, answer.status]).toEqual([said, 200]);
      const files = [...(stand.calls.at(-1)?.form?.entries() ?? [])].filter(([name]) =>
        name.startsWith("image"),
      );
      expect([said, files.length]).toEqual([said, JSON.stringify(said).split(png).length - 1]);
    }
    for (const image of ["not base64!", 7, { name: "fox.png" }, "/etc/passwd"]) {
      const said = await verdict(stand.gateway, { model: flare, prompt, image });
      expect([image, said]).toEqual([image, "400 invalid_request image"]);
    }
  });

  test("N4 a form says the same as JSON", async () => {
    const form = new FormData();
    const fields = { model: flare, prompt, n: "2", size: "1536x1024", response_format: "b64_json" };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("image", new Blob([Buffer.from(png, "base64")], { type: "image/png" }), "fox.png");
    const pictures = await picturesOf(await ask(stand.gateway, form));
    expect(pictures.map(sizeOf)).toEqual(["1536x1024", "1536x1024"]);
    expect(stand.calls.at(-1)?.form?.get("image")).toBeInstanceOf(Blob);
  });

  test("I4 each format that is asked for is what comes", async () => {
    for (const format of ["png", "jpeg", "webp"] as const) {
      const answer = await ask(stand.gateway, { model: "imageA-2", prompt, output_format: format });
      const [picture] = await picturesOf(answer);
      expect([picture?.type, answer.body["output_format"]]).toEqual([format, format]);
    }
  });

  test("I4 a link opens as what it is, in part too, and for nobody without its signature", async () => {
    const { items } = await ask(stand.gateway, { model: "imageA-2", prompt });
    const url = items[0]?.url ?? "";
    const whole = await fetch(url);
    expect(whole.headers.get("content-type")).toBe("image/png");
    expect(whole.headers.get("x-content-type-options")).toBe("nosniff");
    expect(whole.headers.get("content-disposition")).toBe("inline");
    const bytes = await whole.bytes();
    expect(Number(whole.headers.get("content-length"))).toBe(bytes.length);
    const part = await fetch(url, { headers: { range: "bytes=10-19" } });
    expect(part.status).toBe(206);
    expect(await part.bytes()).toEqual(bytes.slice(10, 20));
    for (const wrong of [url.replace(/signature=.../, "signature=AAA"), url.split("?")[0] ?? ""]) {
      expect((await fetch(wrong)).status).toBe(403);
    }
    const expired = url.replace(/expires=\d+/, "expires=1700000000");
    expect((await fetch(expired)).status).toBe(403);
  });

  test("I4 the gpt-image names get base64 where nothing was said, as their vendor has it", async () => {
    for (const model of ["gpt-image-2", "gpt-image-2.5-flare"]) {
      const { items, status } = await ask(stand.gateway, { model, prompt });
      expect([status, Object.keys(items[0] ?? {})]).toEqual([200, ["b64_json"]]);
      const linked = await ask(stand.gateway, { model, prompt, response_format: "url" });
      expect(Object.keys(linked.items[0] ?? {})).toEqual(["url"]);
      expect(decodePicture(await bytesOf(linked.items[0] ?? {})).type).toBe("png");
    }
    const wrong = { model: "imageA-2", prompt, response_format: "file" };
    expect(await verdict(stand.gateway, wrong)).toBe("400 invalid_request response_format");
  });

  test("Q6 A1 every refusal is in envelope A with a request id", async () => {
    const bad = await ask(
      stand.gateway,
      { model: flare, prompt },
      { key: "sk-nobody-000000000000" },
    );
    expect([bad.status, bad.body]).toMatchObject([401, { error: { code: "invalid_api_key" } }]);
    const broken = await stand.gateway.post("/v1/images/generations", "{");
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { code: "invalid_request" } });
    for (const { headers } of [bad, broken]) expect(headers.get("x-request-id")).toMatch(/^req_/);
  });
});
