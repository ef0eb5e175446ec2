// videoD: one entry for four models, two tiers of references, whole seconds.
import { describe, expect, test } from "bun:test";
import { balanceOf } from "../../../harness/books.ts";
import { png, pngUrl } from "../../../harness/samples.ts";
import {
  create,
  envelopeOf,
  form,
  idOf,
  prompt,
  query,
  reaches,
  slowPrompt,
  starts,
  startVideos,
  verdicts,
} from "../../../harness/videos.ts";
import { useStand } from "../../../harness/nodes/stand.ts";

const stand = useStand(() => startVideos());

const normal = ["videoD-h3-768p", "videoD-h3-2k", "videoD-h3"];
const pro = ["videoD-h3-pro-768p", "videoD-h3-pro-2k"];
const far = "https://images.example/fox.png";
const clip = "https://media.example/clip.mp4";
const sound = "https://media.example/wind.mp3";

function urls(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `https://images.example/${at}.png`);
}

type Row = readonly [fields: object, verdict: string];

async function expectVerdicts(model: string, rows: readonly Row[]): Promise<void> {
  const bodies = rows.map(([fields]) => ({ model, prompt, duration: 4, ...fields }));
  const found = await verdicts(stand.gateway, bodies);
  expect([model, ...found]).toEqual([model, ...rows.map(([, verdict]) => verdict)]);
}

function lastBody() {
  return starts(stand).at(-1)?.body ?? {};
}

describe("length and model", () => {
  test("V-D1 duration is required, whole, and 4 to 15", async () => {
    for (const model of [...normal, ...pro]) {
      await expectVerdicts(model, [
        [{ duration: undefined }, "400 duration"],
        [{ duration: null }, "400 duration"],
        [{ duration: 3 }, "400 duration"],
        [{ duration: 4 }, "200"],
        [{ duration: 15 }, "200"],
        [{ duration: 16 }, "400 duration"],
        [{ duration: 4.5 }, "400 duration"],
        [{ duration: "4" }, "200"],
        [{ duration: "4.0" }, "400 duration"],
        [{ duration: -5 }, "400 duration"],
        [{ duration: "five" }, "400 duration"],
        [{ duration: true }, "400 duration"],
      ]);
    }
    const inForm = { model: "videoD-h3", prompt };
    expect((await create(stand.gateway, form(inForm))).body).toMatchObject({
      error: { param: "duration", type: "invalid_request_error" },
    });
    expect((await create(stand.gateway, form({ ...inForm, duration: "4" }))).status).toBe(200);
    idOf(await create(stand.gateway, { model: "videoD-h3-2k", prompt, duration: 15 }));
    expect(lastBody()).toMatchObject({ duration: 15 });
  });

  test("V-D2 each request resolves to its model, which the task shows", async () => {
    const rows: [object, string, string][] = [
      [{ model: "videoD-h3-768p" }, "videoD-h3-768p", "768P"],
      [{ model: "videoD-h3-2k" }, "videoD-h3-2k", "2K"],
      [{ model: "videoD-h3-pro-768p" }, "videoD-h3-pro-768p", "768P"],
      [{ model: "videoD-h3-pro-2k" }, "videoD-h3-pro-2k", "2K"],
      [{ model: "videoD-h3" }, "videoD-h3-768p", "768P"],
      [{ model: "videoD-h3", resolution: "768P" }, "videoD-h3-768p", "768P"],
      [{ model: "videoD-h3", resolution: "1080p" }, "videoD-h3-768p", "768P"],
      [{ model: "videoD-h3", resolution: "2K" }, "videoD-h3-2k", "2K"],
      [{ model: "videoD-h3", resolution: "2k" }, "videoD-h3-2k", "2K"],
      [{ model: "videoD-h3", video_resolution: "2K" }, "videoD-h3-2k", "2K"],
      [{ model: "videoD-h3", size: "2K" }, "videoD-h3-2k", "2K"],
      [{ model: "videoD-h3", size: "3840x2160" }, "videoD-h3-2k", "2K"],
      [{ model: "videoD-h3", resolution: "2160p" }, "videoD-h3-2k", "2K"],
      [{ model: "videoD-h3", size: "1280x720" }, "videoD-h3-768p", "768P"],
      [{ model: "videoD-h3-768p", resolution: "2K" }, "videoD-h3-768p", "768P"],
      [{ model: "videoD-h3-2k", resolution: "768P" }, "videoD-h3-2k", "2K"],
    ];
    for (const [fields, model, resolution] of rows) {
      const reply = await create(stand.gateway, { prompt, duration: 4, ...fields });
      expect([fields, reply.body["model"]]).toEqual([fields, model]);
      expect([fields, lastBody()["resolution"]]).toEqual([fields, resolution]);
      const { body } = await query(stand.gateway, `/v1/videos/${idOf(reply)}`);
      expect(body["model"]).toBe(model);
    }
  });

  test("V-D2 the single entry is never a pro model, not even for a reference video", async () => {
    await expectVerdicts("videoD-h3", [
      [{ referenceVideos: [clip] }, "400 referenceVideos"],
      [{ referenceVideos: [clip], resolution: "2K" }, "400 referenceVideos"],
      [{ referenceImages: urls(6), resolution: "2K" }, "400 referenceImages"],
    ]);
  });

  test("V-D3 a ratio that is missing or not supported is 16:9", async () => {
    for (const ratio of ["16:9", "9:16", "1:1", "21:9", "4:3", "3:4"]) {
      idOf(await create(stand.gateway, { model: "videoD-h3", prompt, duration: 4, ratio }));
      expect(lastBody()["ratio"]).toBe(ratio);
    }
    for (const ratio of [undefined, null, "", "2:1", "9:21", "wide", 7, ["9:16"]]) {
      idOf(await create(stand.gateway, { model: "videoD-h3", prompt, duration: 4, ratio }));
      expect([ratio, lastBody()["ratio"]]).toEqual([ratio, "16:9"]);
    }
  });
});

describe("references", () => {
  test("V-D4 reference images are at most five for the normal tier, nine for pro", async () => {
    for (const model of normal) {
      await expectVerdicts(model, [
        [{ referenceImages: urls(5) }, "200"],
        [{ referenceImages: urls(6) }, "400 referenceImages"],
      ]);
    }
    for (const model of pro) {
      await expectVerdicts(model, [
        [{ referenceImages: urls(9) }, "200"],
        [{ referenceImages: urls(10) }, "400 referenceImages"],
      ]);
    }
    idOf(
      await create(stand.gateway, {
        model: "videoD-h3",
        prompt,
        duration: 4,
        referenceImages: [far, pngUrl],
      }),
    );
    expect(lastBody()["content"]).toEqual([
      { type: "text", text: prompt },
      { type: "image_url", image_url: { url: far }, role: "reference_image" },
      { type: "image_url", image_url: { url: pngUrl }, role: "reference_image" },
    ]);
  });

  test("V-D4 local paths are a 400", async () => {
    const paths = ["./fox.png", "/home/fox.png", "C:\\fox.png", "file:///fox.png", "fox.png"];
    for (const path of paths) {
      await expectVerdicts("videoD-h3", [
        [{ referenceImages: [far, path] }, "400 referenceImages.1"],
        [{ first_image: path, last_image: far }, "400 first_image"],
      ]);
    }
  });

  test("V-D4 frames come as a pair and not with reference images", async () => {
    for (const model of ["videoD-h3", "videoD-h3-pro-2k"]) {
      await expectVerdicts(model, [
        [{ first_image: far, last_image: pngUrl }, "200"],
        [{ first_image: far }, "400 last_image"],
        [{ last_image: far }, "400 first_image"],
        [{ first_image: far, last_image: far, referenceImages: [far] }, "400 referenceImages"],
        [{ first_image: far, last_image: far, referenceImages: [] }, "200"],
      ]);
    }
  });

  test("V-D5 reference audios are at most three, only addresses are kept, and an image is needed", async () => {
    const referenceImages = [far];
    const sounds = Array.from({ length: 4 }, (_, at) => `${sound}?${at}`);
    await expectVerdicts("videoD-h3", [
      [{ referenceImages, referenceAudios: sounds.slice(0, 3) }, "200"],
      [{ referenceImages, referenceAudios: sounds }, "400 referenceAudios"],
      [{ referenceAudios: [sound] }, "400 referenceAudios"],
      [{ first_image: far, last_image: far, referenceAudios: [sound] }, "400 referenceAudios"],
      [{ referenceAudios: [] }, "200"],
    ]);
    const mixed = ["data:audio/mpeg;base64,SUQz", sound, "wind.mp3", 7, ...sounds.slice(0, 2)];
    idOf(
      await create(stand.gateway, {
        model: "videoD-h3",
        prompt,
        duration: 4,
        referenceImages,
        referenceAudios: mixed,
      }),
    );
    const items = lastBody()["content"] as { type: string; audio_url?: { url: string } }[];
    const told = items.flatMap(({ audio_url }) => (audio_url ? [audio_url.url] : []));
    expect(told).toEqual([sound, ...sounds.slice(0, 2)]);
  });

  test("V-D6 a reference video needs a pro model, which takes one", async () => {
    for (const model of normal) {
      await expectVerdicts(model, [[{ referenceVideos: [clip] }, "400 referenceVideos"]]);
    }
    for (const model of pro) {
      await expectVerdicts(model, [
        [{ referenceVideos: [clip] }, "200"],
        [{ referenceVideos: [clip, clip] }, "400 referenceVideos"],
        [{ referenceVideos: ["clip.mp4"] }, "400 referenceVideos.0"],
        [{ referenceVideos: [clip], referenceImages: [far], referenceAudios: [sound] }, "200"],
        [{ referenceVideos: [clip], first_image: far, last_image: far }, "200"],
      ]);
    }
  });

  test("V-D4 N4 files of a form are references", async () => {
    const file = () => new File([Buffer.from(png, "base64")], "a.png", { type: "image/png" });
    const fields = { model: "videoD-h3", prompt, duration: "4" };
    const reply = await create(
      stand.gateway,
      form({ ...fields, "referenceImages[]": [file(), file()] }),
    );
    await reaches(stand.gateway, idOf(reply), "completed");
    const five = Array.from({ length: 6 }, file);
    const many = await create(stand.gateway, form({ ...fields, "referenceImages[]": five }));
    expect([many.status, envelopeOf(many)]).toEqual([400, "a"]);
  });
});

describe("prompt, money and the end", () => {
  test("V-D7 a prompt has at most 7000 characters", async () => {
    const words = (count: number) => `${prompt} `.padEnd(count, "x");
    await expectVerdicts("videoD-h3", [
      [{ prompt: words(7000) }, "200"],
      [{ prompt: words(7001) }, "400 prompt"],
      // Seen by a reader, a picture is one character.
      [{ prompt: `${prompt} ${"🦊".repeat(7000 - prompt.length - 1)}` }, "200"],
    ]);
  });

  test("V-D8 it is billed by the second of output, and a failed task is not", async () => {
    const { id, key } = await stand.gateway.customer(10_000_000);
    const prices = { "videoD-h3-768p": 60_000, "videoD-h3-pro-2k": 180_000 };
    let spent = 0;
    for (const [model, second] of Object.entries(prices)) {
      const made = await create(stand.gateway, { model, prompt, duration: 7 }, { key });
      await reaches(stand.gateway, idOf(made), "completed", key);
      spent += 7 * second;
      expect(await balanceOf(stand.gateway, id)).toMatchObject({
        quota_micros: 10_000_000 - spent,
        held_micros: 0,
        used_micros: spent,
      });
    }
    const failing = { model: "videoD-h3-2k", prompt: `${prompt} sandbox:fail`, duration: 15 };
    const failed = await create(stand.gateway, failing, { key });
    await reaches(stand.gateway, idOf(failed), "failed", key);
    expect(await balanceOf(stand.gateway, id)).toMatchObject({
      quota_micros: 10_000_000 - spent,
      held_micros: 0,
      used_micros: spent,
    });
  });

  test("V-D9 completed_at is 0 until the end, which brings the duration", async () => {
    const slow = { model: "videoD-h3", prompt: slowPrompt, duration: 9 };
    const { body } = await query(
      stand.gateway,
      `/v1/videos/${idOf(await create(stand.gateway, slow))}`,
    );
    expect(body["completed_at"]).toBe(0);
    expect(body).not.toHaveProperty("duration");
    const made = await create(stand.gateway, { model: "videoD-h3", prompt, duration: 9 });
    const task = await reaches(stand.gateway, idOf(made), "completed");
    expect(task["duration"]).toBe(9);
    expect(Number(task["completed_at"])).toBeGreaterThanOrEqual(Number(task["created_at"]));
  });
});
