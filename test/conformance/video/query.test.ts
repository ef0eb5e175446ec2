// Asking about tasks: reading, listing, deleting, following, and what another account sees.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { readStream } from "../../harness/event-stream.ts";
import { rootKey } from "../../harness/gateway.ts";
import {
  create,
  envelopeOf,
  idOf,
  prompt,
  query,
  reaches,
  slowPrompt,
  slowSeconds,
  starts,
  startVideos,
} from "../../harness/videos.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const stand = useStand(() => startVideos());

const grantMicros = 100_000_000;

async function begin(key: string, words = prompt, model = "videoB-2"): Promise<string> {
  const body = { model, prompt: words, duration: 4 };
  return idOf(await create(stand.gateway, body, { key }));
}

async function idsListed(key: string, search = ""): Promise<string[]> {
  const { body } = await query(stand.gateway, `/v1/videos${search}`, { key });
  return (body["data"] as JsonObject[]).map(({ id }) => String(id));
}

describe("reading one", () => {
  test("V-Q1 an unknown id is a 404 of type invalid_request_error, by whatever way", async () => {
    const unknown = "task_01h00000000000000000000000";
    for (const id of [unknown, "nope", "video_123", "a".repeat(500), "task_%27"]) {
      const paths = [`/v1/videos/${id}`, `/v1/video/generations/${id}`, `/v1/videos/${id}/content`];
      for (const path of paths) {
        const reply = await query(stand.gateway, path);
        expect([path, reply.status]).toEqual([path, 404]);
        expect([path, envelopeOf(reply)]).toEqual([path, "a"]);
        expect(reply.body).toMatchObject({ error: { type: "invalid_request_error" } });
      }
    }
    const deleted = await query(stand.gateway, `/v1/videos/${unknown}`, { method: "DELETE" });
    expect([deleted.status, envelopeOf(deleted)]).toEqual([404, "a"]);
    expect(deleted.body).toMatchObject({ error: { code: "task_not_found" } });
  });

  test("V-Q1 a missing id is a 400", async () => {
    for (const path of ["/v1/videos/", "/v1/video/generations/", "/v1/videos//content"]) {
      const reply = await query(stand.gateway, path);
      expect([path, reply.status, envelopeOf(reply)]).toEqual([path, 400, "a"]);
      expect(reply.body).toMatchObject({ error: { type: "invalid_request_error" } });
    }
  });

  test("A4 A6 without a key, or with a wrong one, nothing is told", async () => {
    const id = await begin(rootKey);
    await reaches(stand.gateway, id, "completed");
    const paths = [
      `/v1/videos/${id}`,
      `/v1/videos/${id}/content`,
      `/v1/videos/${id}/events`,
      `/v1/video/generations/${id}`,
      "/v1/videos",
    ];
    for (const path of paths) {
      const bare = await fetch(stand.gateway.url + path);
      const wrong = await stand.gateway.get(path, "sk-nobody");
      for (const response of [bare, wrong]) {
        expect([path, response.status]).toEqual([path, 401]);
        expect(response.headers.get("content-type")).toContain("application/json");
        expect(await response.json()).toMatchObject({
          error: { type: "invalid_request_error", code: "invalid_api_key" },
        });
      }
    }
    const made = await create(stand.gateway, { model: "videoB-2", prompt }, { key: "sk-nobody" });
    expect([made.status, envelopeOf(made)]).toEqual([401, "a"]);
  });

  test("V-Q1 N23 a query starts nothing, and many of them do not become many polls", async () => {
    const id = await begin(rootKey, slowPrompt);
    const before = starts(stand).length;
    const polls = () =>
      stand.calls.filter(({ path }) => path.includes("/openai/v1/videos/")).length;
    const pollsBefore = polls();
    const startedAtMs = performance.now();
    for (let count = 0; count < 100; count++) {
      const { status, headers } = await query(stand.gateway, `/v1/videos/${id}`);
      expect(status).toBe(200);
      expect(headers.get("openai-poll-after-ms")).toMatch(/^\d+$/);
    }
    // However many ask, a vendor is asked no more than once in the time between two polls.
    const turns = (performance.now() - startedAtMs) / 50;
    expect(polls() - pollsBefore).toBeLessThanOrEqual(turns + 3);
    expect(starts(stand).length).toBe(before);
  });
});

describe("lists", () => {
  test("N4 a list has the key's own tasks, newest first, in pages", async () => {
    const { id, key } = await stand.gateway.customer(grantMicros);
    const { username } = await stand.gateway.control<{ username: string }>(
      "GET",
      `/api/user/${id}`,
    );
    const sibling = await stand.gateway.control<{ key: string }>("POST", "/api/token", {
      name: "another key",
      account: username,
    });
    expect((await query(stand.gateway, "/v1/videos", { key })).body).toEqual({
      object: "list",
      data: [],
      has_more: false,
      first_id: null,
      last_id: null,
    });
    const models = ["videoB-2", "videoD-h3", "videoC-2-0-260128", "videoE-v1", "manxue-2.0"];
    const made: string[] = [];
    for (const model of models) {
      const body = { model, prompt: slowPrompt, duration: 5 };
      made.push(idOf(await create(stand.gateway, body, { key })));
    }
    const newest = made.toReversed();
    expect(await idsListed(key)).toEqual(newest);
    expect(await idsListed(key, "?order=asc")).toEqual(made);
    const first = await query(stand.gateway, "/v1/videos?limit=2", { key });
    expect(first.body).toMatchObject({
      object: "list",
      has_more: true,
      first_id: newest[0],
      last_id: newest[1],
    });
    const seen: string[] = [];
    for (let after = "", hasMore = true; hasMore;) {
      const search = `?limit=2${after === "" ? "" : `&after=${after}`}`;
      const { body } = await query(stand.gateway, `/v1/videos${search}`, { key });
      seen.push(...(body["data"] as JsonObject[]).map(({ id }) => String(id)));
      after = String(body["last_id"]);
      hasMore = body["has_more"] === true;
    }
    expect(seen).toEqual(newest);
    expect(await idsListed(key, `?order=asc&after=${made[2]}`)).toEqual(made.slice(3));
    expect(await idsListed(sibling.key)).toEqual([]);
  });

  test("N4 each task is listed as its own query shows it", async () => {
    const { key } = await stand.gateway.customer(grantMicros);
    for (const [model, status] of [
      ["videoB-2", "completed"],
      ["videoC-2-0-260128", "completed"],
      ["videoD-h3", "failed"],
    ] as const) {
      const words = status === "failed" ? `${prompt} sandbox:fail` : prompt;
      await reaches(stand.gateway, await begin(key, words, model), status, key);
    }
    const { body } = await query(stand.gateway, "/v1/videos", { key });
    for (const task of body["data"] as JsonObject[]) {
      const alone = await query(stand.gateway, `/v1/videos/${String(task["id"])}`, { key });
      expect(task).toEqual(alone.body);
    }
  });

  test("N4 a limit is from 1 to 100", async () => {
    for (const limit of ["1", "100"]) {
      expect((await query(stand.gateway, `/v1/videos?limit=${limit}`)).status).toBe(200);
    }
    for (const limit of ["0", "101", "-1", "1.5", "many"]) {
      const reply = await query(stand.gateway, `/v1/videos?limit=${limit}`);
      expect([limit, reply.status, envelopeOf(reply)]).toEqual([limit, 400, "a"]);
      expect(reply.body).toMatchObject({ error: { param: "limit" } });
    }
  });
});

describe("other accounts", () => {
  test("A9 a task of another account is a 404 by every way, and is not listed", async () => {
    const owner = await stand.gateway.customer(grantMicros);
    const other = await stand.gateway.customer(grantMicros);
    const ids = [await begin(owner.key), await begin(owner.key, slowPrompt, "videoC-2-0-260128")];
    await reaches(stand.gateway, ids[0] ?? "", "completed", owner.key);
    for (const id of ids) {
      for (const key of [other.key, rootKey]) {
        for (const [method, path] of [
          ["GET", `/v1/videos/${id}`],
          ["GET", `/v1/video/generations/${id}`],
          ["GET", `/v1/videos/${id}/content`],
          ["GET", `/v1/videos/${id}/events`],
          ["DELETE", `/v1/videos/${id}`],
        ] as const) {
          const reply = await query(stand.gateway, path, { key, method });
          expect([method, path, reply.status]).toEqual([method, path, 404]);
          expect(JSON.stringify(reply.body)).not.toContain(id);
        }
      }
      expect(await idsListed(other.key)).not.toContain(id);
      // It is as it was.
      expect((await query(stand.gateway, `/v1/videos/${id}`, { key: owner.key })).status).toBe(200);
    }
    expect(await idsListed(other.key, `?after=${ids[1]}`)).toEqual([]);
  });
});

describe("deleting", () => {
  const deleted = (id: string) => ({ id, object: "video.deleted", deleted: true });

  test("N4 N23 a finished task is deleted and gone, and what it cost stays spent", async () => {
    const { id: account, key } = await stand.gateway.customer(grantMicros);
    for (const [words, status] of [
      [prompt, "completed"],
      [`${prompt} sandbox:fail`, "failed"],
    ] as const) {
      const id = await begin(key, words);
      await reaches(stand.gateway, id, status, key);
      const reply = await query(stand.gateway, `/v1/videos/${id}`, { key, method: "DELETE" });
      expect([reply.status, reply.body]).toEqual([200, deleted(id)]);
      for (const path of [`/v1/videos/${id}`, `/v1/videos/${id}/content`]) {
        expect((await query(stand.gateway, path, { key })).status).toBe(404);
      }
      const again = await query(stand.gateway, `/v1/videos/${id}`, { key, method: "DELETE" });
      expect(again.status).toBe(404);
      expect(await idsListed(key)).not.toContain(id);
    }
    expect(await balanceOf(stand.gateway, account)).toMatchObject({
      held_micros: 0,
      used_micros: 400_000,
    });
  });

  test("N4 a waiting task is cancelled where its vendor can, and paid back", async () => {
    const { id: account, key } = await stand.gateway.customer(grantMicros);
    const id = await begin(key, slowPrompt, "videoC-2-0-260128");
    expect((await balanceOf(stand.gateway, account)).held_micros).toBe(4 * 90_000);
    const reply = await query(stand.gateway, `/v1/videos/${id}`, { key, method: "DELETE" });
    expect([reply.status, reply.body]).toEqual([200, deleted(id)]);
    expect(await balanceOf(stand.gateway, account)).toMatchObject({
      quota_micros: grantMicros,
      held_micros: 0,
      used_micros: 0,
    });
    expect((await query(stand.gateway, `/v1/videos/${id}`, { key })).status).toBe(404);
    const told = stand.calls.filter(({ method }) => method === "DELETE");
    expect(told.at(-1)?.path).toMatch(/^\/ark\/api\/v3\/contents\/generations\/tasks\/cgt-/);
  });

  test("N4 a running task whose vendor stops nothing is a 409 and goes on", async () => {
    const { id: account, key } = await stand.gateway.customer(grantMicros);
    const id = await begin(key, slowPrompt);
    const reply = await query(stand.gateway, `/v1/videos/${id}`, { key, method: "DELETE" });
    expect([reply.status, envelopeOf(reply)]).toEqual([409, "a"]);
    stand.clock.pass(slowSeconds);
    await reaches(stand.gateway, id, "completed", key);
    expect((await balanceOf(stand.gateway, account)).used_micros).toBe(400_000);
  });
});

describe("following", () => {
  test("N23 events are the task at each of its states, as its query shows it", async () => {
    for (const [model, end] of [
      ["videoB-2", "completed"],
      ["videoC-2-0-260128", "failed"],
    ] as const) {
      const directive = end === "failed" ? "sandbox:fail" : "";
      const id = await begin(rootKey, `A fox sandbox:seconds=0.3 ${directive}`, model);
      const response = await stand.gateway.get(`/v1/videos/${id}/events`);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toContain("text/event-stream");
      const { data } = await readStream(response);
      const events = data.map((line) => JSON.parse(line) as { type: string; data: JsonObject });
      for (const event of events) {
        expect(Object.keys(event)).toEqual(["type", "data"]);
        expect(event.type).toBe(`video.${String(event.data["status"])}`);
        expect(event.data["id"]).toBe(id);
      }
      expect(events.at(-1)?.type).toBe(`video.${end}`);
      const { body } = await query(stand.gateway, `/v1/videos/${id}`);
      expect(events.at(-1)?.data).toEqual(body);
      // One that has ended tells its end at once.
      const late = await readStream(await stand.gateway.get(`/v1/videos/${id}/events`));
      expect(late.data.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
        `video.${end}`,
      ]);
    }
  });

  test("N23 progress never goes back and is 100 only at the end", async () => {
    const id = await begin(rootKey, "A fox sandbox:seconds=0.5");
    const seen: number[] = [];
    await eventually("the end", async () => {
      const { body } = await query(stand.gateway, `/v1/videos/${id}`);
      seen.push(Number(body["progress"]));
      return body["status"] === "completed" ? true : undefined;
    });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.indexOf(100)).toBe(seen.length - 1);
  });
});
