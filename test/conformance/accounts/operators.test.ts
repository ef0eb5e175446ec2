// Operators' work on accounts: find them, look after their ways in, see who signed in, give new
// ones something to begin with, and delete one for good.
import { beforeAll, describe, expect, test } from "bun:test";
import { as, newPerson, type Person } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { Browser, password } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { rowsOf } from "../../harness/rows.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { expire } from "../../harness/accounts/expiry.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

interface Listed {
  items: Record<string, unknown>[];
  total: number;
}

const startMicros = 250_000;
const vendor = kept(new Vendor((_request, reply) => reply.json(completion("hello"))));

const gateway = useStand(() =>
  startGateway({
    config: `accounts: { registration: open, starting_credit_micros: ${startMicros} }\n`,
  }),
);

beforeAll(async () => {
  await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
  await gateway.control("POST", "/api/price", { model: "m", call_micros: 7 });
  await gateway.control("POST", "/api/group", { name: "gold", multiplier: 2 });
});

function list(path: string): Promise<Listed> {
  return gateway.control<Listed>("GET", path);
}

async function named(path: string, field: string): Promise<unknown[]> {
  return (await list(path)).items.map((item) => item[field]).toSorted();
}

async function newAccount(fields: object): Promise<string> {
  const { id } = await gateway.control<{ id: string }>("POST", "/api/user", {
    password,
    quota_micros: 0,
    ...fields,
  });
  return id;
}

describe("a search", () => {
  test("finds accounts by how their name begins, by status, group and role", async () => {
    await newAccount({ username: "Find.Ann", group: "gold" });
    await newAccount({ username: "find.bob" });
    const gone = await newAccount({ username: "find.carl" });
    await newAccount({ username: "other.find", role: "admin" });
    await gateway.control("DELETE", `/api/user/${gone}`);
    const found = (query: string) => named(`/api/user?${query}`, "username");
    expect(await found("q=find.")).toEqual(["Find.Ann", "find.bob", "find.carl"]);
    expect(await found("q=FIND.A")).toEqual(["Find.Ann"]);
    expect(await found("q=find.&status=disabled")).toEqual(["find.carl"]);
    expect(await found("q=find.&group=gold")).toEqual(["Find.Ann"]);
    expect(await found("q=other&role=admin")).toEqual(["other.find"]);
    expect(await found("q=%25")).toEqual([]);
    expect(await list("/api/user?q=find.&page_size=1")).toMatchObject({ total: 3 });
  });

  test("finds keys by name, status and group, and a user's own alone", async () => {
    const person = await newPerson(gateway, 0);
    for (const [name, group] of [
      ["seek one", undefined],
      ["Seek two", "gold"],
    ]) {
      const body = { name, account: person.username, ...(group && { group }) };
      await gateway.control("POST", "/api/token", body);
    }
    expect(await named("/api/token?q=seek", "name")).toEqual(["Seek two", "seek one"]);
    expect(await named("/api/token?q=seek&group=gold", "name")).toEqual(["Seek two"]);
    expect(await named("/api/token?q=seek&status=disabled", "name")).toEqual([]);
    const stranger = await newPerson(gateway, 0);
    expect(await as<Listed>(gateway, stranger.token, "/api/token?q=seek")).toMatchObject({
      total: 0,
    });
  });

  test("finds codes by name and status, and invitations by note and status", async () => {
    const { items } = await gateway.control<{ items: { id: string }[] }>(
      "POST",
      "/api/redemption",
      { name: "Spring", micros: 5, count: 2, expires_at: 4_000_000_000 },
    );
    await expire(gateway, "redemption", items[0]?.id ?? "");
    expect(await named("/api/redemption?q=spr", "status")).toEqual(["expired", "open"]);
    for (const status of ["expired", "open"]) {
      expect(await named(`/api/redemption?q=spr&status=${status}`, "status")).toEqual([status]);
    }
    expect((await list("/api/redemption?q=spr&status=redeemed")).total).toBe(0);
    const invitation = { note: "for Ann", expires_at: 4_000_000_000 };
    const { id } = await gateway.control<{ id: string }>("POST", "/api/invitation", invitation);
    expect(await named("/api/invitation?q=FOR&status=open", "note")).toEqual(["for Ann"]);
    await expire(gateway, "invitation", id);
    expect(await named("/api/invitation?q=for&status=expired", "note")).toEqual(["for Ann"]);
    expect((await list("/api/invitation?q=for&status=open")).total).toBe(0);
  });
});

describe("somebody's ways in", () => {
  test("are listed and ended one by one by those who may, at once", async () => {
    const username = `ways-${crypto.randomUUID().slice(0, 8)}`;
    const id = await newAccount({ username });
    const [one, two] = [new Browser(gateway.url), new Browser(gateway.url)];
    await one.signIn(username);
    await two.signIn(username);
    const path = `/api/user/${id}/sessions`;
    const { items } = await list(path);
    expect(items.length).toBe(2);
    await gateway.control("DELETE", `${path}/${String(items[1]?.["id"])}`);
    expect([await one.isSignedIn(), await two.isSignedIn()]).toEqual([false, true]);
    expect(await gateway.control("DELETE", path)).toEqual({ ended: 1 });
    expect(await two.isSignedIn()).toBe(false);
    const ended = await list(`/api/audit?action=user.session_end&target_id=${id}`);
    expect(ended.total).toBe(2);
    expect(await gateway.control<object>("GET", `/api/user/${id}/second-factor`)).toMatchObject({
      second_factor: [],
      recovery_codes_left: 0,
    });
    expect(await list(`/api/user/${id}/identities`)).toMatchObject({ total: 0 });
    const missing = await gateway.controlEnvelope("DELETE", `/api/user/${id}/second-factor/totp`);
    expect(missing).toMatchObject({ success: false, code: "not_found" });
  });

  test("of root and of other admins are not for an admin to see", async () => {
    const admin = await newPerson(gateway, 0);
    await gateway.control("PATCH", `/api/user/${admin.id}`, { role: "admin" });
    const [{ id: root = "" } = {}] = (await list("/api/user?q=root")).items;
    for (const part of ["sessions", "identities", "second-factor"]) {
      const path = `/api/user/${String(root)}/${part}`;
      const refused = await gateway.controlEnvelope("GET", path, undefined, admin.token);
      expect(refused).toMatchObject({ success: false, code: "permission_denied" });
    }
  });
});

test("sign-ins are on record, and refused ones too, without what was typed for a name", async () => {
  const username = `seen-${crypto.randomUUID().slice(0, 8)}`;
  const id = await newAccount({ username });
  const browser = await new Browser(gateway.url).signIn(username);
  await browser.call("POST", "/api/user/login", { username, password: "a wrong password" });
  const signIns = await list(`/api/audit?action=user.sign_in&target_id=${id}`);
  expect(signIns.items).toMatchObject([
    { actor: username, carrier: "visitor", changes: { way: "password" } },
  ]);
  const refused = await list(`/api/audit?action=user.sign_in_refused&target_id=${id}`);
  expect(refused.items).toMatchObject([{ carrier: "visitor", changes: { way: "password" } }]);
  const typed = `typed-${crypto.randomUUID()}`;
  await browser.call("POST", "/api/user/login", { username: typed, password: "a wrong password" });
  const strangers = await list("/api/audit?action=user.sign_in_refused&target_id=unknown");
  expect(strangers.items[0]).toMatchObject({ actor: null, target_id: "unknown" });
  expect(JSON.stringify(strangers)).not.toContain(typed);
});

describe("a starting credit", () => {
  test("is booked once, with its reason, for who registers and who is made without a quota", async () => {
    const username = `begins-${crypto.randomUUID().slice(0, 8)}`;
    const browser = new Browser(gateway.url);
    const self = await browser.ask<{ id: string; quota_micros: number }>(
      "POST",
      "/api/user/register",
      { username, password },
    );
    expect(self.quota_micros).toBe(startMicros);
    const credits = await browser.ask<Listed>("GET", "/api/ledger/self");
    expect(credits.items).toMatchObject([
      { id: `starting_${self.id}`, micros: startMicros, reason: "starting credit" },
    ]);
    const made = await gateway.control<object>("POST", "/api/user", {
      username: `${username}-made`,
      password,
    });
    expect(made).toMatchObject({ quota_micros: startMicros });
    const none = { username: `${username}-none`, password, quota_micros: 0 };
    expect(await gateway.control("POST", "/api/user", none)).toMatchObject({ quota_micros: 0 });
    const audited = await list(`/api/audit?action=user.credit&target_id=${self.id}`);
    expect(audited.items).toMatchObject([{ changes: { reason: "starting credit" } }]);
  });
});

describe("deleting an account for good", () => {
  async function spend({ key }: Person): Promise<void> {
    expect((await gateway.post("/v1/chat/completions", chatBody("m"), key)).status).toBe(200);
  }

  test("leaves its lines in the ledger and takes its name, keys and addresses everywhere", async () => {
    const person = await newPerson(gateway, 1000);
    const browser = await new Browser(gateway.url).signIn(person.username);
    await spend(person);
    await gateway.control("GET", `/api/log?account=${person.username}`);
    const path = `/api/user/${person.id}/erase`;
    const wrong = await gateway.controlEnvelope("POST", path, { username: "somebody" });
    expect(wrong).toMatchObject({ success: false, param: "username" });
    await gateway.control("POST", path, { username: person.username });
    expect(await browser.isSignedIn()).toBe(false);
    expect((await gateway.get("/v1/models", person.key)).status).toBe(401);
    const read = await gateway.controlEnvelope("GET", `/api/user/${person.id}`);
    expect(read).toMatchObject({ success: false, code: "not_found" });
    expect((await list(`/api/user?q=${person.username}`)).total).toBe(0);
    const log = await list(`/api/log?key=${person.keyId}`);
    expect(log.items).toMatchObject([{ ip: "", key_name: "", micros: 7 }]);
    const booked = `select kind, micros from entry where account_id = '${person.id}'`;
    expect(await rowsOf(gateway, `${booked} order by kind`)).toEqual([
      { kind: "grant", micros: 1000 },
      { kind: "post", micros: 7 },
    ]);
    for (const table of ["account", "api_key", "audit_entry", "entry", "session", "task"]) {
      const text = JSON.stringify(await rowsOf(gateway, `select * from ${table}`));
      expect([table, text.includes(person.username)]).toEqual([table, false]);
    }
    for (const [method, part, body] of [
      ["PATCH", "", { status: "enabled" }],
      ["POST", "/credit", { micros: 1, reason: "none" }],
      ["POST", "/token", {}],
      ["GET", "/sessions", undefined],
    ] as const) {
      const said = await gateway.controlEnvelope(method, `/api/user/${person.id}${part}`, body);
      expect([part, said]).toMatchObject([part, { success: false, code: "not_found" }]);
    }
    // Again, as after an interruption: nothing more happens.
    await gateway.control("POST", path, { username: "" });
    const again = { username: person.username, password, quota_micros: 0 };
    expect(await gateway.control("POST", "/api/user", again)).toMatchObject({ quota_micros: 0 });
  });

  test("waits for what is under way, and nothing new begins meanwhile", async () => {
    const person = await newPerson(gateway, 1000);
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    vendor.script = async (_request, reply) => {
      arrive();
      await answered;
      reply.json(completion("late"));
    };
    const running = gateway.post("/v1/chat/completions", chatBody("m"), person.key);
    await arrived;
    const path = `/api/user/${person.id}/erase`;
    const refused = await gateway.controlEnvelope("POST", path, { username: person.username });
    expect(refused).toMatchObject({ success: false, code: "conflict" });
    expect((await gateway.get("/v1/models", person.key)).status).toBe(401);
    answer();
    expect((await running).status).toBe(200);
    await gateway.control("POST", path, { username: person.username });
    vendor.script = (_request, reply) => reply.json(completion("hello"));
  });

  test("is for root and admins on those below them, never for root itself", async () => {
    const admin = await newPerson(gateway, 0);
    await gateway.control("PATCH", `/api/user/${admin.id}`, { role: "admin" });
    const [{ id = "" } = {}] = (await list("/api/user?q=root")).items;
    const path = `/api/user/${String(id)}/erase`;
    const body = { username: "root" };
    const refused = await gateway.controlEnvelope("POST", path, body, admin.token);
    expect(refused).toMatchObject({ success: false, code: "permission_denied" });
    expect(await gateway.controlEnvelope("POST", path, body)).toMatchObject({ success: false });
  });
});
