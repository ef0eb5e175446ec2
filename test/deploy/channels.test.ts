// Channels of every kind that an earlier version took, after an upgrade: those that could send a
// credential elsewhere are stopped with a reason, the others serve on, and a notice tells of both.
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../harness/books.ts";
import { runCommand } from "../harness/command.ts";
import { Folder } from "../harness/folder.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { keptChannels } from "./kept-folder.ts";

setDefaultTimeout(60_000);

interface ChannelShown {
  id: string;
  name: string;
  health: { state: string };
  keys: { reason: string | null }[];
}

interface NoticeShown {
  kind: string;
  text: string;
  details: { channel?: string; is_stopped?: boolean };
}

/** Channels that no longer pass, with the field that the reason names; all others serve on. */
const stopped: Readonly<Record<string, string>> = {
  "azure by the machine at a stranger": "base_url",
  "azure by the pod at a stranger": "base_url",
  "bedrock by a hostile region": "vendor.region",
  "bedrock by a proxy and the machine": "base_url",
  "openai through the metadata": "proxy",
  "vertex by a hostile location": "vendor.location",
  "vertex by a key that names a file": "key",
  "vertex by a key with a token service at home": "key",
  "vertex by the machine at a stranger": "base_url",
};
const serving: Readonly<Record<string, string>> = { "vertex by an odd project": "vendor.project" };

function unpack(folder: string): void {
  const archive = join(keptChannels, "14ec6ce.tar.gz");
  const done = Bun.spawnSync(["tar", "xzf", archive, "-C", folder]);
  if (!done.success) throw new Error(done.stderr.toString());
}

const config = JSON.stringify({ sandbox: "off", unpriced: "free", notices: { check_seconds: 1 } });

async function readChannels(gateway: Gateway): Promise<ChannelShown[]> {
  const path = "/api/channel?page_size=100";
  return (await gateway.control<{ items: ChannelShown[] }>("GET", path)).items;
}

async function readNotices(gateway: Gateway): Promise<NoticeShown[]> {
  const { items } = await gateway.control<{ items: NoticeShown[] }>("GET", "/api/notice");
  return items.filter(({ kind }) => kind === "channel_invalid");
}

test("each channel of an earlier version serves on, or is stopped with a reason", async () => {
  using folder = new Folder();
  unpack(folder.path);
  await using gateway = await startGateway({ folder: folder.path, config });
  const channels = await readChannels(gateway);
  expect(channels).toHaveLength(31);
  const found = channels.filter(({ health }) => health.state === "disabled");
  const reasons = found.map(({ name, keys }) => [name, keys[0]?.reason?.split(" ")[0]]);
  expect(Object.fromEntries(reasons)).toEqual(stopped);

  const notices = await eventually("a notice for each", async () => {
    const some = await readNotices(gateway);
    return some.length >= 10 ? some : undefined;
  });
  const told = notices.map(({ text, details: { channel = "", is_stopped } }) => {
    const field = is_stopped ? stopped[channel] : serving[channel];
    expect(text).toContain(`${channel} breaks a rule: ${field} `);
    return channel;
  });
  expect(told.toSorted()).toEqual([...Object.keys(stopped), ...Object.keys(serving)].toSorted());
});

test("a stopped channel sends nothing when it is tried out, and serves again once root sets it", async () => {
  using folder = new Folder();
  unpack(folder.path);
  await using gateway = await startGateway({ folder: folder.path, config });
  const channels = await readChannels(gateway);
  const find = (wanted: string) => channels.find(({ name }) => name === wanted)?.id ?? "";
  const id = find("vertex by the machine at a stranger");
  const tried = await gateway.control<{ ok: boolean; message: string }>(
    "POST",
    `/api/channel/${id}/test`,
    {},
  );
  expect(tried).toMatchObject({ ok: false, message: expect.stringContaining("base_url sends") });
  const path = `/api/channel/${id}`;
  const set = await gateway.control<ChannelShown>("PATCH", path, { key: "instance" });
  expect(set.health.state).toBe("open");
  // A change beside the point goes on working where the channel serves.
  const proxied = find("anthropic through a company proxy");
  expect(
    (await gateway.control<ChannelShown>("PATCH", `/api/channel/${proxied}`, { weight: 2 })).id,
  ).toBe(proxied);
  const odd = find("vertex by an odd project");
  const refused = await gateway.controlEnvelope("PATCH", `/api/channel/${odd}`, { weight: 2 });
  expect(refused.message).toContain("vendor.project");
});

test("config check names a declared channel that no longer passes", async () => {
  using folder = new Folder();
  const file = join(folder.path, "sluice.yaml");
  const declared = { type: "vertex", base_url: "https://aiplatform.googleapis.com", key: "k" };
  const hostile = { project: "p", location: "attacker.example/x?" };
  const channels = [
    { name: "good", models: ["m"], ...declared },
    { name: "hostile", models: ["m"], ...declared, vendor: hostile },
  ];
  await Bun.write(file, JSON.stringify({ channels }));
  const environment = { SLUICE_CONFIG: file };
  const checked = await runCommand({ folder: folder.path, environment }, "config", "check");
  expect(checked.code).not.toBe(0);
  expect(checked.out).toContain("channels.1.vendor.location");
  expect(checked.out).not.toContain("channels.0");
});
