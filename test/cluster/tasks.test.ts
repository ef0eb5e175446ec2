// Tasks on two real gateways on one database, one of them with a clock that is two hours behind:
// either shows, follows and ends what the other looks after, also where every notice is lost.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { balanceOf, eventually } from "../harness/books.ts";
import { StreamReader } from "../harness/event-stream.ts";
import type { Gateway } from "../harness/gateway.ts";
import { startImageVendors, type ImageVendors } from "../harness/images/tasks.ts";
import { Pair } from "../harness/nodes/pair.ts";
import { create, idOf, query, quickPolls, reaches } from "../harness/videos.ts";
import { slowPrompt, slowSeconds, startVideoVendors } from "../harness/videos.ts";
import type { VideoVendors } from "../harness/videos.ts";

setDefaultTimeout(60_000);

/** A model of a vendor that can be told to stop. */
const model = "videoC-2-0-260128";
const pictures = "/v1/images/generations/async";
const grantMicros = 100_000_000;

class Hook implements Disposable {
  readonly paths: string[] = [];
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      this.paths.push(new URL(request.url).pathname);
      return new Response(null, { status: 204 });
    },
  });

  get host(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}

let vendors: VideoVendors;
let painters: ImageVendors;
let pair: Pair;
const hook = new Hook();

beforeAll(async () => {
  vendors = startVideoVendors();
  painters = startImageVendors();
  const config = `${quickPolls}\nimages: { runs_per_channel: 1 }`;
  pair = await Pair.start({ config, media: `, private_hosts: ["${hook.host}"]` });
  const channel = { key: "sk-vendor", allow_private: true };
  await pair.one.control("POST", "/api/channel", {
    ...channel,
    name: "films",
    type: "ark",
    base_url: `${vendors.url}/ark`,
    models: [model],
  });
  await pair.one.control("POST", "/api/channel", {
    ...channel,
    name: "painter",
    type: "openai",
    base_url: `${painters.url}/openai`,
    models: ["imageA-2"],
    model_mapping: { "imageA-2": "gpt-image-2" },
  });
});

afterAll(async () => {
  await pair[Symbol.asyncDispose]();
  await vendors[Symbol.asyncDispose]();
  await painters[Symbol.asyncDispose]();
  hook[Symbol.dispose]();
});

/** Both ways round: the node that has the task, and the one that is asked. */
const ways = (): [string, Gateway, Gateway][] => [
  ["the first", pair.one, pair.other],
  ["the second", pair.other, pair.one],
];

async function begin(at: Gateway, key: string): Promise<string> {
  const reply = await create(at, { model, prompt: slowPrompt, seconds: 4 }, { key });
  const id = idOf(reply);
  await reaches(at, id, "queued", key);
  return id;
}

async function openTasks(at: Gateway): Promise<number> {
  const metrics = await (await fetch(`${at.url}/metrics`)).text();
  const counts = metrics.matchAll(/^sluice_tasks_open\{[^}]*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

const stops = () => vendors.calls.filter(({ method }) => method === "DELETE").length;

const held = async (at: Gateway, id: string) => (await balanceOf(at, id)).held_micros;

async function ownerOf(id: string): Promise<unknown> {
  return (await pair.rows(`select owner from task where id = '${id}'`))[0]?.["owner"];
}

describe.each([
  ["notices", false],
  ["no notices", true],
])("with %s", (_words, isDeaf) => {
  beforeAll(() => {
    pair.wire.isDeaf = isDeaf;
  });

  afterAll(() => {
    pair.wire.isDeaf = false;
  });

  test("a video is followed to its end on the other node, and its file is there", async () => {
    const { id: account, key } = await pair.customer(grantMicros);
    for (const [name, owner, asked] of ways()) {
      const id = await begin(owner, key);
      const ownedBy = await ownerOf(id);
      const events = new StreamReader(await asked.get(`/v1/videos/${id}/events`, key));
      await events.until("video.queued");
      vendors.clock.pass(slowSeconds / 2);
      await events.until("video.in_progress");
      const { body } = await query(asked, `/v1/videos/${id}`, { key });
      expect([name, body["status"]]).toEqual([name, "in_progress"]);
      expect(await ownerOf(id)).toBe(ownedBy);
      vendors.clock.pass(slowSeconds);
      const seen = (await events.rest()).match(/"type":"video\.\w+"/g);
      expect([...new Set(seen)]).toEqual([
        '"type":"video.queued"',
        '"type":"video.in_progress"',
        '"type":"video.completed"',
      ]);
      const file = await asked.get(`/v1/videos/${id}/content`, key);
      expect([file.status, file.headers.get("content-type")]).toEqual([200, "video/mp4"]);
      expect((await file.bytes()).length).toBeGreaterThan(0);
    }
    expect(await held(pair.one, account)).toBe(0);
  });

  test("a video is cancelled on the other node, at its vendor once, and paid back", async () => {
    const { id: account, key } = await pair.customer(grantMicros);
    for (const [name, owner, asked] of ways()) {
      const id = await begin(owner, key);
      const before = stops();
      expect(await held(asked, account)).toBeGreaterThan(0);
      const reply = await query(asked, `/v1/videos/${id}`, { key, method: "DELETE" });
      expect([name, reply.status, reply.body]).toEqual([
        name,
        200,
        { id, object: "video.deleted", deleted: true },
      ]);
      expect(stops()).toBe(before + 1);
      for (const node of [owner, asked]) {
        // Without notices its former owner hears of it when it reads again.
        await eventually("the video gone", async () =>
          (await query(node, `/v1/videos/${id}`, { key })).status === 404 ? true : undefined,
        );
        expect(await balanceOf(node, account)).toMatchObject({
          quota_micros: grantMicros,
          held_micros: 0,
          used_micros: 0,
        });
      }
      // The node that had it looks after it no more.
      await eventually("no open tasks", async () =>
        (await openTasks(owner)) === 0 ? true : undefined,
      );
      expect(await pair.rows(`select kind, micros from entry where id = '${id}'`)).toEqual([
        { kind: "void", micros: 0 },
      ]);
    }
  });

  test("a video that all cancel at once is stopped once", async () => {
    const { id: account, key } = await pair.customer(grantMicros);
    const id = await begin(pair.one, key);
    const before = stops();
    const cancels = [pair.one, pair.other, pair.one, pair.other].map((node) =>
      query(node, `/v1/videos/${id}`, { key, method: "DELETE" }),
    );
    const statuses = (await Promise.all(cancels)).map(({ status }) => status);
    // A late client may find that it is gone.
    expect(statuses.every((status) => status === 200 || status === 404)).toBe(true);
    expect(statuses).toContain(200);
    expect(stops()).toBe(before + 1);
    expect(await held(pair.other, account)).toBe(0);
  });

  test("an image that waits is cancelled on the other node, and no vendor hears of it", async () => {
    const { id: account, key } = await pair.customer(grantMicros);
    for (const [name, owner, asked] of ways()) {
      const goOn = painters.hold();
      const calls = painters.calls.length;
      const order = { model: "imageA-2", prompt: "A fox" };
      const first = idOf(await create(owner, order, { key, path: pictures }));
      await eventually("the first call", async () =>
        painters.calls.length === calls + 1 ? true : undefined,
      );
      const second = idOf(await create(owner, order, { key, path: pictures }));
      const cancel = (id: string) => asked.controlEnvelope("POST", `/api/task/${id}/cancel`);
      // A task that its vendor has heard of is not stopped.
      expect([name, (await cancel(first)).success]).toEqual([name, false]);
      expect(await cancel(second)).toMatchObject({ success: true, data: { state: "failed" } });
      for (const node of [owner, asked]) {
        const { body } = await query(node, `${pictures}/${second}`, { key });
        expect([body["status"], body["error"]]).toMatchObject(["failed", { code: "cancelled" }]);
      }
      goOn();
      for (const node of [asked, owner]) {
        await eventually("the first", async () => {
          const { body } = await query(node, `${pictures}/${first}`, { key });
          return body["status"] === "completed" ? true : undefined;
        });
      }
      await eventually("no open tasks", async () =>
        (await openTasks(owner)) === 0 ? true : undefined,
      );
      expect(painters.calls.length).toBe(calls + 1);
    }
    expect(await held(pair.one, account)).toBe(0);
  });
});

test("creates with one key on both nodes at once make one task", async () => {
  const { key } = await pair.customer(grantMicros);
  const before = vendors.calls.filter(({ method }) => method === "POST").length;
  for (let round = 0; round < 6; round++) {
    const both = [pair.one, pair.other].map((node) =>
      fetch(`${node.url}/v1/videos`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": `round ${round}`,
        },
        body: JSON.stringify({ model, prompt: slowPrompt, seconds: 4 }),
      }),
    );
    const replies = await Promise.all(both);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const bodies = await Promise.all(replies.map((reply) => reply.json()));
    const [first, second] = bodies as { id: string }[];
    expect(first?.id).toBe(second?.id);
  }
  expect(vendors.calls.filter(({ method }) => method === "POST").length).toBe(before + 6);
  vendors.clock.pass(2 * slowSeconds);
  for (const node of [pair.one, pair.other]) {
    await eventually("no open tasks", async () =>
      (await openTasks(node)) === 0 ? true : undefined,
    );
  }
});

test("a callback is told once, whichever node ended its task", async () => {
  const { key } = await pair.customer(grantMicros);
  const ids: string[] = [];
  for (let round = 0; round < 6; round++) {
    const order = { model, prompt: slowPrompt, seconds: 4 };
    const webhook_url = `http://${hook.host}/${round}`;
    const node = round % 2 === 0 ? pair.one : pair.other;
    ids.push(idOf(await create(node, { ...order, webhook_url }, { key })));
  }
  vendors.clock.pass(2 * slowSeconds);
  const list = ids.map((id) => `'${id}'`).join();
  await eventually("all deliveries", async () => {
    const rows = await pair.rows(
      `select attempts from webhook_delivery where task_id in (${list}) and delivered_at_ms > 0`,
    );
    return rows.length === ids.length ? true : undefined;
  });
  expect(hook.paths.toSorted()).toEqual(["/0", "/1", "/2", "/3", "/4", "/5"]);
});
