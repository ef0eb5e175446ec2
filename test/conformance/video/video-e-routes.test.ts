// videoE by its vendor's own routes.
import { expect, test } from "bun:test";
import { isObject, type JsonObject } from "../../../src/core/json.ts";
import { eventually } from "../../harness/books.ts";
import { create, idOf, prompt, query, slowPrompt, starts } from "../../harness/videos.ts";
import { startVideos, type Reply } from "../../harness/videos.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const text = "/videoE/v1/videos/text2video";
const image = "/videoE/v1/videos/image2video";

const stand = useStand(() => startVideos());

function dataOf({ body }: Reply): JsonObject {
  const { data } = body;
  if (!isObject(data)) throw new Error(JSON.stringify(body));
  return data;
}

async function ends(path: string, id: string): Promise<JsonObject> {
  return await eventually(`the end of ${id}`, async () => {
    const data = dataOf(await query(stand.gateway, `${path}/${id}`));
    return ["succeed", "failed"].includes(String(data["task_status"])) ? data : undefined;
  });
}

test("N7 V-E1 a video is made and asked for in the vendor's own envelope", async () => {
  const sent = { model_name: "kling-v1", prompt, duration: "5", mode: "std" };
  const reply = await create(stand.gateway, sent, { path: text });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ code: 0, message: expect.any(String) });
  expect(reply.body["request_id"]).toBe(reply.headers.get("x-request-id") ?? "");
  const data = dataOf(reply);
  expect(data).toMatchObject({ task_status: "submitted", task_status_msg: "" });
  expect(Number(data["created_at"])).toBeGreaterThan(1_600_000_000_000);
  const id = String(data["task_id"]);
  const done = await ends(text, id);
  expect(done).toMatchObject({
    task_id: id,
    task_status: "succeed",
    task_result: { videos: [{ id, duration: "5", url: expect.stringContaining("/media/") }] },
  });
});

test("N7 an image starts a video, and without one it is a 400", async () => {
  const picture = "https://media.example/fox.png";
  const made = await create(stand.gateway, { image: picture, prompt }, { path: image });
  expect(made.status).toBe(200);
  const [start] = starts(stand).slice(-1);
  expect(start?.path).toContain("image2video");
  expect(start?.body).toMatchObject({ image: picture });
  const none = await create(stand.gateway, { prompt }, { path: image });
  expect(none.status).toBe(400);
  expect(none.body).toMatchObject({
    code: 1201,
    message: expect.any(String),
    error: { param: "image", code: "invalid_request" },
  });
});

test("N7 running and failed tasks have the vendor's words", async () => {
  const slow = await create(stand.gateway, { prompt: slowPrompt }, { path: text });
  const id = String(dataOf(slow)["task_id"]);
  const running = dataOf(await query(stand.gateway, `${text}/${id}`));
  expect(["submitted", "processing"]).toContain(String(running["task_status"]));
  expect(running["task_result"]).toBeUndefined();
  const failing = { prompt: `${prompt} sandbox:fail` };
  const failed = await create(stand.gateway, failing, { path: text });
  const end = await ends(text, String(dataOf(failed)["task_id"]));
  expect(end["task_status"]).toBe("failed");
  expect(end["task_status_msg"]).not.toBe("");
});

test("N7 the same tasks work on the common routes, and others do not work here", async () => {
  const native = await create(stand.gateway, { prompt: slowPrompt }, { path: text });
  const id = String(dataOf(native)["task_id"]);
  const common = await query(stand.gateway, `/v1/videos/${id}`);
  expect(common.body).toMatchObject({ id, object: "video", model: "videoE-v1" });
  const made = await create(stand.gateway, { model: "videoE-v1", prompt: slowPrompt });
  expect((await query(stand.gateway, `${text}/${idOf(made)}`)).status).toBe(200);
  const other = await create(stand.gateway, { model: "videoB-2", prompt: slowPrompt });
  const foreign = await query(stand.gateway, `${text}/${idOf(other)}`);
  expect(foreign.status).toBe(404);
  expect(foreign.body).toMatchObject({ code: 1203, error: { code: "task_not_found" } });
  const customer = await stand.gateway.customer(0);
  expect((await query(stand.gateway, `${text}/${id}`, customer)).status).toBe(404);
});

test("N7 a model of another family and a wrong key are refused", async () => {
  const wrong = await create(stand.gateway, { model_name: "videoB-2", prompt }, { path: text });
  expect(wrong.status).toBe(503);
  expect(wrong.body).toMatchObject({ code: 5001, error: { code: "model_not_found" } });
  const stranger = await create(stand.gateway, { prompt }, { path: text, key: "sk-nobody" });
  expect(stranger.status).toBe(401);
  expect(stranger.body).toMatchObject({ code: 1000, error: { code: "invalid_api_key" } });
});
