// Images from other images: as a form or as JSON, with a mask or without, on both addresses.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { maskPng } from "../../harness/images/mask.ts";
import {
  ask,
  picturesOf,
  sizeOf,
  spoolIsEmpty,
  startImages,
  verdict,
  type ImageStand,
} from "../../harness/images/stand.ts";
import { drawPicture } from "../../../sandbox/picture/index.ts";
import { rootKey } from "../../harness/gateway.ts";

setDefaultTimeout(60_000);

const prompt = "Make it night";
const paths = ["/v1/images/edits", "/v1/edits"];
const drawn = drawPicture({ width: 64, height: 64, format: "png", seed: "fox" });
const fox = new Blob([new Uint8Array(drawn)], { type: "image/png" });
const base64 = Buffer.from(drawn).toString("base64");
const uri = `data:image/png;base64,${base64}`;
const mask = new Blob([maskPng(64, 64)], { type: "image/png" });

let stand: ImageStand;

beforeAll(async () => {
  stand = await startImages();
});

afterAll(async () => {
  await spoolIsEmpty(stand.gateway);
  await stand[Symbol.asyncDispose]();
});

function form(fields: Record<string, string | Blob | Blob[]>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === "string") data.append(name, one);
      else data.append(name, one, "fox.png");
    }
  }
  return data;
}

function sentFiles(): string[] {
  const entries = [...(stand.calls.at(-1)?.form?.entries() ?? [])];
  return entries.flatMap(([name, value]) => (typeof value === "string" ? [] : [name]));
}

describe("an edit", () => {
  test("I5 one file, several and a mask come to the vendor from either address", async () => {
    for (const path of paths) {
      const fields = { model: "imageA-2", prompt, image: fox };
      const [picture] = await picturesOf(await ask(stand.gateway, form(fields), { path }));
      expect(picture?.width).toBeGreaterThan(0);
      expect(sentFiles()).toEqual(["image"]);
      await picturesOf(await ask(stand.gateway, form({ ...fields, mask }), { path }));
      expect(sentFiles()).toEqual(["image", "mask"]);
      for (const name of ["image", "image[]"]) {
        const several = form({ model: "imageA-2", prompt, [name]: [fox, fox, fox] });
        await picturesOf(await ask(stand.gateway, several, { path }));
        expect(sentFiles()).toEqual(["image[]", "image[]", "image[]"]);
      }
    }
  });

  test("I5 N4 JSON takes base64, a data URI and objects", async () => {
    for (const path of paths) {
      for (const image of [base64, uri, [uri, base64], { url: uri }, { image_url: uri }]) {
        const body = { model: "imageA-2.5-flare", prompt, image, size: "1024x1536" };
        const [picture] = await picturesOf(await ask(stand.gateway, body, { path }));
        expect(picture && sizeOf(picture)).toBe("1024x1536");
      }
      const masked = { model: "imageA-2", prompt, image: uri, mask: { image_url: maskUri() } };
      expect(await verdict(stand.gateway, masked, { path })).toBe("200");
      expect(sentFiles()).toEqual(["image", "mask"]);
    }
  });

  test("I5 I7 every family edits", async () => {
    for (const model of ["imageA-1", "imageG-4-0-250828", "imageH-3-pro-image-preview"]) {
      for (const body of [form({ model, prompt, image: fox }), { model, prompt, image: uri }]) {
        const pictures = await picturesOf(await ask(stand.gateway, body, { path: paths[0] ?? "" }));
        expect([model, pictures.length]).toEqual([model, 1]);
      }
    }
  });

  test("I5 a form without a quality is a standard one for imageA-1, and for no other", async () => {
    const qualityOf = async (body: object | FormData) => {
      expect(await verdict(stand.gateway, body, { path: "/v1/edits" })).toBe("200");
      return stand.calls.at(-1)?.form?.get("quality") ?? null;
    };
    const first = "imageA-1";
    expect(await qualityOf(form({ model: first, prompt, image: fox }))).toBe("medium");
    const said = form({ model: first, prompt, image: fox, quality: "high" });
    expect(await qualityOf(said)).toBe("high");
    expect(await qualityOf({ model: first, prompt, image: uri })).toBeNull();
    const other = form({ model: "imageA-2", prompt, image: fox });
    expect(await qualityOf(other)).toBeNull();
  });

  test("I5 the model may be left out", async () => {
    const answer = await ask(stand.gateway, form({ prompt, image: fox }), { path: "/v1/edits" });
    expect(await picturesOf(answer)).toHaveLength(1);
    expect(stand.calls.at(-1)?.form?.get("model")).toBe("gpt-image-2");
  });

  test("I5 an image and a prompt are required", async () => {
    for (const path of paths) {
      const model = "imageA-2";
      expect(await verdict(stand.gateway, { model, prompt }, { path })).toBe(
        "400 invalid_request image",
      );
      const mute = { model, image: uri };
      expect(await verdict(stand.gateway, mute, { path })).toBe("400 invalid_request prompt");
    }
  });

  test("I5 a form that cannot be read is an invalid request, in envelope A", async () => {
    const types = [
      "multipart/form-data",
      "multipart/form-data; boundary=",
      "multipart/form-data; boundary=x",
    ];
    for (const path of [...paths, "/v1/images/generations"]) {
      for (const type of types) {
        for (const body of ["no form at all", "--x\r\nbroken", "--y\r\n\r\n--y--"]) {
          const response = await fetch(stand.gateway.url + path, {
            method: "POST",
            headers: { authorization: `Bearer ${rootKey}`, "content-type": type },
            body,
          });
          const answer: unknown = await response.json();
          expect([type, body, response.status]).toEqual([type, body, 400]);
          expect(answer).toMatchObject({
            error: { code: "invalid_request", type: "invalid_request_error" },
          });
        }
      }
    }
  });

  test("I5 what is said once more is said: links, base64, or both where nobody asked", async () => {
    const keysOf = async (said: Record<string, string>) => {
      const fields = { model: "imageA-2", prompt, image: fox, ...said };
      const answer = await ask(stand.gateway, form(fields), { path: "/v1/images/edits" });
      return Object.keys(answer.items[0] ?? {});
    };
    expect(await keysOf({ response_format: "url" })).toEqual(["url"]);
    expect(await keysOf({ response_format: "b64_json" })).toEqual(["b64_json"]);
    expect(await keysOf({})).toEqual(["url", "b64_json"]);
    expect(await keysOf({ model: "gpt-image-2" })).toEqual(["b64_json"]);
    const both = await ask(stand.gateway, form({ prompt, image: fox }), { path: "/v1/edits" });
    const [item = {}] = both.items;
    const linked = await (await fetch(item.url ?? "")).bytes();
    expect(Buffer.from(linked).toString("base64") === item.b64_json).toBe(true);
  });

  test("hazard E1 a reference on a private network is refused, and nothing is fetched or sent", async () => {
    const before = stand.calls.length;
    const hosts = ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "10.0.0.1", "0x7f000001"];
    for (const host of hosts) {
      const url = `http://${host}:8080/fox.png`;
      for (const said of [{ image: url }, { image: [url] }, { image: { image_url: url } }]) {
        const body = { model: "imageA-2", prompt, ...said };
        const answer = await ask(stand.gateway, body, { path: "/v1/images/edits" });
        expect([url, answer.status]).toEqual([url, 400]);
      }
      const masked = { model: "imageA-2", prompt, image: uri, mask: url };
      expect(await verdict(stand.gateway, masked, { path: "/v1/edits" })).toStartWith("400");
    }
    expect(stand.calls.length).toBe(before);
  });
});

function maskUri(): string {
  return `data:image/png;base64,${Buffer.from(maskPng(64, 64)).toString("base64")}`;
}
