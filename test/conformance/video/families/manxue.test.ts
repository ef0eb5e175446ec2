// manxue-2.0: lengths, ratios, resolutions, and the items of its content.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../../src/core/json.ts";
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

const far = "https://images.example/fox.png";
const sound = "https://media.example/wind.mp3";

function ask(fields: object): object {
  return { model: "manxue-2.0", prompt, ...fields };
}

function image(role: string, url = far): JsonObject {
  return { type: "image_url", image_url: { url }, role };
}

const audio = { type: "audio_url", audio_url: { url: sound }, role: "reference_audio" };
const text = { type: "text", text: prompt };

function lastPost() {
  return starts(stand).at(-1);
}

async function expectVerdicts(rows: readonly (readonly [object, string])[]): Promise<void> {
  const bodies = rows.map(([fields]) => ask(fields));
  expect(await verdicts(stand.gateway, bodies)).toEqual(rows.map(([, verdict]) => verdict));
}

describe("manxue-2.0", () => {
  test("V-M1 seconds are whole, 4 to 15, in a text or a number", async () => {
    await expectVerdicts([
      [{ seconds: "4" }, "200"],
      [{ seconds: "15" }, "200"],
      [{ seconds: 5 }, "200"],
      [{ seconds: "3" }, "400 seconds"],
      [{ seconds: "16" }, "400 seconds"],
      [{ seconds: "4.5" }, "400 seconds"],
      [{ seconds: "-4" }, "400 seconds"],
      [{ seconds: "five" }, "400 seconds"],
    ]);
    idOf(await create(stand.gateway, ask({ seconds: "15" })));
    expect(lastPost()?.body?.["duration"]).toBe(15);
  });

  test("V-M1 the ratio is one of six", async () => {
    for (const ratio of ["16:9", "9:16", "1:1", "3:4", "4:3", "21:9"]) {
      const reply = await create(stand.gateway, ask({ ratio }));
      expect([ratio, reply.status]).toEqual([ratio, 200]);
      expect(lastPost()?.body?.["ratio"]).toBe(ratio);
    }
    await expectVerdicts(
      ["2:1", "9:21", "16:10", "adaptive", 1].map((ratio) => [{ ratio }, "400 ratio"] as const),
    );
  });

  test("V-M1 the resolution is 480P or 720P in either case", async () => {
    for (const resolution of ["480P", "480p", "720P", "720p"]) {
      const reply = await create(stand.gateway, ask({ resolution }));
      expect([resolution, reply.status]).toEqual([resolution, 200]);
      expect(lastPost()?.body?.["resolution"]).toBe(resolution.toLowerCase());
    }
    await expectVerdicts(
      ["1080P", "768p", "2k", "720", 720].map(
        (resolution) => [{ resolution }, "400 resolution"] as const,
      ),
    );
  });

  test("V-M1 generate_audio is a truth and reaches the vendor", async () => {
    for (const [given, told] of [
      [true, true],
      [false, false],
      ["true", true],
    ]) {
      idOf(await create(stand.gateway, ask({ generate_audio: given })));
      expect(lastPost()?.body?.["generate_audio"]).toBe(told);
    }
    await expectVerdicts([[{ generate_audio: "yes" }, "400 generate_audio"]]);
  });

  test("V-M1 items of the three types reach the vendor with their roles", async () => {
    const contents = [
      [text, image("first_frame")],
      [text, image("first_frame"), image("last_frame", "https://images.example/end.png")],
      [text, image("reference_image"), image("reference_image", `${far}?2`), audio],
      [image("first_frame")],
    ];
    const ids: string[] = [];
    for (const content of contents) {
      const reply = await create(stand.gateway, ask({ content, generate_audio: true }));
      const media = content.filter((item) => item !== text);
      expect(lastPost()?.body?.["content"]).toEqual([text, ...media]);
      ids.push(idOf(reply));
    }
    for (const id of ids) await reaches(stand.gateway, id, "completed");
  });

  test("V-M1 markers such as @image1 stay in the prompt", async () => {
    const words = `@image1 runs, @image2 follows. ${prompt}`;
    const content = [
      { type: "text", text: words },
      image("reference_image"),
      image("reference_image", `${far}?2`),
    ];
    idOf(await create(stand.gateway, { model: "manxue-2.0", prompt: words, content }));
    const items = lastPost()?.body?.["content"] as object[];
    expect(items[0]).toEqual({ type: "text", text: words });
    expect(items).toHaveLength(3);
  });

  test("V-M1 a wrong item is a 400 that names the place, and nothing is sent", async () => {
    const before = starts(stand).length;
    const rows: [object, string][] = [
      [{ content: [text, image("first_frame", pngUrl)] }, "content.1.image_url.url"],
      [{ content: [image("reference_image", "fox.png")] }, "content.0.image_url.url"],
      [{ content: [image("reference_image", "http://10.0.0.1/a")] }, "content.0.image_url.url"],
      [{ content: [image("reference_image", "asset://a")] }, "content.0.image_url.url"],
      [{ content: [{ type: "image_url", role: "first_frame" }] }, "content.0.image_url.url"],
      [{ content: [{ ...audio, audio_url: {} }] }, "content.0.audio_url.url"],
      [{ content: [image("reference_audio")] }, "content.0.role"],
      [{ content: [image("middle_frame")] }, "content.0.role"],
      [{ content: [{ ...audio, role: "first_frame" }] }, "content.0.role"],
      [{ content: [text, image("last_frame")] }, "content.1.role"],
      [{ content: [image("first_frame"), image("first_frame")] }, "content.1.role"],
      [{ content: [{ type: "video_url", video_url: { url: far } }] }, "content.0.type"],
      [{ content: [{ text: "no type" }] }, "content.0.type"],
      [{ content: [{ type: "text" }] }, "content.0.text"],
      [{ content: ["text"] }, "content.0"],
      [{ content: "text" }, "content"],
      [{ content: {} }, "content"],
    ];
    await expectVerdicts(rows.map(([fields, param]) => [fields, `400 ${param}`]));
    const reply = await create(stand.gateway, ask({ seconds: "3" }));
    expect(envelopeOf(reply)).toBe("a");
    expect(starts(stand).length).toBe(before);
  });

  test("V-M1 N4 a form has its content as JSON", async () => {
    const content = JSON.stringify([text, image("first_frame")]);
    const fields = { model: "manxue-2.0", prompt, seconds: "4", generate_audio: "false", content };
    const reply = await create(stand.gateway, form(fields));
    await reaches(stand.gateway, idOf(reply), "completed");
    const post = starts(stand).at(-1);
    expect(post?.body).toMatchObject({ duration: 4, generate_audio: false });
    expect(post?.body?.["content"]).toEqual([text, image("first_frame")]);
  });
});
