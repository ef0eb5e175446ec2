// A key of a vendor that was refused is seen to be disabled, whatever it looks like.
import { expect, setDefaultTimeout, test } from "bun:test";
import { chatBody } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { Folder } from "../harness/folder.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";

setDefaultTimeout(60_000);

const config = 'sandbox: "off"\ndistribution: { retry_budget_percent: 100 }\n';

interface KeyView {
  last4: string;
  status: string;
  reason: string | null;
}

async function keysOf(gateway: Gateway, id: string): Promise<KeyView[]> {
  const { keys } = await gateway.control<{ keys: KeyView[] }>("GET", `/api/channel/${id}`);
  return keys;
}

/** The first one that is refused is disabled behind the request. */
async function isShown(gateway: Gateway, id: string): Promise<KeyView[]> {
  return await eventually("a disabled key", async () => {
    const keys = await keysOf(gateway, id);
    return keys[0]?.status === "disabled" ? keys : undefined;
  });
}

test.each([
  ["ollama", "k2"],
  ["elevenchars", "k2"],
  ["twelve-chars", "k2"],
])("D5 the key %s is disabled for all to see, and its sibling is not", async (...keys) => {
  using folder = new Folder();
  let isGood = false;
  using vendor = new Vendor(({ headers }, reply) => {
    if (headers["authorization"] === "Bearer k2" || isGood) reply.json(completion("Yes."));
    else reply.json({ error: { message: "Incorrect API key.", type: "x" } }, 401);
  });
  const first = await startGateway({ folder: folder.path, config });
  const channel = vendor.channel({ name: "main", keys, key: undefined });
  const { id } = await first.control<{ id: string }>("POST", "/api/channel", channel);
  // Each node counts the turns for itself.
  for (const _ of first.nodeUrls.flatMap(() => keys)) {
    expect((await first.post("/v1/chat/completions", chatBody("chatA"))).status).toBe(200);
  }
  const [refused, sibling] = await isShown(first, id);
  expect([refused?.reason, sibling?.status]).toEqual(["Incorrect API key.", "enabled"]);
  const last4 = keys[0]?.length === 12 ? "hars" : "";
  expect(refused?.last4).toBe(last4);
  await first.agreed();
  const metrics = await first.metrics();
  expect(metrics).toContain(`sluice_channel_key_disabled{channel="main",key="0:${last4}"} 1\n`);
  expect(metrics).toContain('sluice_channel_keys{channel="main"} 1\n');
  await first.stop();
  await using next = await startGateway({ folder: folder.path, config });
  expect((await keysOf(next, id)).map(({ status }) => status)).toEqual(["disabled", "enabled"]);
  isGood = true;
  const tested = await next.control("POST", `/api/channel/${id}/test`, {});
  expect(tested).toMatchObject({ ok: true, key: 0 });
  expect((await keysOf(next, id)).map(({ status }) => status)).toEqual(["enabled", "enabled"]);
});
