// An import that root runs without a shell: by the same plan and run as the command.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { chatBody } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { Browser, password } from "../../harness/browser.ts";
import { runCommand } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { rootToken, startGateway, type Gateway } from "../../harness/gateway.ts";
import { keepOnFiles } from "../../harness/postgres.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { keyOf, LineageDatabase } from "../../import/lineage-database.ts";

setDefaultTimeout(120_000);

interface Report {
  source: string;
  counts: Record<string, { found: number; made: number; known: number; refused: number }>;
  money: { planned_micros: number; granted_micros: number | null; equal: boolean };
  remarks: { about: string; why: string }[];
}

interface Work {
  kind: "dry" | "real";
  state: "running" | "done" | "failed";
  steps_done: number;
  steps_total: number;
  problem: string | null;
  result: Report | null;
}

interface Runs {
  elsewhere: string | null;
  files: { kind: string; name: string }[];
  work: Work | null;
}

const config = 'sandbox: "off"\n';
const path = "/api/import/run";
const run = { program: "new-api", allow_private: true };

let hash = "";

beforeAll(async () => {
  hash = await Bun.password.hash(password, { algorithm: "bcrypt", cost: 4 });
});

/** Two people with keys, one of whom owes, and a channel that leads to `vendor`. */
function makeSource(file: string, vendor: Vendor): void {
  using database = new LineageDatabase(file, "new-api");
  database.add("users", { id: 1, username: "alice", password: hash, quota: 500_001 });
  database.add("users", { id: 2, username: "debtor", password: hash, quota: -77 });
  for (const id of [1, 2]) {
    const key = { key: keyOf(id), name: `key ${id}`, unlimited_quota: 1 };
    database.add("tokens", { id, user_id: id, ...key });
  }
  database.add("channels", {
    type: 1,
    key: "vendor-key-one",
    name: "main",
    base_url: vendor.url,
    models: "talk-model",
  });
  database.option("ModelPrice", { "talk-model": 0.02 });
  database.option("SMTPToken", "a-secret-of-the-source");
}

class Place implements Disposable {
  readonly #room = new Folder();
  readonly data = join(this.#room.path, "data");
  readonly source = join(this.#room.path, "one-api.db");

  constructor() {
    keepOnFiles(this.data);
    mkdirSync(this.data);
  }

  [Symbol.dispose](): void {
    this.#room[Symbol.dispose]();
  }
}

async function upload(gateway: Gateway, kind: string, body: Blob) {
  const response = await fetch(`${gateway.url}${path}/upload?kind=${kind}&name=old.db`, {
    method: "POST",
    headers: { authorization: `Bearer ${rootToken}` },
    body,
  });
  return (await response.json()) as { success: boolean; param?: string };
}

async function ended(gateway: Gateway): Promise<Work> {
  return await eventually("the end of the import", async () => {
    const { work } = await gateway.control<Runs>("GET", path);
    return work && work.state !== "running" ? work : undefined;
  });
}

test("a dry run plans what the command plans, and the run makes it, once", async () => {
  using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  using place = new Place();
  makeSource(place.source, vendor);
  await using gateway = await startGateway({ folder: place.data, config, isOnFiles: true });
  const words = ["import", "new-api", "--allow-private", "--json", "--from", place.source];
  const command = await runCommand({ folder: place.data }, ...words, "--dry-run");
  expect(command).toMatchObject({ code: 0, error: "" });
  expect(await upload(gateway, "database", Bun.file(place.source))).toMatchObject({
    success: true,
  });
  const begun = await gateway.control<Work>("POST", path, { ...run, dry_run: true });
  expect(begun).toMatchObject({ kind: "dry", state: "running", result: null });
  const plan = await ended(gateway);
  expect(plan).toMatchObject({ state: "done", problem: null, steps_done: 2, steps_total: 2 });
  expect(plan.result).toEqual(JSON.parse(command.out));
  const accounts = () => gateway.control<{ total: number }>("GET", "/api/user");
  expect((await accounts()).total).toBe(1);
  await gateway.control("POST", path, { ...run, dry_run: false });
  const made = await ended(gateway);
  expect(made).toMatchObject({ kind: "real", state: "done", steps_done: 14 });
  expect(made.result?.money).toMatchObject({
    planned_micros: 1_000_002,
    granted_micros: 1_000_002,
    equal: true,
  });
  expect(made.result?.counts["accounts"]).toEqual({ found: 2, made: 2, known: 0, refused: 0 });
  const key = `sk-${keyOf(1)}`;
  const response = await gateway.post("/v1/chat/completions", chatBody("talk-model"), key);
  expect(response.status).toBe(200);
  const { files } = await gateway.control<Runs>("GET", path);
  expect(files).toEqual([]);
  expect(existsSync(join(place.data, "imports"))).toBe(false);
  const again = await runCommand({ folder: place.data }, ...words);
  expect((JSON.parse(again.out) as Report).counts["accounts"]).toEqual({
    found: 2,
    made: 0,
    known: 2,
    refused: 0,
  });
  const audit = await gateway.control<{ items: { action: string; carrier: string }[] }>(
    "GET",
    "/api/audit?page_size=100",
  );
  const acts = audit.items.map(({ action }) => action);
  expect(acts.filter((action) => action === "import.run")).toHaveLength(2);
  expect(acts).toContain("import.upload");
  const grants = audit.items.filter(({ action }) => action === "user.create");
  expect(grants.map(({ carrier }) => carrier)).toEqual(["token", "token"]);
});

test("the password of an address, a salt and variables are nowhere but in what they open", async () => {
  using place = new Place();
  await using gateway = await startGateway({ folder: place.data, config, isOnFiles: true });
  const secrets = ["a-password-there", "a-salt-there"];
  const [word = "", salt = ""] = secrets;
  for (const address of [`postgres://u:${word}@127.0.0.1:1/d`, `u:${word}@tcp(127.0.0.1:1)/d`]) {
    await gateway.control("POST", path, { program: "litellm", dry_run: true, address, salt });
    expect(await ended(gateway)).toMatchObject({ state: "failed", result: null });
  }
  const yaml = `model_list:
  - model_name: m
    litellm_params: { model: openai/m, api_key: os.environ/OPENAI_KEY }
  - model_name: n
    litellm_params: { model: anthropic/n, api_key: os.environ/SLUICE_ROOT_TOKEN }
`;
  await upload(gateway, "config", new Blob([yaml]));
  const variables = { OPENAI_KEY: "sk-of-the-vendor-there" };
  await gateway.control("POST", path, { program: "litellm", dry_run: false, variables });
  const { result } = await ended(gateway);
  expect(result?.counts["channels"]).toMatchObject({ found: 2, made: 2 });
  expect(result?.remarks.some(({ why }) => why.includes("SLUICE_ROOT_TOKEN"))).toBe(true);
  const { work } = await gateway.control<Runs>("GET", path);
  const audit = await gateway.control("GET", "/api/audit?page_size=100");
  const seen = JSON.stringify([work, audit]) + gateway.output;
  for (const secret of [...secrets, variables.OPENAI_KEY]) expect(seen).not.toContain(secret);
});

test("what cannot be read is refused or told, one runs at a time, and a stop leaves no file", async () => {
  using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  using place = new Place();
  makeSource(place.source, vendor);
  await using gateway = await startGateway({ folder: place.data, config, isOnFiles: true });
  const start = (body: object) => gateway.controlEnvelope("POST", path, body);
  expect(await start({ ...run, dry_run: true })).toMatchObject({
    success: false,
    param: "address",
  });
  for (const address of ["/etc/passwd", "sqlite:///x.db", "file.db", "http://127.0.0.1/"]) {
    expect(await start({ ...run, dry_run: true, address })).toMatchObject({ param: "address" });
  }
  expect(await upload(gateway, "database", new Blob(["no database"]))).toMatchObject({
    success: false,
    param: "file",
  });
  await upload(gateway, "database", Bun.file(place.source));
  await upload(gateway, "config", new Blob(["model_list: [1, 2"]));
  await gateway.control("POST", path, { program: "litellm", dry_run: true });
  expect(await start({ ...run, dry_run: true })).toMatchObject({
    success: false,
    code: "conflict",
  });
  expect(await ended(gateway)).toMatchObject({ state: "failed", result: null });
  expect(await gateway.control<object>("DELETE", path)).toEqual({ removed: 2 });
  expect(existsSync(join(place.data, "imports"))).toBe(false);
  await upload(gateway, "database", Bun.file(place.source));
  await gateway.stop();
  expect(readdirSync(place.data)).not.toContain("imports");
});

test("imports are for root alone", async () => {
  using place = new Place();
  await using gateway = await startGateway({ folder: place.data, config, isOnFiles: true });
  await gateway.control("POST", "/api/user", { username: "ann", password, role: "admin" });
  const admin = await new Browser(gateway.url).signIn("ann");
  const denied = { success: false, code: "permission_denied" };
  expect(await admin.call("GET", path)).toMatchObject(denied);
  expect(await admin.call("POST", path, { ...run, dry_run: true })).toMatchObject(denied);
});
