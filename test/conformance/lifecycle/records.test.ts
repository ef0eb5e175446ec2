// Records on the command line: sums, requests, groups, channels, tasks and assets of a running
// gateway, by name as well as by id.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chatBody } from "../../harness/ask.ts";
import { beginCommand, runCommand, type CommandEnd } from "../../harness/command.ts";
import { StreamReader } from "../../harness/event-stream.ts";
import { Folder } from "../../harness/folder.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { completion, Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(180_000);

const vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
const data = new Folder();
let gateway: Gateway;
let customer = { id: "", key: "", keyId: "" };
let username = "";

beforeAll(async () => {
  const config = "prices: [{ model: m, call_micros: 250 }, { model: n, call_micros: 1000 }]\n";
  gateway = await startGateway({ folder: data.path, config, isOnFiles: true });
  const channel = vendor.channel({ models: ["m", "n"], name: "main" });
  await gateway.control("POST", "/api/channel", channel);
  customer = await gateway.customer(1_000_000, { name: "laptop" });
  const path = `/api/user/${customer.id}`;
  ({ username } = await gateway.control<{ username: string }>("GET", path));
  await chat("m");
  await chat("m");
  await chat("n");
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
  data[Symbol.dispose]();
});

async function chat(model: string): Promise<string> {
  const response = await gateway.post("/v1/chat/completions", chatBody(model), customer.key);
  await response.text();
  return response.headers.get("x-request-id") ?? "";
}

async function sluice(...words: string[]): Promise<CommandEnd> {
  return await runCommand({ folder: data.path }, ...words);
}

async function out(...words: string[]): Promise<string> {
  const { code, out: text, error } = await sluice(...words);
  expect({ words, code, error }).toEqual({ words, code: 0, error: "" });
  return text;
}

async function json<Data>(...words: string[]): Promise<Data> {
  return JSON.parse(await out(...words, "--json")) as Data;
}

test("N20 usage is summed up by day, account, key, model and channel, from today on", async () => {
  const byModel = await out("usage", "--from", "today", "--by", "model");
  expect(byModel).toMatch(/^MODEL +REQUESTS .*COST .*MARGIN\n/);
  expect(byModel).toMatch(/\nm +2 .*\$0\.0005 /);
  expect(byModel).toMatch(/\nn +1 .*\$0\.001 /);
  expect(byModel).toMatch(/\nall +3 .*\$0\.0015 .*\n$/);
  const today = new Date().toISOString().slice(0, 10);
  const words: [string, string][] = [
    ["day", today],
    ["account", username],
    ["key", "laptop"],
    ["channel", "main"],
  ];
  for (const [by, name] of words) {
    expect(await out("usage", "--by", by)).toMatch(new RegExp(`\\n${name} +3 .*\\$0\\.0015 `));
  }
  const filters = [
    ["--account", username],
    ["--account", customer.id],
    ["--key", "laptop"],
    ["--key", customer.keyId],
    ["--channel", "main"],
    ["--model", "n"],
  ];
  for (const filter of filters) {
    const { sum } = await json<{ sum: object }>("usage", ...filter);
    const all = { requests: 3, micros: 1500 };
    const one = { requests: 1, micros: 1000 };
    expect(sum).toMatchObject(filter[1] === "n" ? one : all);
  }
  const csv = await out("usage", "--by", "account,model", "--from", "7d", "--csv");
  const [head, ...lines] = csv.trimEnd().split("\r\n");
  expect(head).toMatch(/^.*account,.*micros$/);
  expect(lines).toHaveLength(2);
});

test("N20 the log is listed, filtered, shown and followed", async () => {
  const id = await chat("n");
  expect(await out("log", "list")).toMatch(new RegExp(`^TIME +REQUEST .*\\n.* ${id} +200 `));
  expect(await json<object[]>("log", "list", "--model", "m")).toHaveLength(2);
  expect(await json<object[]>("log", "list", "--limit", "1")).toHaveLength(1);
  expect(await json<object[]>("log", "list", "--status", "503")).toEqual([]);
  for (const name of [username, customer.id]) {
    expect(await json<object[]>("log", "list", "--account", name, "--model", "m")).toHaveLength(2);
  }
  const shown = await out("log", "show", id);
  expect(shown).toMatch(new RegExp(`\\nrequest_id +${id}\\n`));
  expect(shown).toMatch(/\nmicros +\$0\.001\n/);
  expect(shown).toMatch(/\nchannel +main\n/);
  const none = await sluice("log", "show", "req_never");
  expect(none).toMatchObject({ code: 1, out: "", error: "the log has no request req_never\n" });
  const last = await out("log", "tail", "--limit", "2");
  expect(last.trimEnd().split("\n")).toHaveLength(2);
  expect(last.trimEnd().split("\n").at(-1)).toContain(id);
});

test("N20 a log that is followed shows what comes, until it is interrupted", async () => {
  const child = await beginCommand(
    { folder: data.path },
    "log",
    "tail",
    "--follow",
    "--limit",
    "1",
  );
  const reader = new StreamReader(new Response(child.stdout));
  await reader.until("\n");
  const ids = [await chat("m"), await chat("n")];
  for (const id of ids) await reader.until(id);
  child.kill("SIGINT");
  await child.exited;
});

test("N17 groups are made, changed in part, listed and removed", async () => {
  const limits = ["--requests-per-minute", "20", "--concurrency", "3"];
  await out("group", "set", "part ners", "--multiplier", "0.8", ...limits);
  const changed = await json(
    "group",
    "set",
    "part ners",
    "--multiplier",
    "2",
    "--clear",
    "concurrency",
  );
  expect(changed).toMatchObject({ multiplier: 2, requests_per_minute: 20, concurrency: null });
  expect(await out("group", "list")).toMatch(/\npart ners +2 +20 /);
  expect(await out("group", "remove", "part ners")).toBe("removed part ners\n");
  expect(await out("group", "list")).not.toContain("part ners");
});

test("N17 a channel is edited, disabled, enabled and given other keys", async () => {
  await out("channel", "edit", "main", "--priority", "7", "--add-models", "o", "--name", "second");
  const [channel] = await json<object[]>("channel", "list");
  expect(channel).toMatchObject({ name: "second", priority: 7, models: ["m", "n", "o"] });
  await out("channel", "edit", "second", "--remove-models", "o", "--name", "main");
  await out("channel", "edit", "main", "--no-affinity");
  expect(await json<object[]>("channel", "list")).toMatchObject([{ affinity: false }]);
  const written = await gateway.control<{ yaml: string }>("GET", "/api/channel/yaml");
  expect(written.yaml).toContain("affinity: false");
  await out("channel", "edit", "main", "--affinity");
  expect(await json<object[]>("channel", "list")).toMatchObject([{ affinity: true }]);
  expect(await out("channel", "disable", "main")).toBe("disabled main\n");
  expect((await gateway.post("/v1/chat/completions", chatBody("m"), customer.key)).status).toBe(
    503,
  );
  expect(await out("channel", "enable", "main")).toBe("enabled main\n");
  const input = "sk-vendor-key-one\nsk-vendor-key-two\n";
  const set = await runCommand(
    { folder: data.path, input },
    "channel",
    "keys",
    "main",
    "--set",
    "-",
  );
  expect(set.out).toMatch(/^NUMBER +ENDS WITH +STATUS +REASON\n +0 +-one +enabled .*\n +1 +-two /);
  expect(set.out).not.toContain("sk-vendor");
  const before = vendor.requests.length;
  await chat("m");
  expect(vendor.requests[before]?.headers["authorization"]).toMatch(/^Bearer sk-vendor-key-/);
});

test("N17 tasks and assets are listed and shown, and any route of the control plane is called", async () => {
  using folder = new Folder();
  const host = new URL(vendor.url).host;
  const config = `media: { private_hosts: ["${host}"] }\n`;
  await using practice = await startGateway({ folder: folder.path, config });
  const run = async (...words: string[]) => await runCommand({ folder: folder.path }, ...words);
  const made = await practice.post("/v1/videos", {
    model: "videoB-2",
    prompt: "A fox sandbox:seconds=0",
    seconds: "4",
    size: "1280x720",
  });
  const { id } = (await made.json()) as { id: string };
  expect((await run("task", "list")).out).toMatch(new RegExp(`\n${id} +video +root +videoB-2 `));
  expect((await run("task", "list", "--kind", "image")).out).toBe("none\n");
  const shown = await run("task", "show", id);
  expect(shown.out).toMatch(new RegExp(`^id +${id}\nkind +video\n`));
  expect((await run("task", "show", "task_never")).error).toBe("there is no task task_never\n");
  const { key } = await practice.customer(1000);
  const words = ["asset", "add", `${vendor.url}/fox.png`, "--kind", "image", "--key", "-"];
  const added = await runCommand({ folder: folder.path, input: `${key}\n` }, ...words);
  expect(added).toMatchObject({ code: 0, error: "" });
  const asset = /registered (asset\S+): /.exec(added.out)?.[1] ?? "";
  expect((await run("asset", "list")).out).toContain(asset);
  expect((await run("asset", "list", "--kind", "video")).out).toBe("none\n");
  const seen = await run("asset", "show", asset, "--json");
  expect(JSON.parse(seen.out)).toMatchObject({ id: asset, kind: "image" });
  const status = await run("api", "GET", "/api/status");
  expect(JSON.parse(status.out)).toMatchObject({ accepts_paid_work: true });
});
