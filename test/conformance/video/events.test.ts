// Those who follow tasks, while the gateway ends and when there are too many of them.
import { expect, setDefaultTimeout, test } from "bun:test";
import { sourcesPerAccountMax } from "../../../src/gateway/task/events.ts";
import { rootKey, type Gateway } from "../../harness/gateway.ts";
import { create, idOf, slowPrompt, startVideos } from "../../harness/videos.ts";

setDefaultTimeout(60_000);

function follow(gateway: Gateway, id: string, key: string = rootKey): Promise<Response> {
  return gateway.get(`/v1/videos/${id}/events`, key);
}

test("N23 whoever follows a task does not hold up the end of the gateway", async () => {
  await using stand = await startVideos();
  const { gateway } = stand;
  const id = idOf(await create(gateway, { model: "videoB-2", prompt: slowPrompt }));
  const response = await follow(gateway, id);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reading = response.text();
  // Without that it would wait for a minute, as long as streams may take to end.
  expect(await gateway.stop()).toBe(0);
  const events = (await reading).split("\n\n").filter((block) => block.startsWith("data:"));
  expect(events.length).toBeGreaterThanOrEqual(1);
  expect(JSON.parse(events[0]?.slice("data:".length) ?? "")).toMatchObject({
    type: expect.stringMatching(/^video\.(?:queued|in_progress)$/),
    data: { id },
  });
});

test("N23 an account follows so many tasks at once and no more, and leaves room to others", async () => {
  await using stand = await startVideos();
  const { gateway } = stand;
  const customer = await gateway.customer(10_000_000);
  const slow = { model: "videoB-2", prompt: slowPrompt };
  const id = idOf(await create(gateway, slow, { key: customer.key }));
  // One node after the other is asked, so all of them are full.
  const length = sourcesPerAccountMax * gateway.nodeUrls.length;
  const open = await Promise.all(Array.from({ length }, () => follow(gateway, id, customer.key)));
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  const refused = await follow(gateway, id, customer.key);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(await refused.json()).toMatchObject({ error: { code: "rate_limit_exceeded" } });
  const own = idOf(await create(gateway, slow));
  const other = await follow(gateway, own);
  expect(other.status).toBe(200);
  await Promise.all([...open, other].map((response) => response.body?.cancel()));
});

test("N23 hazard A3 whoever follows a task stops hearing of it when the key is revoked", async () => {
  await using stand = await startVideos();
  const { gateway } = stand;
  const { key, keyId } = await gateway.customer(10_000_000);
  const id = idOf(await create(gateway, { model: "videoB-2", prompt: slowPrompt }, { key }));
  const response = await follow(gateway, id, key);
  expect(response.status).toBe(200);
  const reading = response.text();
  await gateway.control("DELETE", `/api/token/${keyId}`);
  expect(await reading).not.toContain("video.completed");
});
