// videoC 2.0: its own shape and envelope, media by address or asset alone, the table of statuses.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../../../harness/books.ts";
import { png } from "../../../harness/media-samples.ts";
import { ScriptedArk } from "../../../harness/scripted-ark.ts";
import { pngUrl } from "../../../harness/samples.ts";
import {
  create,
  envelopeOf,
  form,
  idOf,
  prompt,
  query,
  reaches,
  starts,
  startVideos,
  type Reply,
} from "../../../harness/videos.ts";
import { kept, useStand } from "../../../harness/nodes/stand.ts";

const ark = kept(new ScriptedArk());
const host = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => new Response(png(640, 480)),
});
const scripted = "videoC-2-0-fast-260128";

const stand = useStand(() => startVideos(`media: { private_hosts: ["127.0.0.1:${host.port}"] }`));

beforeAll(async () => {
  // Its priority keeps this model away from the sandbox.
  await stand.gateway.control(
    "POST",
    "/api/channel",
    ark.channel({ models: [scripted], priority: 9 }),
  );
});

afterAll(async () => {
  await host.stop(true);
});

const model = "videoC-2-0-260128";
const far = "https://images.example/fox.png";
const clip = "https://media.example/clip.mp4";
const sound = "https://media.example/wind.mp3";

async function ask(fields: object): Promise<Reply> {
  return await create(stand.gateway, { model, prompt, ...fields });
}

function lastBody() {
  return starts(stand).at(-1)?.body ?? {};
}

/** Every body is refused in envelope C, with a message about the field. */
async function expectRefused(rows: readonly (readonly [object, string])[]): Promise<void> {
  for (const [fields, word] of rows) {
    const reply = await ask(fields);
    expect([fields, reply.status, envelopeOf(reply)]).toEqual([fields, 400, "c"]);
    const { error } = reply.body as { error: { message: string; type: string } };
    expect(error.type).toBe("invalid_request_error");
    expect([word, error.message.includes(word)]).toEqual([word, true]);
  }
}

describe("what videoC 2.0 takes", () => {
  test("V-C1 the aspect ratio is one of six", async () => {
    for (const aspect_ratio of ["21:9", "16:9", "4:3", "1:1", "3:4", "9:16"]) {
      expect((await ask({ aspect_ratio })).status).toBe(200);
      expect(lastBody()["ratio"]).toBe(aspect_ratio);
    }
    await expectRefused(
      ["2:1", "9:21", "adaptive", "1280x720", 1].map((aspect_ratio) => [
        { aspect_ratio },
        "aspect_ratio",
      ]),
    );
  });

  test("V-C1 a size is in pixels, and a ratio there is a 400", async () => {
    expect((await ask({ size: "1280x720" })).status).toBe(200);
    expect(lastBody()).toMatchObject({ ratio: "16:9", resolution: "720p" });
    expect((await ask({ size: "720x1280" })).status).toBe(200);
    expect(lastBody()).toMatchObject({ ratio: "9:16", resolution: "720p" });
    await expectRefused(
      ["16:9", "9:16", "720p", "1280*720", 720].map((size) => [{ size }, "size"]),
    );
  });

  test("V-C1 duration, resolution, watermark and generate_audio reach the maker", async () => {
    const fields = { duration: 10, resolution: "1080P", watermark: false, generate_audio: true };
    expect((await ask(fields)).status).toBe(200);
    expect(lastBody()).toMatchObject({ ...fields, resolution: "1080p" });
    await expectRefused([
      [{ duration: 0 }, "duration"],
      [{ duration: 61 }, "duration"],
      [{ duration: "long" }, "duration"],
      [{ resolution: "2k" }, "resolution"],
      [{ model: "videoC-2-0-fast-260128", resolution: "1080p" }, "resolution"],
      [{ watermark: "maybe" }, "watermark"],
      [{ generate_audio: 1 }, "generate_audio"],
    ]);
  });

  test("V-C1 frames and references go by their URLs", async () => {
    const frames = { first_image: far, last_image: `${far}?end` };
    expect((await ask(frames)).status).toBe(200);
    const item = (kind: string, url: string, role: string) => ({
      type: `${kind}_url`,
      [`${kind}_url`]: { url },
      role,
    });
    expect(lastBody()["content"]).toEqual([
      { type: "text", text: prompt },
      item("image", far, "first_frame"),
      item("image", frames.last_image, "last_frame"),
    ]);
    const references = {
      reference_image_urls: [far, `${far}?2`],
      reference_video_url: clip,
      reference_video_urls: [`${clip}?2`],
      reference_audios: [sound],
      reference_audio_urls: [`${sound}?2`],
      audio_url: `${sound}?3`,
    };
    expect((await ask(references)).status).toBe(200);
    expect(lastBody()["content"]).toEqual([
      { type: "text", text: prompt },
      item("image", far, "reference_image"),
      item("image", `${far}?2`, "reference_image"),
      item("video", clip, "reference_video"),
      item("video", `${clip}?2`, "reference_video"),
      item("audio", sound, "reference_audio"),
      item("audio", `${sound}?2`, "reference_audio"),
      item("audio", `${sound}?3`, "reference_audio"),
    ]);
  });
});

describe("what videoC 2.0 refuses", () => {
  test("V-C1 a last image needs a first one", async () => {
    await expectRefused([[{ last_image: far }, "last_image"]]);
    const inForm = await create(stand.gateway, form({ model, prompt, last_image: far }));
    expect([inForm.status, envelopeOf(inForm)]).toEqual([400, "c"]);
  });

  test("V-C1 N4 media are URLs or assets, never bytes and never files", async () => {
    const before = starts(stand).length;
    await expectRefused([
      [{ first_image: pngUrl }, "first_image"],
      [{ first_image: "iVBORw0KGgo=" }, "first_image"],
      [{ first_image: "./fox.png" }, "first_image"],
      [{ first_image: "http://192.168.0.1/fox.png" }, "first_image"],
      [{ first_image: { url: pngUrl } }, "first_image"],
      [{ reference_image_urls: [far, pngUrl] }, "reference_image_urls.1"],
      [{ reference_video_url: "data:video/mp4;base64,AAAA" }, "reference_video_url"],
      [{ reference_audios: ["wind.mp3"] }, "reference_audios.0"],
      [{ audio_url: 7 }, "audio_url"],
    ]);
    const file = new File([png(640, 480)], "fox.png", { type: "image/png" });
    for (const name of ["first_image", "reference_image_urls[]", "input_reference", "other"]) {
      const reply = await create(stand.gateway, form({ model, prompt, [name]: file }));
      expect([name, reply.status, envelopeOf(reply)]).toEqual([name, 400, "c"]);
    }
    expect(starts(stand).length).toBe(before);
  });

  test("V-C1 N4 a form of texts is as good as JSON", async () => {
    const fields = { model, prompt, duration: "5", aspect_ratio: "1:1", generate_audio: "false" };
    const reply = await create(stand.gateway, form({ ...fields, first_image: far }));
    expect(Object.keys(reply.body).toSorted().join()).toBe("created,id,model,object,status");
    expect(lastBody()).toMatchObject({ duration: 5, ratio: "1:1", generate_audio: false });
    await reaches(stand.gateway, idOf(reply), "completed");
  });
});

describe("assets", () => {
  async function register(key?: string, url = `http://127.0.0.1:${host.port}/fox.png`) {
    const body = { url, name: "fox", assetType: "image" };
    const reply = await create(stand.gateway, body, {
      path: "/api/asset/createMedia",
      ...(key === undefined ? {} : { key }),
    });
    const { Id } = reply.body["Result"] as { Id: string };
    return Id;
  }

  async function becomes(id: string, wanted: string, key?: string): Promise<void> {
    await eventually(`the asset ${id} to be ${wanted}`, async () => {
      const path = `/api/asset/get?id=${id}`;
      const { body } = await query(stand.gateway, path, key === undefined ? {} : { key });
      const { Status } = body["Result"] as { Status: string };
      return Status === wanted ? true : undefined;
    });
  }

  test("V-C1 S3 an active asset of the account works, alone or among URLs", async () => {
    const id = await register();
    await becomes(id, "Active");
    const ids: string[] = [];
    for (const fields of [
      { first_image: `asset://${id}` },
      { first_image: far, last_image: `asset://${id}` },
      { reference_image_urls: [far, `asset://${id}`] },
    ]) {
      ids.push(idOf(await ask(fields)));
    }
    for (const task of ids) await reaches(stand.gateway, task, "completed");
  });

  test("V-C1 an asset that is unknown, failed or another account's is a 400", async () => {
    const { key } = await stand.gateway.customer(1_000_000);
    const theirs = await register(key);
    await becomes(theirs, "Active", key);
    const broken = await register(undefined, "https://media.invalid/none.png");
    await becomes(broken, "Failed");
    const before = starts(stand).length;
    await expectRefused(
      ["asset_none", theirs, broken].map((id) => [{ first_image: `asset://${id}` }, "first_image"]),
    );
    await expectRefused([
      [{ reference_image_urls: [far, "asset://none"] }, "reference_image_urls"],
      [{ first_image: "asset://" }, "first_image"],
      [{ first_image: "asset://../secret" }, "first_image"],
    ]);
    expect(starts(stand).length).toBe(before);
  });

  test("S3 an asset works in no other family", async () => {
    const id = await register();
    await becomes(id, "Active");
    const bodies = [
      { model: "videoA_3_1", input_reference: `asset://${id}` },
      { model: "videoB-2", input_reference: `asset://${id}` },
      { model: "omni-fast", images: [`asset://${id}`] },
      { model: "videoC-1-5-pro_720p", first_frame_image: `asset://${id}` },
      { model: "videoD-h3-2k", duration: 5, referenceImages: [`asset://${id}`] },
      { model: "videoE-v1", image: `asset://${id}` },
    ];
    for (const body of bodies) {
      const reply = await create(stand.gateway, { prompt, ...body });
      expect([body.model, reply.status, envelopeOf(reply)]).toEqual([body.model, 400, "a"]);
    }
  });
});

describe("the maker's statuses", () => {
  const table: [said: string, shown: string][] = [
    ["pending", "queued"],
    ["queued", "queued"],
    ["processing", "in_progress"],
    ["running", "in_progress"],
    ["in_progress", "in_progress"],
    ["succeeded", "completed"],
    ["completed", "completed"],
    ["failed", "failed"],
    ["cancelled", "failed"],
    ["expired", "failed"],
  ];

  test("V-C2 each is shown as the table has it", async () => {
    const said = new Map<string, string>();
    const tasks: { id: string; shown: string; vendorId: string }[] = [];
    ark.show = (id) => {
      const status = said.get(id) ?? "queued";
      return ark.done({ status });
    };
    for (const [status, shown] of table) {
      const reply = await create(stand.gateway, { model: scripted, prompt: "A fox" });
      const vendorId = ark.starts().at(-1)?.id ?? "";
      said.set(vendorId, status);
      tasks.push({ id: idOf(reply), shown, vendorId });
    }
    const asked = (vendorId: string) =>
      ark.requests.filter(({ method, id }) => method === "GET" && id === vendorId).length;
    for (const [at, { id, shown, vendorId }] of tasks.entries()) {
      // A state that is to stay must have been asked about twice.
      await eventually("two polls", async () => {
        const { body } = await query(stand.gateway, `/v1/videos/${id}`);
        const isEnded = body["status"] === "completed" || body["status"] === "failed";
        return isEnded || asked(vendorId) >= 2 ? true : undefined;
      });
      const { body } = await query(stand.gateway, `/v1/videos/${id}`);
      expect([table[at]?.[0], body["status"]]).toEqual([table[at]?.[0], shown]);
    }
    ark.show = () => ark.done();
  });

  test("V-C3 length and tokens are passed through where the maker tells them", async () => {
    ark.show = () => ark.done({ duration: 4, usage: { total_tokens: 4321 } });
    const told = await create(stand.gateway, { model: scripted, prompt: "A fox", duration: 5 });
    expect(await reaches(stand.gateway, idOf(told), "completed")).toMatchObject({
      actualDuration: 4,
      totalTokens: 4321,
    });
    ark.show = () => ({ ...ark.done(), duration: null });
    const untold = await create(stand.gateway, { model: scripted, prompt: "A fox", duration: 5 });
    const task = await reaches(stand.gateway, idOf(untold), "completed");
    expect(task).not.toHaveProperty("totalTokens");
    // The file itself tells how long it is.
    expect(task["actualDuration"]).toBe(3);
  });

  test("V-C3 the error of a failed task is the maker's own words, as a text", async () => {
    const error = { code: "InternalServiceError", message: "The oven is cold." };
    ark.show = () => ({ status: "failed", error });
    const reply = await create(stand.gateway, { model: scripted, prompt: "A fox" });
    const task = await reaches(stand.gateway, idOf(reply), "failed");
    expect(task["error"]).toBe("The oven is cold.");
    ark.show = () => ark.done();
  });
});
