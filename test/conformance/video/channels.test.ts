// Channel and key that work on a task, from its start to its end.
import { beforeEach, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { startGateway } from "../../harness/gateway.ts";
import { ScriptedArk } from "../../harness/scripted-ark.ts";
import { create, idOf, query, quickPolls, reaches } from "../../harness/videos.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const config = `
sandbox: "off"
${quickPolls}
distribution: { failures_to_eject: 1000000, retry_budget_percent: 100 }
`;
const grantMicros = 10_000_000;
const secondMicros = 60_000;
const body = { model: "manxue-2.0", prompt: "A fox", seconds: "5" };

const one = kept(new ScriptedArk());
const other = kept(new ScriptedArk());

const gateway = useStand(() => startGateway({ config }));

beforeEach(startOver);

async function startOver(): Promise<void> {
  const { items } = await gateway.control<{ items: { id: string }[] }>("GET", "/api/channel");
  for (const { id } of items) await gateway.control("DELETE", `/api/channel/${id}`);
  for (const ark of [one, other]) {
    ark.requests.length = 0;
    ark.show = () => ark.done();
    ark.start = (id) => Response.json({ id });
    ark.list = () => [];
  }
}

async function addChannel(ark: ScriptedArk, fields: object = {}): Promise<string> {
  const channel = { ...ark.channel(), name: `channel-${crypto.randomUUID()}`, ...fields };
  const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", channel);
  return id;
}

/** The keys that asked about each job, which must be the one that made it. */
function keysOf(ark: ScriptedArk): { made: string; asked: string[] }[] {
  return ark.starts().map(({ id, key }) => ({
    made: key,
    asked: [
      ...new Set(
        ark.requests
          .filter((request) => request.method === "GET" && request.id === id)
          .map((request) => request.key),
      ),
    ],
  }));
}

describe("where a task is asked about", () => {
  test("D3 it is polled on the channel and with the key that accepted it", async () => {
    await addChannel(one, { keys: ["sk-one-a", "sk-one-b", "sk-one-c"], key: undefined });
    await addChannel(other, { keys: ["sk-other-a", "sk-other-b"], key: undefined });
    const replies = await Promise.all(Array.from({ length: 30 }, () => create(gateway, body)));
    for (const reply of replies) await reaches(gateway, idOf(reply), "completed");
    const jobs = [one, other].flatMap(keysOf);
    expect(jobs).toHaveLength(30);
    expect(new Set(jobs.map(({ made }) => made)).size).toBeGreaterThan(2);
    for (const { made, asked } of jobs) expect(asked).toEqual([made]);
  });

  test("D3 a better channel that comes later does not take it over", async () => {
    await addChannel(one);
    one.show = () => ({ status: "running" });
    const id = idOf(await create(gateway, body));
    await reaches(gateway, id, "in_progress");
    await addChannel(other, { priority: 100 });
    one.show = () => one.done();
    await reaches(gateway, id, "completed");
    expect(other.requests).toEqual([]);
  });

  test("D3 a channel that takes nothing new ends what it has begun", async () => {
    const channel = await addChannel(one);
    one.show = () => ({ status: "running" });
    const id = idOf(await create(gateway, body));
    await reaches(gateway, id, "in_progress");
    await gateway.control("PATCH", `/api/channel/${channel}`, { status: "disabled" });
    expect((await create(gateway, body)).status).toBe(503);
    one.show = () => one.done();
    await reaches(gateway, id, "completed");
    expect(keysOf(one)).toEqual([{ made: "sk-ark-one", asked: ["sk-ark-one"] }]);
  });

  test("D3 a vendor that cannot be asked for a while costs the task nothing", async () => {
    await addChannel(one);
    await addChannel(other, { priority: -1 });
    const answers: (JsonObject | Response)[] = [
      { status: "running" },
      Response.json({ error: { code: "InternalServiceError" } }, { status: 500 }),
      Response.json({ error: { code: "RateLimitExceeded" } }, { status: 429 }),
      Response.json({ error: { code: "ResourceNotFound" } }, { status: 404 }),
      new Response("no JSON at all"),
      { status: "a word that nobody knows" },
      { status: 7 },
    ];
    one.show = () => answers.shift() ?? one.done();
    const { id: account, key } = await gateway.customer(grantMicros);
    const id = idOf(await create(gateway, body, { key }));
    await reaches(gateway, id, "completed", key);
    expect(other.requests).toEqual([]);
    expect((await balanceOf(gateway, account)).used_micros).toBe(5 * secondMicros);
  });
});

describe("where a task is started", () => {
  test("Q7 a channel that refuses hands over to the next, and the task is charged once", async () => {
    const refusals = [
      () => Response.json({ error: { code: "InternalServiceError" } }, { status: 500 }),
      () => Response.json({ error: { code: "RateLimitExceeded" } }, { status: 429 }),
      () => Response.json({ error: { code: "ServerOverloaded" } }, { status: 503 }),
    ];
    for (const refuse of refusals) {
      await startOver();
      await addChannel(one, { priority: 5 });
      await addChannel(other);
      one.start = refuse;
      const { id: account, key } = await gateway.customer(grantMicros);
      const id = idOf(await create(gateway, body, { key }));
      await reaches(gateway, id, "completed", key);
      expect([one.starts().length, other.starts().length]).toEqual([1, 1]);
      expect(await balanceOf(gateway, account)).toMatchObject({
        quota_micros: grantMicros - 5 * secondMicros,
        held_micros: 0,
        used_micros: 5 * secondMicros,
      });
    }
  });

  test("D2 a key that is refused is not used again, its sibling is", async () => {
    await addChannel(one, { keys: ["sk-bad", "sk-good"], key: undefined });
    one.start = (id) =>
      one.starts().at(-1)?.key === "sk-bad"
        ? Response.json({ error: { code: "AuthenticationError" } }, { status: 401 })
        : Response.json({ id });
    for (let count = 0; count < 3; count++) {
      await reaches(gateway, idOf(await create(gateway, body)), "completed");
    }
    const keys = one.starts().map(({ key }) => key);
    expect(keys.filter((key) => key === "sk-bad").length).toBeLessThanOrEqual(1);
    expect(keys.filter((key) => key === "sk-good")).toHaveLength(3);
  });

  test("Q7 what the vendor finds wrong with a request is the client's to read", async () => {
    await addChannel(one, { priority: 5 });
    await addChannel(other);
    const error = {
      code: "InvalidParameter",
      message: "The prompt is too short.",
      param: "prompt",
    };
    one.start = () => Response.json({ error }, { status: 400 });
    const reply = await create(gateway, body);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ error: { message: error.message, param: "prompt" } });
    expect(other.requests).toEqual([]);
  });

  test("Q2 D3 a start whose answer was lost is looked for, and never sent again", async () => {
    await addChannel(one, { priority: 5 });
    await addChannel(other);
    // It has begun, but only an error page of something in between comes back.
    one.start = () => new Response("<html>bad gateway</html>", { status: 502 });
    one.list = () => {
      const { id, body: sent } = one.starts().at(-1) ?? {};
      return [{ id: id ?? "", safety_identifier: sent?.["safety_identifier"] ?? null }];
    };
    const { id: account, key } = await gateway.customer(grantMicros);
    const reply = await create(gateway, body, { key });
    expect(reply.body).toMatchObject({ status: "queued", progress: 0 });
    await reaches(gateway, idOf(reply), "completed", key);
    expect([one.starts().length, other.requests.length]).toEqual([1, 0]);
    expect((await balanceOf(gateway, account)).used_micros).toBe(5 * secondMicros);
  });

  test("Q2 a start that never reached the vendor fails in the end, and costs nothing", async () => {
    await addChannel(one, { priority: 5 });
    await addChannel(other);
    one.start = () => new Response("<html>bad gateway</html>", { status: 502 });
    const held = Promise.withResolvers<void>();
    one.list = async () => {
      await held.promise;
      return [];
    };
    const { id: account, key } = await gateway.customer(grantMicros);
    const id = idOf(await create(gateway, body, { key }));
    expect((await balanceOf(gateway, account)).held_micros).toBe(5 * secondMicros);
    held.resolve();
    const task = await reaches(gateway, id, "failed", key);
    expect(task["error"]).toMatchObject({ code: "task_failed" });
    expect([one.starts().length, other.requests.length]).toEqual([1, 0]);
    expect(await balanceOf(gateway, account)).toMatchObject({
      quota_micros: grantMicros,
      held_micros: 0,
      used_micros: 0,
    });
  });

  test("D1 a channel's mapping names the model to its vendor alone", async () => {
    await addChannel(one, { model_mapping: { "manxue-2.0": "ep-12345" } });
    const reply = await create(gateway, body);
    expect(reply.body["model"]).toBe("manxue-2.0");
    await reaches(gateway, idOf(reply), "completed");
    expect(one.starts()[0]?.body?.["model"]).toBe("ep-12345");
    const shown = await query(gateway, `/v1/videos/${idOf(reply)}`);
    expect(JSON.stringify(shown.body)).not.toContain("ep-12345");
  });

  test("A7 a key reaches only the models on its list and the channels of its group", async () => {
    await addChannel(one, { models: ["manxue-2.0", "videoC-2-0-260128"] });
    const { key } = await gateway.customer(grantMicros, { models: ["videoC-2-0-260128"] });
    const refused = await create(gateway, body, { key });
    expect(refused.body).toMatchObject({ error: { code: "model_not_found" } });
    const allowed = { model: "videoC-2-0-260128", prompt: "A fox" };
    expect((await create(gateway, allowed, { key })).status).toBe(200);
    await eventually("one start", async () => (one.starts().length === 1 ? true : undefined));
  });
});
