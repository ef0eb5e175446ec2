// Tasks as operators see them.
import { expect, test } from "bun:test";
import type { TaskView } from "../../../src/admin/contract.ts";
import { create, idOf, prompt, reaches, slowPrompt } from "../../harness/videos.ts";
import { startVideos } from "../../harness/videos.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const model = "videoB-2";

const stand = useStand(() => startVideos());

interface Page {
  items: TaskView[];
  total: number;
  page: number;
  page_size: number;
}

async function list(query: string): Promise<Page> {
  return await stand.gateway.control<Page>("GET", `/api/task?${query}`);
}

test("N12 tasks are listed with where they run and what they cost, newest first", async () => {
  const { gateway } = stand;
  const customer = await gateway.customer(10_000_000);
  const { key } = customer;
  const done = idOf(await create(gateway, { model, prompt, seconds: 4 }, { key }));
  await reaches(gateway, done, "completed", key);
  const failing = { model, prompt: `${prompt} sandbox:fail`, seconds: 4 };
  const failed = idOf(await create(gateway, failing, { key }));
  await reaches(gateway, failed, "failed", key);
  const running = idOf(await create(gateway, { model, prompt: slowPrompt, seconds: 4 }, { key }));
  const { username } = await gateway.control<{ username: string }>(
    "GET",
    `/api/user/${customer.id}`,
  );
  const { items, total } = await list(`account=${username}`);
  expect(total).toBe(3);
  expect(items.map(({ id }) => id)).toEqual([running, failed, done]);
  const common = { account: username, key_id: customer.keyId, model, group: "default" };
  expect(items).toMatchObject([
    { ...common, held_micros: 400_000, micros: null, loss_micros: null, completed_at: null },
    { ...common, state: "failed", held_micros: 0, micros: 0, loss_micros: 0 },
    {
      ...common,
      state: "completed",
      progress: 100,
      held_micros: 0,
      micros: 400_000,
      loss_micros: 0,
      error: null,
      channel: "sandbox",
      family: "video-b",
    },
  ]);
  expect(items[1]?.error?.code).toBeString();
  expect(JSON.stringify(items)).not.toContain("sk-");
  expect(JSON.stringify(items)).not.toContain("A fox");
});

test("N12 the list is filtered and comes in pages", async () => {
  const { gateway } = stand;
  const { key } = await gateway.customer(10_000_000);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) {
    ids.push(idOf(await create(gateway, { model: "videoB-2-pro", prompt: slowPrompt }, { key })));
  }
  const first = await list("model=videoB-2-pro&page_size=2");
  expect(first).toMatchObject({ total: 3, page: 1, page_size: 2 });
  expect(first.items.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 2));
  const second = await list("model=videoB-2-pro&page_size=2&p=2");
  expect(second.items.map(({ id }) => id)).toEqual(ids.slice(0, 1));
  expect((await list("model=videoB-2-pro&state=completed")).total).toBe(0);
  for (const query of ["state=lost", "account=nobody-at-all", "p=0"]) {
    const { success } = await gateway.controlEnvelope("GET", `/api/task?${query}`);
    expect([query, success]).toEqual([query, false]);
  }
});
