// videoA: what a request may say, and what its maker is told.
import { describe, expect, test } from "bun:test";
import { png, pngUrl } from "../../../harness/samples.ts";
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

const stand = useStand(() => startVideos());

const model = "videoA_3_1";
const far = "https://images.example/fox.png";
const image = { bytesBase64Encoded: png, mimeType: "image/png" };

const made: string[] = [];

/** Request to the vendor for this body. */
async function sent(body: object): Promise<Record<string, unknown>> {
  const reply = await create(stand.gateway, { model, prompt, ...body });
  made.push(idOf(reply));
  expect(reply.body["model"]).toBe(model);
  const posts = starts(stand);
  return posts.at(-1)?.body ?? {};
}

describe("what videoA takes", () => {
  test("V-A1 sizes and durations reach the maker in its words", async () => {
    const rows = [
      [{ size: "1280x720" }, { aspectRatio: "16:9", resolution: "720p", durationSeconds: 8 }],
      [{ size: "720x1280" }, { aspectRatio: "9:16", resolution: "720p", durationSeconds: 8 }],
      [{ size: "1920x1080" }, { aspectRatio: "16:9", resolution: "1080p", durationSeconds: 8 }],
      [{ duration: 4 }, { durationSeconds: 4 }],
      [{ duration: 6 }, { durationSeconds: 6 }],
      [{ duration: "8" }, { durationSeconds: 8 }],
      [{}, { durationSeconds: 8 }],
    ] as const;
    for (const [body, parameters] of rows) {
      const { instances, parameters: said } = await sent(body);
      expect([body, said]).toEqual([body, { sampleCount: 1, ...parameters }]);
      expect(instances).toEqual([{ prompt }]);
    }
  });

  test("V-A1 a length of ten seconds is served where the first maker has none", async () => {
    const body = await sent({ duration: 10, size: "1280x720" });
    expect(body).toEqual({ model, prompt, duration: 10, size: "1280x720" });
  });

  test("V-A1 input_reference is base64 or a data URI, one or several", async () => {
    for (const input_reference of [png, pngUrl, [png], [pngUrl]]) {
      expect((await sent({ input_reference }))["instances"]).toEqual([{ prompt, image }]);
    }
    const { instances } = await sent({ input_reference: [pngUrl, png] });
    const reference = { image, referenceType: "asset" };
    expect(instances).toEqual([{ prompt, referenceImages: [reference, reference] }]);
  });

  test("V-A1 N21 input_reference is a URL, which nobody here fetches", async () => {
    for (const input_reference of [far, [far], [far, far]]) {
      expect(await sent({ input_reference })).toEqual({ model, prompt, input_reference });
    }
  });

  test("V-A1 N4 a form carries the same, with files as references", async () => {
    const file = new File([Buffer.from(png, "base64")], "fox.png", { type: "image/png" });
    const fields = { model, prompt, duration: "4", size: "1280x720" };
    const reply = await create(stand.gateway, form({ ...fields, input_reference: file }));
    await reaches(stand.gateway, idOf(reply), "completed");
    const body = starts(stand).at(-1)?.body;
    expect(body?.["instances"]).toEqual([{ prompt, image }]);
    expect(body?.["parameters"]).toMatchObject({ durationSeconds: 4, aspectRatio: "16:9" });
  });
});

describe("what videoA makes", () => {
  test("V-A1 everything that was taken is completed", async () => {
    for (const id of made) await reaches(stand.gateway, id, "completed");
  });
});

describe("what videoA refuses", () => {
  test("V-A1 each wrong field is a 400 that names it, and nothing is sent", async () => {
    const before = starts(stand).length;
    const rows: [object, string][] = [
      [{ size: "big" }, "size"],
      [{ size: 7 }, "size"],
      [{ size: "1280x720x3" }, "size"],
      [{ duration: 0 }, "duration"],
      [{ duration: -8 }, "duration"],
      [{ duration: 4.5 }, "duration"],
      [{ duration: "0x10" }, "duration"],
      [{ duration: " 8 " }, "duration"],
      [{ duration: "1e1" }, "duration"],
      [{ duration: 61 }, "duration"],
      [{ duration: [8] }, "duration"],
      [{ input_reference: 7 }, "input_reference"],
      [{ input_reference: "/etc/passwd" }, "input_reference"],
      [{ input_reference: "file:///etc/passwd" }, "input_reference"],
      [{ input_reference: "ftp://images.example/fox.png" }, "input_reference"],
      [{ input_reference: "http://127.0.0.1/fox.png" }, "input_reference"],
      [{ input_reference: "http://169.254.169.254/latest" }, "input_reference"],
      [{ input_reference: "data:text/plain;base64,aGVsbG8=" }, "input_reference"],
      [{ input_reference: "data:image/png;base64,***" }, "input_reference"],
      [{ input_reference: "asset://asset_1" }, "input_reference"],
      [{ input_reference: [far, "nothing"] }, "input_reference.1"],
    ];
    const bodies = rows.map(([fields]) => ({ model, prompt, ...fields }));
    const expected = rows.map(([, param]) => `400 ${param}`);
    expect(await verdicts(stand.gateway, bodies)).toEqual(expected);
    const reply = await create(stand.gateway, { model, prompt, size: "big" });
    expect(envelopeOf(reply)).toBe("a");
    expect(starts(stand).length).toBe(before);
  });
});
