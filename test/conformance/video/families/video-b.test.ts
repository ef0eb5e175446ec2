// videoB: sizes by model, seconds in two spellings, and the vendor's own parameters.
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
  type Reply,
} from "../../../harness/videos.ts";
import { useStand } from "../../../harness/nodes/stand.ts";

const stand = useStand(() => startVideos());

const upright = "720x1280";
const lying = "1280x720";
const sizes: Readonly<Record<string, readonly string[]>> = {
  "videoB-2": [upright, lying],
  "videoB-2-pro": [upright, lying, "1792x1024", "1024x1792"],
};

async function ask(fields: object, model = "videoB-2"): Promise<Reply> {
  return await create(stand.gateway, { model, prompt, ...fields });
}

function lastPost() {
  return starts(stand).at(-1);
}

describe("sizes", () => {
  test("V-B1 V-B2 each model takes its own sizes, and the answers echo them", async () => {
    const made: [string, object][] = [];
    for (const [model, taken] of Object.entries(sizes)) {
      for (const size of taken) {
        const reply = await ask({ size, seconds: "8" }, model);
        expect(reply.status).toBe(200);
        expect(reply.body).toMatchObject({ model, size, seconds: "8" });
        expect(lastPost()?.body).toMatchObject({ model, size, seconds: "8" });
        made.push([idOf(reply), { size, seconds: "8" }]);
      }
    }
    for (const [id, echo] of made) {
      expect(await reaches(stand.gateway, id, "completed")).toMatchObject(echo);
    }
  });

  test("V-B1 any other size is a 400 invalid_size of type gateway_api_error", async () => {
    const before = starts(stand).length;
    const wrong = ["1792x1024", "1024x1792", "1920x1080", "16:9", "720X1280", "720p", " ", 720];
    for (const size of wrong) {
      const reply = await ask({ size });
      expect([size, reply.status, envelopeOf(reply)]).toEqual([size, 400, "a"]);
      expect(reply.body).toMatchObject({
        error: { code: "invalid_size", type: "gateway_api_error", param: "size" },
      });
    }
    for (const size of ["1920x1080", "1024x1024", "16:9"]) {
      const reply = await ask({ size }, "videoB-2-pro");
      expect(reply.body).toMatchObject({ error: { code: "invalid_size" } });
    }
    const inForm = form({ model: "videoB-2", prompt, size: "1792x1024" });
    expect((await create(stand.gateway, inForm)).body).toMatchObject({
      error: { code: "invalid_size", type: "gateway_api_error" },
    });
    expect(starts(stand).length).toBe(before);
  });

  // The specification: "The response also echoes `size` and `seconds`".
  test("V-B2 the defaults are told, and asked of the maker", async () => {
    const { body } = await ask({});
    expect(body).toMatchObject({ size: "720x1280", seconds: "4" });
    expect(lastPost()?.body).toMatchObject({ size: "720x1280", seconds: "4" });
  });
});

describe("seconds", () => {
  test("V-B2 seconds is a text or a number, duration stands in for it, and texts come back", async () => {
    const rows: [object, string][] = [
      [{ seconds: "4" }, "4"],
      [{ seconds: 8 }, "8"],
      [{ seconds: "12" }, "12"],
      [{ duration: 12 }, "12"],
      [{ duration: "8" }, "8"],
      [{ seconds: "8", duration: 12 }, "8"],
      [{ seconds: "", duration: 12 }, "12"],
      [{ seconds: null, duration: 12 }, "12"],
      [{}, "4"],
    ];
    for (const [fields, seconds] of rows) {
      const reply = await ask(fields);
      expect([fields, reply.body["seconds"]]).toEqual([fields, seconds]);
      expect(lastPost()?.body).toMatchObject({ seconds });
    }
  });

  test("V-B2 what is no length is a 400 that names the field", async () => {
    const before = starts(stand).length;
    const rows: [object, string][] = [
      ...[0, -4, 4.5, "four", "4s", "1e1", "0x4", " 4", "61", 61, 1e300, true, {}].map(
        (seconds): [object, string] => [{ seconds }, "seconds"],
      ),
      [{ duration: 0 }, "duration"],
      [{ duration: "x" }, "duration"],
    ];
    const bodies = rows.map(([fields]) => ({ model: "videoB-2", prompt, ...fields }));
    const expected = rows.map(([, param]) => `400 ${param}`);
    expect(await verdicts(stand.gateway, bodies)).toEqual(expected);
    expect(starts(stand).length).toBe(before);
  });
});

describe("metadata and references", () => {
  test("V-B3 metadata reaches the vendor as it is", async () => {
    const metadata = { style: "film", nested: { deep: [1, null, "x"] }, off: false };
    await ask({ metadata });
    expect(lastPost()?.body?.["metadata"]).toEqual(metadata);
    const inForm = form({ model: "videoB-2", prompt, metadata: JSON.stringify(metadata) });
    idOf(await create(stand.gateway, inForm));
    expect(lastPost()?.body?.["metadata"]).toEqual(metadata);
    const parts = form({ model: "videoB-2", prompt, "metadata[style]": "film" });
    idOf(await create(stand.gateway, parts));
    expect(lastPost()?.body?.["metadata"]).toEqual({ style: "film" });
  });

  test("V-B3 metadata cannot smuggle in what would be priced otherwise", async () => {
    const { body } = await ask({ metadata: { seconds: "12", model: "videoB-2-pro", tone: "x" } });
    expect(body).toMatchObject({ model: "videoB-2", seconds: "12" });
    expect(lastPost()?.body).toMatchObject({
      model: "videoB-2",
      seconds: "12",
      metadata: { tone: "x" },
    });
    const wrong = [{ metadata: "text" }, { metadata: [1] }, { metadata: 7 }];
    const bodies = wrong.map((fields) => ({ model: "videoB-2", prompt, ...fields }));
    expect(await verdicts(stand.gateway, bodies)).toEqual(wrong.map(() => "400 metadata"));
  });

  test("V-B1 N4 input_reference is a URL, base64, a data URI, or a file of a form", async () => {
    const far = "https://images.example/fox.png";
    for (const input_reference of [far, [far]]) {
      idOf(await ask({ input_reference, size: lying }));
      expect(lastPost()?.body?.["input_reference"]).toEqual({ image_url: far });
    }
    const file = new File([Buffer.from(png, "base64")], "fox.png", { type: "image/png" });
    const fields = { model: "videoB-2", prompt, size: lying, seconds: "8" };
    const bodies = [
      { ...fields, input_reference: png },
      { ...fields, input_reference: pngUrl },
      { ...fields, input_reference: { image_url: pngUrl } },
      form({ ...fields, input_reference: file }),
      form({ ...fields, "input_reference[image_url]": pngUrl }),
    ];
    const ids: string[] = [];
    for (const body of bodies) {
      const reply = await create(stand.gateway, body);
      expect(reply.body).toMatchObject({ status: "queued", size: lying, seconds: "8" });
      const text = lastPost()?.text ?? "";
      expect(text).toContain('name="input_reference"; filename=');
      expect(text.toLowerCase()).toContain("content-type: image/png");
      ids.push(idOf(reply));
    }
    for (const id of ids) await reaches(stand.gateway, id, "completed");
  });
});
