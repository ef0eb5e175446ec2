// omni-fast and omni-fast-v2v: frames, references, and the video that is edited.
import { describe, expect, test } from "bun:test";
import { writeMp4 } from "../../../../sandbox/mp4/index.ts";
import { pngUrl } from "../../../harness/samples.ts";
import {
  create,
  envelopeOf,
  form,
  idOf,
  prompt,
  reaches,
  starts,
  startVideos,
  verdicts,
} from "../../../harness/videos.ts";
import { useStand } from "../../../harness/nodes/stand.ts";

const mebibyte = 1024 * 1024;
const bodyBytesMax = 24 * mebibyte;

const stand = useStand(() => startVideos(`server: { body_bytes_max: ${bodyBytesMax} }`));

const far = "https://images.example/fox.png";
const clip = "https://media.example/clip.mp4";

function fast(fields: object): object {
  return { model: "omni-fast", prompt, ...fields };
}

function edit(fields: object): object {
  return { model: "omni-fast-v2v", prompt, ...fields };
}

function images(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `https://images.example/${at}.png`);
}

function lastPost() {
  return starts(stand).at(-1);
}

/** A file of exactly this size that begins as a film does. */
function film(bytes: number): string {
  const content = Buffer.alloc(bytes);
  content.set(writeMp4({ width: 16, height: 16, seconds: 1 }));
  return content.toString("base64");
}

describe("omni-fast", () => {
  test("V-O1 everything it has a field for is taken, and the task is made", async () => {
    const bodies = [
      { seconds: "4", aspect_ratio: "16:9", resolution: "720p" },
      { seconds: "30", aspect_ratio: "9:16", resolution: "1080p" },
      { seconds: 10, aspect_ratio: "1:1", resolution: "2k" },
      { resolution: "4K" },
      { first_image_url: far },
      { first_image_url: pngUrl },
      { first_image_url: far, last_image_url: pngUrl },
      { images: [far, pngUrl] },
      { first_image_url: far, images: images(5) },
    ];
    const replies = await Promise.all(bodies.map((body) => create(stand.gateway, fast(body))));
    for (const reply of replies) await reaches(stand.gateway, idOf(reply), "completed");
  });

  test("V-O1 frames and references reach the vendor with their parts", async () => {
    const frames = { first_image_url: far, last_image_url: "https://images.example/end.png" };
    idOf(await create(stand.gateway, fast({ ...frames, seconds: "8" })));
    const items = lastPost()?.body?.["content"];
    expect(items).toEqual([
      { type: "text", text: prompt },
      { type: "image_url", image_url: { url: far }, role: "first_frame" },
      { type: "image_url", image_url: { url: frames.last_image_url }, role: "last_frame" },
    ]);
    idOf(await create(stand.gateway, fast({ images: [far] })));
    expect(lastPost()?.body?.["content"]).toContainEqual({
      type: "image_url",
      image_url: { url: far },
      role: "reference_image",
    });
  });

  test("V-O1 five images are taken, six are not", async () => {
    const bodies = [fast({ images: images(5) }), fast({ images: images(6) })];
    expect(await verdicts(stand.gateway, bodies)).toEqual(["200", "400 images"]);
    const inForms = [5, 6].map((count) =>
      create(stand.gateway, form({ model: "omni-fast", prompt, "images[]": images(count) })),
    );
    const statuses = (await Promise.all(inForms)).map(({ status }) => status);
    expect(statuses).toEqual([200, 400]);
  });

  test("V-O1 a wrong field is a 400 that names it, and nothing is sent", async () => {
    const before = starts(stand).length;
    const rows: [object, string][] = [
      [{ last_image_url: far }, "last_image_url"],
      [{ video: clip }, "video"],
      [{ video_url: clip }, "video_url"],
      [{ input_video: clip }, "input_video"],
      [{ first_image_url: "fox.png" }, "first_image_url"],
      [{ first_image_url: 7 }, "first_image_url"],
      [{ first_image_url: "data:video/mp4;base64,AAAAGGZ0eXBtcDQy" }, "first_image_url"],
      [{ first_image_url: "http://localhost/a.png" }, "first_image_url"],
      [{ images: [far, "../fox.png"] }, "images.1"],
      [{ seconds: "0" }, "seconds"],
      [{ seconds: "61" }, "seconds"],
      [{ seconds: "eight" }, "seconds"],
      [{ aspect_ratio: "wide" }, "aspect_ratio"],
      [{ resolution: "huge" }, "resolution"],
    ];
    const bodies = rows.map(([fields]) => fast(fields));
    const expected = rows.map(([, param]) => `400 ${param}`);
    expect(await verdicts(stand.gateway, bodies)).toEqual(expected);
    expect(starts(stand).length).toBe(before);
  });
});

describe("omni-fast-v2v", () => {
  test("V-O2 the video comes in one of three fields, and each is served", async () => {
    const ids: string[] = [];
    for (const name of ["video", "video_url", "input_video"]) {
      ids.push(idOf(await create(stand.gateway, edit({ [name]: clip, seconds: "10" }))));
      expect(lastPost()?.body?.[name]).toBe(clip);
    }
    const small = `data:video/mp4;base64,${film(4096)}`;
    ids.push(idOf(await create(stand.gateway, edit({ video: small, first_image_url: far }))));
    for (const id of ids) await reaches(stand.gateway, id, "completed");
  });

  test("V-O2 video comes before video_url, and that before input_video", async () => {
    const wrong = "nothing";
    const rows: [object, string][] = [
      [{ video: clip, video_url: wrong, input_video: wrong }, "200"],
      [{ video: wrong, video_url: clip, input_video: clip }, "400 video"],
      [{ video_url: clip, input_video: wrong }, "200"],
      [{ video_url: wrong, input_video: clip }, "400 video_url"],
      [{ video: "", video_url: null, input_video: clip }, "200"],
    ];
    const bodies = rows.map(([fields]) => edit(fields));
    expect(await verdicts(stand.gateway, bodies)).toEqual(rows.map(([, verdict]) => verdict));
  });

  test("V-O2 without a video it is a 400 whose param is video", async () => {
    const before = starts(stand).length;
    for (const fields of [{}, { images: [far] }, { video: "" }, { video: null }]) {
      const reply = await create(stand.gateway, edit(fields));
      expect([reply.status, envelopeOf(reply)]).toEqual([400, "a"]);
      expect(reply.body).toMatchObject({ error: { param: "video", code: "invalid_request" } });
    }
    const inForm = await create(stand.gateway, form({ model: "omni-fast-v2v", prompt }));
    expect(inForm.body).toMatchObject({ error: { param: "video" } });
    const rows: [object, string][] = [
      [{ video: [clip, clip] }, "video"],
      [{ video: "data:image/png;base64,iVBORw0KGgo=" }, "video"],
      [{ video: "data:video/webm;base64,GkXfow==" }, "video"],
      [{ video: "clip.mp4" }, "video"],
      [{ video: clip, images: images(6) }, "images"],
    ];
    const bodies = rows.map(([body]) => edit(body));
    const expected = rows.map(([, param]) => `400 ${param}`);
    expect(await verdicts(stand.gateway, bodies)).toEqual(expected);
    expect(starts(stand).length).toBe(before);
    expect(await verdicts(stand.gateway, [edit({ video: clip, images: images(5) })])).toEqual([
      "200",
    ]);
  });

  test("V-O2 a video of fifteen megabytes is taken, one byte more is a 413", async () => {
    const uri = (bytes: number) => `data:video/mp4;base64,${film(bytes)}`;
    const taken = await create(stand.gateway, edit({ video: uri(15 * mebibyte) }));
    expect(taken.status).toBe(200);
    const before = starts(stand).length;
    const refused = await create(stand.gateway, edit({ video: uri(15 * mebibyte + 1) }));
    expect([refused.status, envelopeOf(refused)]).toEqual([413, "a"]);
    expect(refused.body).toMatchObject({ error: { code: "request_body_too_large" } });
    expect(starts(stand).length).toBe(before);
  });

  test("V-O2 Q5 a body over the limit is a 413, as JSON and as a form", async () => {
    const filler = "x".repeat(bodyBytesMax);
    const file = new File([new Uint8Array(bodyBytesMax)], "clip.mp4", { type: "video/mp4" });
    const bodies = [
      edit({ video: clip, filler }),
      form({ model: "omni-fast-v2v", prompt, video: file }),
    ];
    for (const body of bodies) {
      const reply = await create(stand.gateway, body);
      expect([reply.status, envelopeOf(reply)]).toEqual([413, "a"]);
      expect(reply.body).toMatchObject({ error: { code: "request_body_too_large" } });
    }
  });

  test("V-O2 N4 a form carries the video as a file", async () => {
    const bytes = writeMp4({ width: 64, height: 64, seconds: 4 });
    const file = new File([Buffer.from(bytes)], "clip.mp4", { type: "video/mp4" });
    const reply = await create(
      stand.gateway,
      form({ model: "omni-fast-v2v", prompt, video: file, seconds: "4" }),
    );
    await reaches(stand.gateway, idOf(reply), "completed");
  });
});
