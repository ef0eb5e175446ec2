// A database of new-api comes in by the command line, and then its people and their programs go on
// over HTTP as if nothing had happened.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { codeAt } from "../../src/identity/access/totp.ts";
import { Browser } from "../harness/browser.ts";
import { runCommand, type CommandEnd } from "../harness/command.ts";
import { rootToken, startGateway, temporaryFolder, type Gateway } from "../harness/gateway.ts";
import { Vendor } from "../harness/vendor.ts";
import { keyOf, LineageDatabase } from "./lineage-database.ts";

setDefaultTimeout(120_000);

const totpSecret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const password = "a horse of another gateway";
let hash = "";
let vendor: Vendor;
let gateway: Gateway;
let folder = "";
let source = "";
let first: CommandEnd;
let second: CommandEnd;

interface Account {
  id: string;
  username: string;
  role: string;
  group: string;
  quota_micros: number | null;
  status: string;
}

interface Report {
  counts: Record<string, { found: number; made: number; known: number; refused: number }>;
  money: { planned_micros: number; granted_micros: number; equal: boolean };
  remarks: { about: string; why: string }[];
  configuration: string[];
}

function fillUsers(database: LineageDatabase): void {
  const user = (id: number, username: string, quota: number | bigint, more = {}) =>
    database.add("users", {
      id,
      username,
      password: hash,
      quota,
      created_at: 1_700_000_000,
      ...more,
    });
  user(1, "root", 100_000_000, { role: 100 });
  user(2, "alice", 500_001, { group: "vip", github_id: "583231" });
  user(3, "Alice", 250_000);
  user(4, "王小明", 1_000_000, { password: "", wechat_id: "wx" });
  user(5, "debtor", -77);
  user(6, "gone", 123_456, { deleted_at: "2026-08-01 10:00:00+00:00" });
  user(7, "off", 7, { status: 2 });
  user(8, "guarded", 0);
  database.add("two_fas", { user_id: 8, secret: totpSecret, is_enabled: 1 });
}

function fillKeys(database: LineageDatabase): void {
  const key = (id: number, user: number, more = {}) =>
    database.add("tokens", {
      id,
      user_id: user,
      key: keyOf(id),
      name: `laptop ${id}`,
      remain_quota: 250_000,
      unlimited_quota: 0,
      created_time: 1_700_000_000,
      ...more,
    });
  key(1, 2);
  key(2, 2, { unlimited_quota: 1, remain_quota: -5, name: "电脑" });
  key(3, 2, { model_limits_enabled: 1, model_limits: "other-model" });
  key(4, 2, { expired_time: 1_600_000_000 });
  key(5, 2, { status: 2 });
  key(6, 6);
  key(7, 2, { allow_ips: "10.0.0.0/8\n" });
  key(8, 2, { group: "auto" });
}

function fillRest(database: LineageDatabase): void {
  database.add("channels", {
    type: 1,
    key: "vendor-key-one\nvendor-key-two",
    name: "main",
    base_url: vendor.url,
    models: "talk-model,talk-alias,other-model",
    group: "default,vip",
    model_mapping: JSON.stringify({ "talk-alias": "step", step: "talk-upstream" }),
    channel_info: JSON.stringify({ is_multi_key: true, multi_key_status_list: { "1": 2 } }),
    param_override: JSON.stringify({ temperature: 0.5 }),
    open_ai_organization: "org-of-ours",
  });
  database.add("channels", {
    type: 33,
    key: "ak|sk|us-west-2",
    name: "cloud",
    models: "cloud-model",
  });
  database.option("GroupRatio", { default: 1, vip: 0.8 });
  database.option("AutoGroups", ["vip", "default"]);
  database.option("ModelRatio", { "talk-model": 1.25, "talk-alias": 1.25 });
  database.option("CompletionRatio", { "talk-model": 4, "talk-alias": 4 });
  database.option("CacheRatio", { "talk-model": 0.5 });
  database.option("ModelPrice", { "other-model": 0.02 });
  database.option("GitHubClientId", "client-of-ours");
  database.option("GitHubClientSecret", "never-to-be-shown");
  database.option("RegisterEnabled", "false");
  database.option("Notice", "## Maintenance\r\n\r\nOn *Sunday*.");
  database.option("console_setting.announcements", [
    { content: "New models", publishDate: "2026-08-01T10:00:00Z" },
  ]);
  const code = { quota: 500_000, name: "spring", expired_time: 0 };
  database.add("redemptions", { ...code, key: "0123456789abcdef0123456789abcdef" });
  database.add("redemptions", { ...code, key: "ffffffffffffffffffffffffffffffff", status: 3 });
  for (let at = 0; at < 50; at++) database.add("logs", { user_id: 2, type: 2, quota: 10 });
}

const commands = ["import", "new-api", "--allow-private", "--json", "--from"] as const;

beforeAll(async () => {
  hash = await Bun.password.hash(password, { algorithm: "bcrypt", cost: 10 });
  hash = hash.replace(/^\$2b\$/, "$2a$");
  vendor = new Vendor((_request, reply) =>
    reply.json({
      id: "x",
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 },
    }),
  );
  folder = temporaryFolder();
  source = join(folder, "source.db");
  using database = new LineageDatabase(source, "new-api");
  fillUsers(database);
  fillKeys(database);
  fillRest(database);
  const data = join(folder, "data");
  mkdirSync(data);
  gateway = await startGateway({ folder: data, config: 'sandbox: "off"\n' });
  first = await runCommand({ folder: data }, ...commands, source);
  second = await runCommand({ folder: data }, ...commands, source);
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function accounts(): Promise<Map<string, Account>> {
  const { items } = await gateway.control<{ items: Account[] }>("GET", "/api/user?page_size=100");
  return new Map(items.map((item) => [item.username, item]));
}

const ask = (model: string) => ({ model, messages: [{ role: "user", content: "hello" }] });

describe("what came", () => {
  test("every account has its money to the micro, its group, its role and its state", async () => {
    expect(first.error).toBe("");
    expect(first.code).toBe(0);
    const found = await accounts();
    const micros = (name: string) => found.get(name)?.quota_micros;
    expect(micros("root-2")).toBe(200_000_000);
    expect(micros("alice")).toBe(1_000_002);
    expect(micros("Alice-2")).toBe(500_000);
    expect(micros("user-4")).toBe(2_000_000);
    expect(micros("debtor")).toBe(0);
    expect(micros("off")).toBe(14);
    expect(found.get("alice")).toMatchObject({ group: "vip", role: "user", status: "enabled" });
    expect(found.get("root-2")?.role).toBe("admin");
    expect(found.get("off")?.status).toBe("disabled");
    expect(found.has("gone")).toBe(false);
  });

  test("the sums of the source and of the ledger are equal, and the books agree", async () => {
    const { money, counts } = JSON.parse(first.out) as Report;
    const planned = 200_000_000 + 1_000_002 + 500_000 + 2_000_000 + 14;
    expect(money).toMatchObject({ planned_micros: planned, granted_micros: planned, equal: true });
    expect(counts["accounts"]).toEqual({ found: 7, made: 7, known: 0, refused: 0 });
    expect(counts["keys"]).toEqual({ found: 7, made: 7, known: 0, refused: 0 });
    const books = await runCommand({ folder: gateway.folder }, "ledger", "verify");
    expect(books.out).toStartWith("ok");
  });

  test("announcements come as plain text, with the day they began", async () => {
    const { items } = await gateway.control<{ items: object[] }>(
      "GET",
      "/api/announcement?all=true",
    );
    expect(items).toHaveLength(2);
    expect(items).toContainEqual(
      expect.objectContaining({ title: "Maintenance", text: "## Maintenance\n\nOn *Sunday*." }),
    );
    const at = Date.parse("2026-08-01T10:00:00Z") / 1000;
    expect(items).toContainEqual(expect.objectContaining({ title: "New models", starts_at: at }));
  });

  test("the report names what could not come and why, and shows no secret", () => {
    const { remarks, configuration } = JSON.parse(first.out) as Report;
    const said = remarks.map(({ about, why }) => `${about}: ${why}`).join("\n");
    expect(said).toContain("account gone: was deleted there; $0.246912 stays behind");
    expect(said).toContain("account debtor: owed $0.000154 there");
    expect(said).toContain("signs in as user-4 here");
    expect(said).toContain("channel cloud (2): has its models under Amazon's names now");
    expect(said).toContain("50 rows of logs");
    expect(configuration.join("\n")).toContain("client-of-ours");
    const all = first.out + second.out;
    for (const secret of ["never-to-be-shown", "vendor-key-one", keyOf(1), hash, totpSecret]) {
      expect(all).not.toContain(secret);
    }
  });

  test("a second run makes nothing and moves no money", async () => {
    const { counts, money } = JSON.parse(second.out) as Report;
    expect(second.code).toBe(0);
    for (const { found, made, known, refused } of Object.values(counts)) {
      expect([made, known, refused]).toEqual([0, found, 0]);
    }
    expect(money.equal).toBe(true);
    const grants = await gateway.control<{ total: number }>(
      "GET",
      "/api/audit?action=user.credit&carrier=cli",
    );
    expect(grants.total).toBe(5);
  });
});

describe("what goes on", () => {
  test("a key works byte for byte, through an imported channel, at the price of its ratios", async () => {
    const reply = await gateway.post("/v1/chat/completions", ask("talk-alias"), `sk-${keyOf(1)}`);
    expect(reply.status).toBe(200);
    const sent = vendor.requests.at(-1);
    expect(sent?.headers["authorization"]).toBe("Bearer vendor-key-one");
    expect(sent?.headers["openai-organization"]).toBe("org-of-ours");
    expect(sent?.body).toMatchObject({ model: "talk-upstream", temperature: 0.5 });
    // A ratio of 1.25 is 2.5 dollars a million, output four times that, the group takes 0.8.
    const charged = (1000 * 2.5 + 200 * 10) * 0.8;
    const { items } = await gateway.control<{ items: { micros: number }[] }>("GET", "/api/log");
    expect(items.at(0)?.micros).toBe(charged);
    expect((await accounts()).get("alice")?.quota_micros).toBe(1_000_002 - charged);
  });

  test("limits of keys hold: models, expiry, state, addresses and what is left", async () => {
    const statusOf = async (id: number, model = "talk-model") =>
      (await gateway.post("/v1/chat/completions", ask(model), `sk-${keyOf(id)}`)).status;
    expect(await statusOf(3)).not.toBe(200);
    expect(await statusOf(4)).toBe(401);
    expect(await statusOf(5)).toBe(401);
    expect(await statusOf(6)).toBe(401);
    expect(await statusOf(7)).not.toBe(200);
    expect(await statusOf(2)).toBe(200);
    const { items } = await gateway.control<{
      items: { name: string; quota_micros: number | null; group: string }[];
    }>("GET", "/api/token?page_size=100");
    const named = new Map(items.map((item) => [item.name, item]));
    expect(named.get("laptop 1")?.quota_micros).toBe(500_000);
    expect(named.get("key-2")?.quota_micros).toBeNull();
    expect(named.get("laptop 8")?.group).toBe("vip");
  });

  test("a password of theirs opens the account, and its hash becomes one of ours", async () => {
    const browser = new Browser(gateway.url);
    const body = { username: "alice", password };
    expect((await browser.call("POST", "/api/user/login", body)).success).toBe(true);
    const noted = await gateway.control<{ total: number }>(
      "GET",
      "/api/audit?action=user.password_rehash",
    );
    expect(noted.total).toBe(1);
    const again = new Browser(gateway.url);
    expect((await again.call("POST", "/api/user/login", body)).success).toBe(true);
    const wrong = { ...body, password: "not this one" };
    expect((await again.call("POST", "/api/user/login", wrong)).success).toBe(false);
    const after = await gateway.control<{ total: number }>(
      "GET",
      "/api/audit?action=user.password_rehash",
    );
    expect(after.total).toBe(1);
  });

  test("an authenticator app goes on as the second factor", async () => {
    const browser = new Browser(gateway.url);
    const half = await browser.call("POST", "/api/user/login", { username: "guarded", password });
    const { ticket = "" } = half.data as { ticket?: string };
    expect(ticket).not.toBe("");
    const secret = Buffer.from("48656c6c6f21deadbeef48656c6c6f21deadbeef", "hex");
    const code = codeAt(secret, Math.floor(Date.now() / 30_000));
    const whole = await browser.call("POST", "/api/user/login/second", { ticket, code });
    expect(whole.success).toBe(true);
  });

  test("a code for credit that nobody had used is worth what it was, once", async () => {
    const { token } = await gateway.control<{ token: string }>(
      "POST",
      `/api/user/${(await accounts()).get("Alice-2")?.id}/token`,
      { name: "redeem" },
    );
    const redeem = (code: string) =>
      gateway.controlEnvelope("POST", "/api/redemption/redeem", { code }, token);
    expect((await redeem("0123456789ABCDEF0123456789abcdef")).success).toBe(true);
    expect((await redeem("0123456789abcdef0123456789abcdef")).success).toBe(false);
    expect((await redeem("ffffffffffffffffffffffffffffffff")).success).toBe(false);
    expect((await accounts()).get("Alice-2")?.quota_micros).toBe(500_000 + 1_000_000);
  });

  test("a run that died between an account and its money is finished by the next, once", async () => {
    const row = {
      ref: "1",
      username: "interrupted",
      password_hash: "",
      role: "user",
      group: "default",
      status: "enabled",
      unlimited: false,
      created_at: null,
      totp: null,
      requests_per_minute: null,
      tokens_per_minute: null,
      concurrency: null,
    };
    const hand = (micros: number) =>
      gateway.control<{ granted_micros: number; rows: { outcome: string }[] }>(
        "POST",
        "/api/import",
        { source: "broken", accounts: [{ ...row, micros }] },
      );
    expect(await hand(0)).toMatchObject({ granted_micros: 0, rows: [{ outcome: "made" }] });
    expect(await hand(700)).toMatchObject({ granted_micros: 700, rows: [{ outcome: "known" }] });
    expect(await hand(700)).toMatchObject({ granted_micros: 0, rows: [{ outcome: "known" }] });
    expect((await accounts()).get("interrupted")?.quota_micros).toBe(700);
  });

  test("a row that cannot come keeps no other out, and an account that is here is never merged", async () => {
    const group = { name: "wide", multiplier: 2 };
    const wrong = { name: "wrong", multiplier: -1 };
    const { rows } = await gateway.control<{ rows: { ref: string; outcome: string }[] }>(
      "POST",
      "/api/import",
      { source: "mixed", groups: [wrong, group], keys: [{ ref: "9", owner: "nobody" }] },
    );
    expect(rows.map(({ ref, outcome }) => [ref, outcome])).toEqual([
      ["wrong", "refused"],
      ["wide", "made"],
      ["9", "refused"],
    ]);
    const here = (await accounts()).get("root");
    expect(here).toMatchObject({ role: "root", quota_micros: null });
  });

  test("only root may import, and a dry run writes nothing", async () => {
    const { token } = await gateway.control<{ token: string }>(
      "POST",
      `/api/user/${(await accounts()).get("root-2")?.id}/token`,
      { name: "admin" },
    );
    const body = { source: "x", groups: [{ name: "y" }] };
    const refused = await gateway.controlEnvelope("POST", "/api/import", body, token);
    expect(refused.success).toBe(false);
    expect(rootToken).not.toBe(token);
    const before = (await accounts()).size;
    const dry = await runCommand(
      { folder: gateway.folder },
      "import",
      "new-api",
      "--dry-run",
      "--source=again",
      `--from=${source}`,
    );
    expect(dry.out).toContain("accounts: 7 found");
    expect(dry.code).toBe(0);
    expect((await accounts()).size).toBe(before);
  });
});
