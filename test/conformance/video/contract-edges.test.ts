// Edges of the contract of videos, each with the sentence of the specification that it is about.
import { beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { create, idOf, prompt, query, reaches, starts, startVideos } from "../../harness/videos.ts";
import { Vendor } from "../../harness/vendor.ts";

const stand = useStand(() => startVideos());
const resold = { object: "video", status: "queued", progress: 0 };
let serial = 0;
const reseller = kept(
  new Vendor((_request, reply) => reply.json({ id: `there_${serial++}`, ...resold })),
);
const unified = "/v1/video/generations";
const far = "https://images.example/fox.png";

beforeAll(async () => {
  const models = ["videoD-h3-pro-2k"];
  const channel = reseller.channel({ name: "reseller", type: "gateway", models, priority: 99 });
  await stand.gateway.control("POST", "/api/channel", channel);
});

// "Some upstreams do not update it steadily; a terminal status decides completion": a client that
// is told "not finished yet" of a failed task asks for ever.
test("S2 the content of a task that failed is not there, and is not on its way", async () => {
  const failing = `${prompt} sandbox:fail`;
  const id = idOf(await create(stand.gateway, { model: "videoB-2", prompt: failing }));
  await reaches(stand.gateway, id, "failed");
  const response = await stand.gateway.get(`/v1/videos/${id}/content`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
});

// The unified route: "`prompt`: string, not required. Normally needed for text-to-video."
test("V-U1 an image alone is enough for videoB-2 on the unified route", async () => {
  const reply = await create(stand.gateway, { model: "videoB-2", image: far }, { path: unified });
  expect(reply.status).toBe(200);
  expect(String(starts(stand).at(-1)?.text)).toContain("Animate this picture.");
  await reaches(stand.gateway, idOf(reply), "completed");
});

// The unified route: "Model for billing and dispatch (for example videoE-v1, videoB-2, videoA-3)".
test("D4 videoA-3 is in the list of models, and its tasks say what it stands for", async () => {
  const list = (await (await stand.gateway.get("/v1/models")).json()) as { data: JsonObject[] };
  expect(list.data.map(({ id }) => id)).toContain("videoA-3");
  const id = idOf(await create(stand.gateway, { model: "videoA-3", prompt }));
  expect((await query(stand.gateway, `/v1/videos/${id}`)).body).toMatchObject({
    model: "videoA_3_1",
  });
});

describe("another gateway as upstream", () => {
  const body = {
    model: "videoD-h3-pro-2k",
    prompt,
    duration: 5,
    referenceImages: [far],
  };
  const sound = "https://media.example/wind.mp3";

  // videoD: "A missing or unsupported value falls back to `16:9`", and of `referenceAudios` "only
  // `http://` or `https://` URLs kept".
  test("V-D2 gets the ratio and the audios that the family made of the request", async () => {
    idOf(
      await create(stand.gateway, {
        ...body,
        ratio: "5:4",
        referenceAudios: [sound, "file:///etc/passwd", 7],
      }),
    );
    expect(reseller.requests.at(-1)?.body).toMatchObject({
      ratio: "16:9",
      referenceAudios: [sound],
    });
    idOf(await create(stand.gateway, { ...body, ratio: "9:16" }));
    expect(reseller.requests.at(-1)?.body).toMatchObject({ ratio: "9:16" });
  });
});

// "Not every channel accepts every parameter of a route": a refusal names the field that was sent.
test("Q5 a field that no upstream can carry is named as the client wrote it", async () => {
  const channel = reseller.channel({ type: "google", models: ["videoA_3_1"] });
  await using gateway = await startGateway({ config: JSON.stringify({ channels: [channel] }) });
  for (const [fields, param] of [
    [{ seconds: 59 }, "seconds"],
    [{ duration: 59 }, "duration"],
    [{ size: "1:1" }, "size"],
    [{ aspect_ratio: "1:1" }, "aspect_ratio"],
  ] as const) {
    const reply = await create(gateway, { model: "videoA_3_1", prompt, ...fields });
    const message = expect.stringContaining(param);
    expect([fields, reply.status, reply.body["error"]]).toEqual([
      fields,
      400,
      expect.objectContaining({ param, message }),
    ]);
  }
});
