// State of the gateway and its models: what admins see of the process, what anybody may see of the
// models, and long answers packed.
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { as, newPerson, refusedField, type Person } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { runCommand } from "../../harness/command.ts";
import { rootToken, startGateway } from "../../harness/gateway.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendor = kept(
  new Vendor((request, reply) => {
    if (request.body["model"] === "broken") return reply.json({ error: { message: "no" } }, 500);
    const prompt_tokens_details = { cached_tokens: 25 };
    const usage = { prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details };
    reply.json(completion("Yes.", usage));
  }),
);
let person: Person;

const gateway = useStand(() =>
  startGateway({
    config: `
sandbox: "off"
log: { level: error }
site: { shows_status: true }
distribution: { failures_to_eject: 1000 }
`,
  }),
);

beforeAll(async () => {
  const models = ["m", "broken"];
  await gateway.control("POST", "/api/channel", vendor.channel({ name: "only", models }));
  for (const model of models) {
    const price = { model, input_micros_per_million: 1_000_000 };
    await gateway.control("POST", "/api/price", { ...price, output_micros_per_million: 3_000_000 });
  }
  person = await newPerson(gateway, 1_000_000);
  for (const model of ["m", "m", "broken", "nobody-has-it"]) {
    await (await gateway.post("/v1/chat/completions", chatBody(model), person.key)).text();
  }
});

interface Status {
  version: string;
  process?: {
    memory: { used_bytes: number; most_bytes: number };
    streams: { open: number; most: number };
    requests_open: number;
    loop_lag_ms: number;
    disk: { free_bytes: number; size_bytes: number };
    log: { rows: number; dropped: number };
    last_verify: { at: number; ok: boolean } | null;
    last_backup_at: number | null;
  };
}

test("admins see how the process is doing, and members do not", async () => {
  const process = await eventually("the books compared", async () => {
    const status = await as<Status>(gateway, rootToken, "/api/status");
    return status.process?.last_verify && status.process.log.rows === 4
      ? status.process
      : undefined;
  });
  expect(process.memory.used_bytes).toBeGreaterThan(1_000_000);
  expect(process.memory.most_bytes).toBeGreaterThan(process.memory.used_bytes);
  expect(process.disk.size_bytes).toBeGreaterThan(process.disk.free_bytes);
  expect(process).toMatchObject({
    requests_open: 0,
    log: { rows: 4, dropped: 0 },
    last_verify: { ok: true },
    last_backup_at: null,
  });
  expect(await as<Status>(gateway, person.token, "/api/status")).not.toHaveProperty("process");
});

test("the age of the last backup is told", async () => {
  // A database is copied by its own tools, and the gateway hears nothing of it.
  await using own = await startGateway({ config: 'sandbox: "off"\n', isOnFiles: true });
  const startedAt = Math.floor(Date.now() / 1000);
  const target = join(own.folder, "..", `backup-${crypto.randomUUID()}`);
  const { code } = await runCommand({ folder: own.folder }, "backup", target);
  expect(code).toBe(0);
  const { process } = await as<Status>(own, rootToken, "/api/status");
  expect(process?.last_backup_at).toBeGreaterThanOrEqual(startedAt - 1);
});

test("anybody sees how the models are doing where that is shown, and no numbers of requests", async () => {
  const response = await fetch(`${gateway.url}/api/site/health?days=7`);
  const { data } = (await response.json()) as { data: { items: Record<string, unknown>[] } };
  expect(data.items).toMatchObject([
    { model: "m", success: 1, cached_share: 0.25, days: [{ success: 1, cached_share: 0.25 }] },
    { model: "broken", success: 0, total_ms: null, cached_share: null, days: [{ success: 0 }] },
  ]);
  expect(data.items[0]?.["total_ms"]).toBeGreaterThan(0);
  expect(JSON.stringify(data)).not.toContain("requests");
  expect(await refusedField(gateway, person.token, "/api/health/models?days=91")).toBe("days");
});

test("one model's days are told alone, to visitors as they were half a minute ago at most", async () => {
  const read = async () => {
    const response = await fetch(`${gateway.url}/api/site/health?days=9&model=m`);
    const { data } = (await response.json()) as { data: { items: { model: string }[] } };
    return data.items;
  };
  // Each node has its own answers.
  for (let turn = 0; turn < 4; turn++) await read();
  const before = await read();
  expect(before).toMatchObject([{ model: "m", cached_share: 0.25 }]);
  vendor.script = (_request, reply) => reply.json(completion("Yes.", freshUsage));
  await (await gateway.post("/v1/chat/completions", chatBody("m"), person.key)).text();
  expect(await read()).toEqual(before);
  gateway.pass(31);
  expect(await read()).toMatchObject([{ model: "m", cached_share: 0.1667 }]);
  const unknown = await fetch(`${gateway.url}/api/site/health?days=9&model=nobody`);
  expect(await unknown.json()).toMatchObject({ data: { items: [] } });
});

const freshUsage = { prompt_tokens: 100, completion_tokens: 1 };

test("a model is told of only to those whose group reaches it, admins aside", async () => {
  const own = { name: "of one customer", models: ["their-own"], groups: ["theirs"] };
  await gateway.control("POST", "/api/group", { name: "theirs" });
  await gateway.control("POST", "/api/channel", vendor.channel(own));
  const price = { model: "their-own", input_micros_per_million: 1_000_000 };
  await gateway.control("POST", "/api/price", { ...price, output_micros_per_million: 3_000_000 });
  const customer = await newPerson(gateway, 1_000_000);
  await gateway.control("PATCH", `/api/user/${customer.id}`, { group: "theirs" });
  const asked = await gateway.post("/v1/chat/completions", chatBody("their-own"), customer.key);
  expect([asked.status, await asked.text()]).toEqual([200, expect.any(String)]);
  gateway.pass(31);
  const modelsAt = async (path: string, token?: string) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const reply = await fetch(`${gateway.url}${path}?days=8`, { headers });
    const { data } = (await reply.json()) as { data: { items: { model: string }[] } };
    return data.items.map(({ model }) => model).toSorted();
  };
  const theirs = await eventually("the request in the sums", async () => {
    const models = await modelsAt("/api/health/models", customer.token);
    if (models.length > 0) return models;
    gateway.pass(31);
    return undefined;
  });
  expect(theirs).toEqual(["their-own"]);
  expect(await modelsAt("/api/health/models", person.token)).toEqual(["broken", "m"]);
  expect(await modelsAt("/api/site/health")).toEqual(["broken", "m"]);
  expect(await modelsAt("/api/health/models", rootToken)).toEqual(
    expect.arrayContaining(["broken", "m", "their-own"]),
  );
});

test("where it is not shown visitors and members are told nothing, until a page turns it on", async () => {
  await using closed = await startGateway();
  const member = await newPerson(closed, 0);
  const answers = async () => [
    await (await fetch(`${closed.url}/api/site/health`)).json(),
    await closed.controlEnvelope("GET", "/api/health/models", undefined, member.token),
  ];
  expect(await answers()).toMatchObject([
    { success: false, code: "permission_denied" },
    { success: true, data: { items: [] } },
  ]);
  const changes = [{ name: "site.shows_status", value: true }];
  await closed.control("PATCH", "/api/setting", { changes });
  expect(await answers()).toMatchObject([{ success: true }, { success: true }]);
});

test("long answers of the control plane come packed to who takes them so", async () => {
  const read = (path: string, encoding: string) =>
    fetch(gateway.url + path, {
      decompress: false,
      headers: { authorization: `Bearer ${rootToken}`, "accept-encoding": encoding },
    });
  for (let turn = 0; turn < 15; turn++) {
    await (await gateway.post("/v1/chat/completions", chatBody("nobody"), person.key)).text();
  }
  const path = "/api/log?page_size=100";
  const plain = await read(path, "identity");
  const text = await plain.text();
  expect(text.length).toBeGreaterThan(8192);
  expect(plain.headers.get("content-encoding")).toBeNull();
  const packed = await read(path, "br, gzip;q=0.8");
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  const bytes = new Uint8Array(await packed.arrayBuffer());
  expect(bytes.length).toBeLessThan(text.length / 2);
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(text);
  const refused = await read(path, "gzip;q=0");
  expect(refused.headers.get("content-encoding")).toBeNull();
  const short = await read("/api/status", "gzip");
  expect(short.headers.get("content-encoding")).toBeNull();
});

test("the status counts the channels that the list has, and the sandbox's apart", async () => {
  interface Status {
    channels: { enabled: number; sandbox: number };
  }
  await using fresh = await startGateway();
  const listed = () => fresh.control<{ total: number }>("GET", "/api/channel");
  const { channels: before } = await fresh.control<Status>("GET", "/api/status");
  expect([before.enabled, (await listed()).total]).toEqual([0, 0]);
  expect(before.sandbox).toBeGreaterThan(0);
  await fresh.control("POST", "/api/channel", vendor.channel({ name: "own", models: ["m"] }));
  const { channels: after } = await fresh.control<Status>("GET", "/api/status");
  expect([after.enabled, (await listed()).total]).toEqual([1, 1]);
});

test("a vendor that cannot be reached is named, with what to do instead", async () => {
  const nowhere = { ...vendor.channel({ models: ["m"] }), base_url: "http://127.0.0.1:1" };
  const wanted = { type: "openai", base_url: nowhere.base_url, key: "k", allow_private: true };
  const body = JSON.stringify(wanted);
  const where = { folder: gateway.folder };
  const asked = await runCommand(where, "api", "POST", "/api/channel/discover", body);
  expect(asked.error).toContain("The vendor at 127.0.0.1:1 gave no list of its models: ");
  const words = ["--url", nowhere.base_url, "--key", "k", "--allow-private"];
  const added = await runCommand(where, "channel", "add", "nowhere", ...words);
  expect(added.error).toContain("--models");
});
