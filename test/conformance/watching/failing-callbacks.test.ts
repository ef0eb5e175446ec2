// An address at which callbacks do not arrive is told of once, and what stands behind its host
// never, until one has arrived there.
import { expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../../harness/books.ts";
import { Vendor } from "../../harness/vendor.ts";
import { create, idOf, prompt, startVideos } from "../../harness/videos.ts";

setDefaultTimeout(60_000);

const model = "videoC-2-0-260128";

test("an address that fails is told of until a callback has arrived there", async () => {
  let isDown = true;
  using hooks = new Vendor(({ path }, reply) => {
    reply.json({}, isDown && path.startsWith("/customer") ? 500 : 200);
  });
  const { host } = new URL(hooks.url);
  const destinations = [{ name: "hook", type: "webhook", hook_url: `${hooks.url}/hook` }];
  const notices = { check_seconds: 1, webhook_tries: 1, disk_free_percent: 0, destinations };
  const media = { private_hosts: [host] };
  const config = `media: ${JSON.stringify(media)}\nnotices: ${JSON.stringify(notices)}`;
  await using stand = await startVideos(config);
  const { gateway } = stand;
  const calls = () => hooks.requests.filter(({ path }) => path === "/hook");
  const failing = { model, prompt, webhook_url: `${hooks.url}/customer/token-in-path` };
  idOf(await create(gateway, failing));
  const { body, text } = await eventually("the notice", async () => calls()[0]);
  expect(body).toMatchObject({
    type: "notice.webhook_failing",
    data: { account: "root", host },
  });
  expect(text).not.toContain("token-in-path");
  isDown = false;
  idOf(await create(gateway, failing));
  await eventually("its end", async () => {
    const { items } = await gateway.control<{ items: { ended_at: number | null }[] }>(
      "GET",
      "/api/notice",
    );
    return items[0]?.ended_at ?? undefined;
  });
  expect(calls()).toHaveLength(1);
});
