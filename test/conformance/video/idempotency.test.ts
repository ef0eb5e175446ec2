// A create that is sent again under its Idempotency-Key.
import { expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { rootKey } from "../../harness/gateway.ts";
import { balanceOf } from "../../harness/books.ts";
import { form, prompt, query, reaches, slowPrompt, starts } from "../../harness/videos.ts";
import { startVideos } from "../../harness/videos.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const model = "videoD-h3-768p";
const body = { model, prompt, duration: 4 };

const stand = useStand(() => startVideos());

interface Sent {
  path?: string;
  body?: object | FormData;
  as?: string;
}

async function send(key: string, sent: Sent = {}) {
  const { path = "/v1/videos", body: given = body, as = rootKey } = sent;
  const isForm = given instanceof FormData;
  const response = await fetch(stand.gateway.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${as}`,
      "idempotency-key": key,
      ...(isForm ? {} : { "content-type": "application/json" }),
    },
    body: isForm ? given : JSON.stringify(given),
  });
  const { status, headers } = response;
  const isReplay = headers.get("idempotent-replayed") === "true";
  return { status, isReplay, body: (await response.json()) as JsonObject };
}

test("N14 the same key and body make one task, which is shown as it is by now", async () => {
  const before = starts(stand).length;
  const first = await send("one");
  expect([first.status, first.isReplay]).toEqual([200, false]);
  const at = await send("one");
  expect([at.status, at.isReplay, at.body["id"]]).toEqual([200, true, first.body["id"]]);
  const id = String(first.body["id"]);
  await reaches(stand.gateway, id, "completed");
  const late = await send("one");
  expect(late.body).toMatchObject({ id, status: "completed", progress: 100 });
  expect(starts(stand).length).toBe(before + 1);
});

test("N14 another body under the same key is a 409, whatever the first has become", async () => {
  await send("two");
  const other = await send("two", { body: { ...body, duration: 5 } });
  expect(other.status).toBe(409);
  expect(other.body).toMatchObject({ error: { code: "conflict", param: "Idempotency-Key" } });
});

test("N14 of many at once one makes the task and the others are shown it", async () => {
  const customer = await stand.gateway.customer(10_000_000);
  const before = starts(stand).length;
  const slow = { ...body, prompt: slowPrompt };
  const all = await Promise.all(
    Array.from({ length: 12 }, () => send("race", { body: slow, as: customer.key })),
  );
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
  expect(new Set(all.map((one) => one.body["id"])).size).toBe(1);
  expect(all.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
  expect(starts(stand).length).toBe(before + 1);
  const { held_micros } = await balanceOf(stand.gateway, customer.id);
  expect(held_micros).toBe(4 * 60_000);
});

test("N14 a create that was refused frees its key", async () => {
  const bad = await send("three", { body: { ...body, duration: 99 } });
  expect(bad.status).toBe(400);
  const filtered = { ...body, prompt: "sandbox:status=400" };
  const refused = await send("three", { body: filtered });
  expect(refused.status).toBe(400);
  const good = await send("three");
  expect([good.status, good.isReplay]).toEqual([200, false]);
});

test("N14 a key is an account's own", async () => {
  const customer = await stand.gateway.customer(10_000_000);
  const mine = await send("four");
  const theirs = await send("four", { as: customer.key });
  expect([theirs.status, theirs.isReplay]).toEqual([200, false]);
  expect(theirs.body["id"]).not.toBe(mine.body["id"]);
});

test("N14 it holds on every create, and for forms", async () => {
  const native = { prompt, duration: "5" };
  const creates: [string, Sent, (body: JsonObject) => unknown][] = [
    ["unified", { path: "/v1/video/generations" }, ({ id }) => id],
    [
      "native",
      { path: "/videoE/v1/videos/text2video", body: native },
      ({ data }) => (data as JsonObject)["task_id"],
    ],
    ["form", { body: form({ model, prompt, duration: "4" }) }, ({ id }) => id],
  ];
  for (const [key, sent, idOf] of creates) {
    const first = await send(key, sent);
    const again = await send(key, sent);
    expect([key, first.status, first.isReplay]).toEqual([key, 200, false]);
    expect([key, again.status, again.isReplay]).toEqual([key, 200, true]);
    expect(String(idOf(first.body))).toStartWith("task_");
    expect(idOf(again.body)).toBe(idOf(first.body));
  }
});

test("N14 what was made and deleted is not made again", async () => {
  const first = await send("five");
  const id = String(first.body["id"]);
  await reaches(stand.gateway, id, "completed");
  await query(stand.gateway, `/v1/videos/${id}`, { method: "DELETE" });
  expect((await send("five")).status).toBe(409);
});

test("N14 a key that is too long is a 400", async () => {
  const refused = await send("x".repeat(256));
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({ error: { param: "Idempotency-Key" } });
});

test("N14 a key that may do less than its account finds only what it made itself", async () => {
  const { gateway } = stand;
  const account = await gateway.customer(1_000_000_000, { models: [model] });
  const { account: username } = await gateway.control<{ account: string }>(
    "GET",
    `/api/token/${account.keyId}`,
  );
  const another = async (fields: object = {}) =>
    await gateway.control<{ id: string; key: string }>("POST", "/api/token", {
      name: "another",
      account: username,
      ...fields,
    });
  const [free, sibling] = [await another(), await another()];
  const limited = await another({ quota_micros: 900_000_000 });
  const made = await send("order-1", { as: free.key });
  expect((await send("order-1", { as: sibling.key })).body["id"]).toBe(made.body["id"]);
  const listed = async (key: string) => {
    const reply = await gateway.get("/v1/videos?idempotency_key=order-1", key);
    return ((await reply.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
  };
  expect(await listed(sibling.key)).toEqual([String(made.body["id"])]);
  const ids = new Set([made.body["id"]]);
  for (const { key } of [account, limited]) {
    expect(await listed(key)).toEqual([]);
    const own = await send("order-1", { as: key });
    expect([own.status, own.isReplay]).toEqual([200, false]);
    ids.add(own.body["id"]);
    const again = await send("order-1", { as: key });
    expect([again.isReplay, again.body["id"]]).toEqual([true, own.body["id"]]);
    expect(await listed(key)).toEqual([String(own.body["id"])]);
  }
  expect(ids.size).toBe(3);
  // Videos of a key stay its own when its limits go, and when they come.
  const before = await listed(limited.key);
  await gateway.control("PATCH", `/api/token/${limited.id}`, { unlimited: true });
  expect(await listed(limited.key)).toEqual(before);
  await gateway.control("PATCH", `/api/token/${free.id}`, { quota_micros: 900_000_000 });
  expect(await listed(free.key)).toEqual([String(made.body["id"])]);
});
