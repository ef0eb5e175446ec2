// videoC 1.5: a form with texts, or the same as JSON; the model's name fixes the resolution.
import { expect, test } from "bun:test";
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

const stand = useStand(() => startVideos());

const model = "videoC-1-5-pro_720p";
const far = "https://images.example/fox.png";

async function expectVerdicts(rows: readonly (readonly [object, string])[]): Promise<void> {
  const bodies = rows.map(([fields]) => ({ model, prompt, ...fields }));
  expect(await verdicts(stand.gateway, bodies)).toEqual(rows.map(([, verdict]) => verdict));
}

test("V-C4 the suffix of the model fixes the resolution, in forms and in JSON", async () => {
  for (const resolution of ["480p", "720p", "1080p"]) {
    const fields = { model: `videoC-1-5-pro_${resolution}`, prompt, seconds: "4" };
    for (const body of [form(fields), fields, form({ ...fields, resolution: "4k" })]) {
      const reply = await create(stand.gateway, body);
      expect(reply.body).toMatchObject({ model: fields.model, status: "queued", video_url: "" });
      expect(starts(stand).at(-1)?.body).toMatchObject({ resolution, duration: 4 });
    }
  }
});

test("V-C4 seconds are 4 to 11", async () => {
  await expectVerdicts([
    [{ seconds: "4" }, "200"],
    [{ seconds: "11" }, "200"],
    [{ seconds: 7 }, "200"],
    [{ seconds: "3" }, "400 seconds"],
    [{ seconds: "12" }, "400 seconds"],
    [{ seconds: "5.5" }, "400 seconds"],
    [{ seconds: "" }, "200"],
  ]);
  for (const [seconds, status] of [
    ["4", 200],
    ["11", 200],
    ["3", 400],
    ["12", 400],
  ] as const) {
    const reply = await create(stand.gateway, form({ model, prompt, seconds }));
    expect([seconds, reply.status]).toEqual([seconds, status]);
    if (status === 400) expect(envelopeOf(reply)).toBe("a");
  }
});

test("V-C4 the size is one of eight, none of them in pixels", async () => {
  const told = { keep_ratio: "adaptive" } as Readonly<Record<string, string>>;
  const ratios = ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9", "keep_ratio", "adaptive"];
  for (const size of ratios) {
    const fields = { model, prompt, size, first_frame_image: far };
    expect([size, (await create(stand.gateway, form(fields))).status]).toEqual([size, 200]);
    expect(starts(stand).at(-1)?.body?.["ratio"]).toBe(told[size] ?? size);
  }
  await expectVerdicts(
    ["1280x720", "2:1", "keep", "720p"].map((size) => [{ size }, "400 size"] as const),
  );
});

test("V-C4 frames are public URLs", async () => {
  const frames = { first_frame_image: far, last_frame_image: `${far}?end` };
  const reply = await create(stand.gateway, form({ model, prompt, ...frames }));
  expect(starts(stand).at(-1)?.body?.["content"]).toEqual([
    { type: "text", text: prompt },
    { type: "image_url", image_url: { url: far }, role: "first_frame" },
    { type: "image_url", image_url: { url: `${far}?end` }, role: "last_frame" },
  ]);
  await reaches(stand.gateway, idOf(reply), "completed");
  const before = starts(stand).length;
  await expectVerdicts([
    [{ first_frame_image: "fox.png" }, "400 first_frame_image"],
    [{ first_frame_image: pngUrl }, "400 first_frame_image"],
    [{ first_frame_image: "http://127.0.0.1/fox.png" }, "400 first_frame_image"],
    [{ first_frame_image: far, last_frame_image: "end.png" }, "400 last_frame_image"],
  ]);
  expect(starts(stand).length).toBe(before);
});

test("V-C4 N4 a file in a frame's field is that frame", async () => {
  const bytes = Buffer.from(pngUrl.slice(pngUrl.indexOf(",") + 1), "base64");
  const file = new File([bytes], "fox.png", { type: "image/png" });
  const reply = await create(stand.gateway, form({ model, prompt, first_frame_image: file }));
  await reaches(stand.gateway, idOf(reply), "completed");
  expect(starts(stand).at(-1)?.body?.["content"]).toContainEqual({
    type: "image_url",
    image_url: { url: pngUrl },
    role: "first_frame",
  });
});

test("Q5 V-C4 a form that cannot be read is a 400 invalid_request", async () => {
  const response = await fetch(`${stand.gateway.url}/v1/videos`, {
    method: "POST",
    headers: {
      authorization: "Bearer sk-test-root-key-0123456789abcdef",
      "content-type": "multipart/form-data; boundary=none",
    },
    body: "this is no form",
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: "invalid_request" } });
});
