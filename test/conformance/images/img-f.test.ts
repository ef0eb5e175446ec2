// imgF in the words of its dialect: what is asked for, what comes of it, and who sees it.
import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import type { JsonObject } from "../../../src/core/json.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import {
  rootKey,
  startGateway,
  startProcess,
  temporaryFolder,
  type Gateway,
} from "../../harness/gateway.ts";
import { decodePicture } from "../../harness/images/decode.ts";
import {
  becomes,
  quickPolls,
  startImageTasks,
  startImageVendors,
} from "../../harness/images/tasks.ts";
import { pngUrl } from "../../harness/samples.ts";
import { create, query, type Reply } from "../../harness/videos.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const prompt = "A fox in the snow sandbox:seconds=0";
const slowSeconds = 60;
const slowPrompt = `A fox in the snow sandbox:seconds=${slowSeconds}`;
const unknown = "task_01h00000000000000000000000";
const imagineMicros = 60_000;
const changeMicros = 40_000;

const told: { path: string; text: string }[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    told.push({ path: new URL(request.url).pathname, text: await request.text() });
    return new Response(null, { status: 204 });
  },
});
const receiverHost = `127.0.0.1:${receiver.port}`;

const stand = useStand(() => startImageTasks(`media: { private_hosts: [ "${receiverHost}" ] }`));

afterAll(async () => {
  await receiver.stop(true);
});

function submit(action: string, body: object, key: string = rootKey): Promise<Reply> {
  return create(stand.gateway, body, { key, path: `/imgF/submit/${action}` });
}

/** The id of what was taken with one of these numbers. */
function taken({ status, body }: Reply, ...codes: number[]): string {
  expect(status).toBe(200);
  expect(codes.length === 0 ? [1, 22] : codes).toContain(Number(body["code"]));
  expect(body).toMatchObject({ description: expect.any(String), properties: expect.any(Object) });
  return String(body["result"]);
}

async function reaches(
  id: string,
  wanted: string,
  key: string = rootKey,
  of: Gateway = stand.gateway,
): Promise<JsonObject> {
  return await becomes(of, `/imgF/task/${id}/fetch`, ({ status }) => status === wanted, key);
}

async function imagined(key: string = rootKey): Promise<JsonObject> {
  return await reaches(taken(await submit("imagine", { prompt }, key)), "SUCCESS", key);
}

function buttonOf(task: JsonObject, label: string): string {
  const buttons = task["buttons"] as JsonObject[];
  return String(buttons.find((button) => button["label"] === label)?.["customId"]);
}

async function pictureAt(url: unknown) {
  const response = await fetch(String(url));
  expect(response.status).toBe(200);
  return decodePicture(await response.bytes());
}

describe("V-F1 N8 a task", () => {
  test("is submitted, drawn and shown as the dialect has it", async () => {
    const id = taken(await submit("imagine", { prompt, state: "my note" }));
    expect(id).toMatch(/^task_/);
    const task = await reaches(id, "SUCCESS");
    expect(task).toEqual({
      id,
      action: "IMAGINE",
      status: "SUCCESS",
      prompt,
      promptEn: prompt,
      description: expect.any(String),
      state: "my note",
      submitTime: expect.any(Number),
      startTime: expect.any(Number),
      finishTime: expect.any(Number),
      progress: "100%",
      imageUrl: expect.stringContaining(`${stand.gateway.url}/media/`),
      failReason: "",
      buttons: expect.any(Array),
      properties: expect.objectContaining({ finalPrompt: prompt }),
    });
    expect(Number(task["submitTime"])).toBeGreaterThan(1_700_000_000_000);
    const picture = await pictureAt(task["imageUrl"]);
    expect([picture.type, picture.width]).toEqual(["png", 1024]);
    // Fields that the vendor keeps for its own operator are not for its customers.
    expect(JSON.stringify(task)).not.toContain("discord");
  });

  test("that runs tells how far it is, as a text", async () => {
    const id = taken(await submit("imagine", { prompt: slowPrompt }));
    stand.vendors.clock.pass(slowSeconds / 2);
    const running = await reaches(id, "IN_PROGRESS");
    expect(running).toMatchObject({ imageUrl: "", buttons: [], finishTime: 0, failReason: "" });
    expect(String(running["progress"])).toMatch(/^\d{1,2}%$/);
    stand.vendors.clock.pass(slowSeconds);
  });

  test("is asked for in each of the six ways, and by the short one", async () => {
    const grid = await imagined();
    const parent = grid["id"];
    const single = await reaches(
      taken(await submit("change", { taskId: parent, action: "UPSCALE", index: 2 })),
      "SUCCESS",
    );
    expect(single["action"]).toBe("UPSCALE");
    expect((await pictureAt(single["imageUrl"])).width).toBe(512);
    const ways: [string, object, string][] = [
      ["change", { taskId: parent, action: "REROLL" }, "REROLL"],
      ["simple-change", { content: `${String(parent)} V1` }, "VARIATION"],
      ["action", { taskId: parent, customId: buttonOf(grid, "U3") }, "UPSCALE"],
      ["blend", { base64Array: [pngUrl, pngUrl], dimensions: "PORTRAIT" }, "BLEND"],
    ];
    for (const [way, body, action] of ways) {
      const task = await reaches(taken(await submit(way, body)), "SUCCESS");
      expect([way, task["action"]]).toEqual([way, action]);
      await pictureAt(task["imageUrl"]);
    }
    const words = await reaches(taken(await submit("describe", { base64: pngUrl })), "SUCCESS");
    expect(words["action"]).toBe("DESCRIBE");
    expect(String(words["promptEn"]).length).toBeGreaterThan(20);
  });

  test("that waits for its owner has 21, and goes on as itself when it is told more", async () => {
    const grid = await imagined();
    const upscaled = await submit("change", { taskId: grid["id"], action: "UPSCALE", index: 1 });
    const single = await reaches(taken(upscaled), "SUCCESS");
    const customId = buttonOf(single, "Vary (Region)");
    const id = taken(await submit("action", { taskId: single["id"], customId }), 21);
    expect(await reaches(id, "MODAL")).toMatchObject({ action: "INPAINT", imageUrl: "" });
    const early = await submit("modal", { taskId: single["id"], prompt: "a hat" });
    expect([early.status, early.body["code"]]).toEqual([400, 4]);
    const said = { taskId: id, prompt: "a hat sandbox:seconds=0", maskBase64: pngUrl };
    expect(taken(await submit("modal", said))).toBe(id);
    const done = await reaches(id, "SUCCESS");
    await pictureAt(done["imageUrl"]);
    const again = await submit("modal", said);
    expect([again.status, again.body["code"]]).toEqual([400, 4]);
  });

  test("that must wait in the vendor's queue has 22", async () => {
    const all = [];
    for (let count = 0; count < 5; count++) {
      all.push(await submit("imagine", { prompt: "A fox sandbox:seconds=8" }));
      await Bun.sleep(0);
    }
    const first = taken(all[0] ?? (await submit("imagine", { prompt })));
    await reaches(first, "IN_PROGRESS");
    const late = await eventually("a queue", async () => {
      const { body } = await submit("imagine", { prompt: slowPrompt });
      return body["code"] === 22 ? body : undefined;
    });
    expect(late).toMatchObject({ code: 22, result: expect.stringMatching(/^task_/) });
  });
});

describe("N8 what is refused", () => {
  test("has the dialect's number and words, beside the envelope of all routes", async () => {
    const poor = await stand.gateway.customer(10);
    const refused: [Promise<Reply>, number, number, string][] = [
      [submit("imagine", {}), 400, 4, "invalid_request"],
      [submit("imagine", { prompt: 7 }), 400, 4, "invalid_request"],
      [submit("blend", { base64Array: [pngUrl] }), 400, 4, "invalid_request"],
      [submit("change", { taskId: unknown, action: "REROLL" }), 404, 3, "task_not_found"],
      [submit("imagine", { prompt }, "sk-nobody"), 401, 9, "invalid_api_key"],
      [submit("imagine", { prompt }, poor.key), 402, 9, "insufficient_user_quota"],
      // The vendor's own answer to a prompt, which clients of the dialect expect as one.
      [submit("imagine", { prompt: "sandbox:filter" }), 200, 24, "content_policy_violation"],
      [query(stand.gateway, `/imgF/task/${unknown}/fetch`), 404, 3, "task_not_found"],
      [query(stand.gateway, "/imgF/nothing"), 404, 3, "not_found"],
    ];
    for (const [reply, status, number, code] of refused) {
      const { status: got, body, headers } = await reply;
      expect([code, got, body["code"]]).toEqual([code, status, number]);
      expect(String(body["description"]).length).toBeGreaterThan(3);
      expect(body["error"]).toMatchObject({ code, message: body["description"] as string });
      expect(headers.get("x-request-id")).not.toBeNull();
    }
  });

  test("names the field that is wrong", async () => {
    const { body } = await submit("change", { taskId: unknown, action: "UPSCALE", index: 9 });
    expect(body).toMatchObject({ code: 4, properties: { param: "index" } });
  });
});

describe("N8 money", () => {
  test("is held while it runs and charged when the picture is there; a child has its own price", async () => {
    const { id, key } = await stand.gateway.customer(1_000_000);
    const running = taken(await submit("imagine", { prompt: slowPrompt }, key));
    expect(await balanceOf(stand.gateway, id)).toMatchObject({
      held_micros: imagineMicros,
      used_micros: 0,
    });
    stand.vendors.clock.pass(slowSeconds);
    await reaches(running, "SUCCESS", key);
    expect(await balanceOf(stand.gateway, id)).toMatchObject({
      held_micros: 0,
      used_micros: imagineMicros,
    });
    const change = { taskId: running, action: "UPSCALE", index: 1 };
    const child = taken(await submit("change", change, key));
    // It has its parent's prompt, and so takes as long.
    stand.vendors.clock.pass(slowSeconds);
    await reaches(child, "SUCCESS", key);
    expect(await balanceOf(stand.gateway, id)).toMatchObject({
      used_micros: imagineMicros + changeMicros,
    });
  });

  test("of what failed comes back, with the vendor's words for it", async () => {
    const { id, key } = await stand.gateway.customer(1_000_000);
    const failing = taken(await submit("imagine", { prompt: `${prompt} sandbox:fail` }, key));
    const task = await reaches(failing, "FAILURE", key);
    expect(String(task["failReason"]).length).toBeGreaterThan(5);
    expect(await balanceOf(stand.gateway, id)).toMatchObject({
      quota_micros: 1_000_000,
      held_micros: 0,
    });
  });
});

describe("A9 another account", () => {
  test("sees nothing of a task, and builds nothing on it", async () => {
    const task = await imagined();
    const id = String(task["id"]);
    const other = await stand.gateway.customer(10_000_000);
    const absent = async (way: string, body: object) => {
      const reply = await submit(way, body, other.key);
      return [reply.status, reply.body];
    };
    const ways: [string, (taskId: string) => object][] = [
      ["change", (taskId) => ({ taskId, action: "REROLL" })],
      ["action", (taskId) => ({ taskId, customId: buttonOf(task, "U1") })],
      ["modal", (taskId) => ({ taskId, prompt: "a hat" })],
      ["simple-change", (taskId) => ({ content: `${taskId} R` })],
    ];
    for (const [way, body] of ways) {
      const theirs = await absent(way, body(id));
      expect(theirs).toEqual(await absent(way, body(unknown)));
      expect(theirs[0]).toBe(404);
      expect(theirs[1]).toMatchObject({ code: 3 });
    }
    for (const path of [`/imgF/task/${id}/fetch`, `/imgF/image/${id}`]) {
      const reply = await query(stand.gateway, path, { key: other.key });
      expect([path, reply.status, reply.body["code"]]).toEqual([path, 404, 3]);
    }
    const ids = { ids: [id, unknown] };
    const path = "/imgF/task/list-by-condition";
    const theirs = await create(stand.gateway, ids, { path, key: other.key });
    expect([theirs.status, theirs.body as unknown]).toEqual([200, []]);
    const own = await create(stand.gateway, ids, { path });
    expect(own.body as unknown).toMatchObject([{ id, status: "SUCCESS" }]);
    const bad = await create(stand.gateway, { ids: "x" }, { path });
    expect([bad.status, bad.body["code"]]).toEqual([400, 4]);
  });

  test("N8 the picture itself needs the key, and comes from our own storage", async () => {
    const task = await imagined();
    const path = `/imgF/image/${String(task["id"])}`;
    expect((await fetch(stand.gateway.url + path)).status).toBe(401);
    const response = await stand.gateway.get(path);
    expect(response.headers.get("content-type")).toBe("image/png");
    const linked = await fetch(String(task["imageUrl"]));
    expect(await response.bytes()).toEqual(await linked.bytes());
    const slow = taken(await submit("imagine", { prompt: slowPrompt }));
    expect((await stand.gateway.get(`/imgF/image/${slow}`)).status).toBe(409);
  });
});

test("D4 N8 what has a price and a vendor is listed, under routes of its own", async () => {
  const { body } = await query(stand.gateway, "/v1/models");
  const listed = (body["data"] as JsonObject[]).filter(({ id }) => String(id).startsWith("imgF"));
  const actions = ["action", "blend", "change", "describe", "imagine"];
  expect(listed.map(({ id }) => id)).toEqual(actions.map((action) => `imgF-${action}`));
  for (const { supported_endpoint_types } of listed) {
    expect(supported_endpoint_types).toEqual(["imgF"]);
  }
});

test("N14 a create that is sent again finds its task", async () => {
  const send = async (body: object, way = "imagine") => {
    const response = await fetch(`${stand.gateway.url}/imgF/submit/${way}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${rootKey}`,
        "content-type": "application/json",
        "idempotency-key": "the same",
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as JsonObject };
  };
  const before = stand.vendors.calls.length;
  const all = await Promise.all(Array.from({ length: 5 }, () => send({ prompt: slowPrompt })));
  expect(new Set(all.map(({ body }) => body["result"])).size).toBe(1);
  expect(stand.vendors.calls.length).toBe(before + 1);
  const other = await send({ prompt });
  expect([other.status, other.body["code"]]).toEqual([409, 4]);
});

test.each(["notifyHook", "webhook_url"])(
  "N15 what stands in %s gets the task itself",
  async (field) => {
    const url = `http://${receiverHost}/${field}`;
    const id = taken(await submit("imagine", { prompt, [field]: url }));
    const call = await eventually(`a call to ${field}`, async () =>
      told.find(({ path }) => path === `/${field}`),
    );
    const shown = await query(stand.gateway, `/imgF/task/${id}/fetch`);
    const body = JSON.parse(call.text) as JsonObject;
    expect(body).toMatchObject({ id, status: "SUCCESS", progress: "100%" });
    expect(Object.keys(body)).toEqual(Object.keys(shown.body));
    expect(stand.vendors.calls.filter(({ text }) => text.includes(receiverHost))).toEqual([]);
    const bad = await submit("imagine", { prompt, [field]: "http://10.0.0.1/" });
    expect([bad.status, bad.body["code"]]).toEqual([400, 4]);
  },
);

test("V-F1 a task outlives its process, and its children find their way after it", async () => {
  const folder = temporaryFolder();
  await using vendors = startImageVendors();
  const config = [quickPolls, vendors.config].join("\n");
  try {
    await using first = await startProcess({ config, folder });
    const path = "/imgF/submit/imagine";
    const cut = await create(first, { prompt: "A fox sandbox:seconds=1 sandbox:cut" }, { path });
    const plain = await create(first, { prompt: "A fox sandbox:seconds=1" }, { path });
    await first.kill();
    await using second = await startGateway({ config, folder });
    for (const reply of [cut, plain]) {
      await reaches(String(reply.body["result"]), "SUCCESS", rootKey, second);
    }
    const change = { taskId: plain.body["result"], action: "UPSCALE", index: 1 };
    const child = await create(second, change, { path: "/imgF/submit/change" });
    await reaches(String(child.body["result"]), "SUCCESS", rootKey, second);
    expect(vendors.calls).toHaveLength(3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

// The last one: the channel's key rests after it.
test("N8 Q3 a vendor that is broken or full shows in the status, with the dialect's number", async () => {
  const broken = await submit("imagine", { prompt: "sandbox:status=500" });
  expect([broken.status, broken.body["code"]]).toEqual([500, 9]);
  const full = await submit("imagine", { prompt: "sandbox:status=429" });
  expect([full.status, full.body["code"]]).toEqual([429, 23]);
  expect(full.body).toMatchObject({ error: { code: "too_many_requests" } });
  expect(full.headers.get("retry-after")).toMatch(/^\d+$/);
});
