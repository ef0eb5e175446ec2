// The audit log: every change of an operator and every security event of an account, for ever.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../harness/books.ts";
import { Browser, password } from "../../harness/browser.ts";
import { runCommand } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { startGateway } from "../../harness/gateway.ts";
import { nameOf, routes } from "../../harness/route-table.ts";
import { rowsOf } from "../../harness/rows.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { filesWith } from "../../hazards/observe.ts";

interface Entry {
  id: string;
  at: number;
  actor: string | null;
  actor_id: string | null;
  actor_role: string | null;
  carrier: string;
  ip: string | null;
  action: string;
  target_kind: string;
  target_id: string;
  target_name: string | null;
  changes: Record<string, unknown>;
}

interface Listed {
  items: Entry[];
  total: number;
  page: number;
  page_size: number;
}

const vendorKey = "sk-vendor-0123456789abcdef";
const channel = {
  name: "audited",
  type: "openai",
  base_url: "https://vendor.example",
  key: vendorKey,
  models: ["m"],
  headers: { "x-hidden": "a-secret-header-value" },
  parameters: { set: { pass: "a-secret-field-value" } },
};

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));

async function entries(query: string = ""): Promise<Entry[]> {
  const { items } = await gateway.control<Listed>("GET", `/api/audit?page_size=100&${query}`);
  return items;
}

async function entriesOn(target: string): Promise<Entry[]> {
  return (await entries(`target_id=${encodeURIComponent(target)}`)).toReversed();
}

async function newAccount(role = "user"): Promise<{ id: string; username: string }> {
  const username = `${role}-${crypto.randomUUID().slice(0, 8)}`;
  const body = { username, password, role };
  return { username, ...(await gateway.control<{ id: string }>("POST", "/api/user", body)) };
}

test("hazard G17 an entry says who did what to which thing, from where and as what", async () => {
  const { id: adminId, username } = await newAccount("admin");
  const admin = await new Browser(gateway.url).signIn(username);
  const { id } = await admin.ask<{ id: string }>("POST", "/api/channel", channel);
  const headers = { "x-hidden": "a-secret-header-value-2" };
  await admin.ask("PATCH", `/api/channel/${id}`, { weight: 7, key: `${vendorKey}-2`, headers });
  await gateway.control("DELETE", `/api/channel/${id}`);
  const [made, changed, removed] = await entriesOn(id);
  const who = { actor: username, actor_id: adminId, actor_role: "admin", carrier: "session" };
  expect(made).toMatchObject({
    ...who,
    ip: "127.0.0.1",
    action: "channel.create",
    target_kind: "channel",
    changes: {
      name: "audited",
      base_url: channel.base_url,
      headers: ["x-hidden"],
      parameters: { set: ["pass"], remove: [] },
      new_keys: 1,
    },
  });
  expect(changed).toMatchObject({ ...who, action: "channel.change" });
  const changes = { weight: { from: 1, to: 7 }, new_keys: 1, rewritten: ["headers"] };
  expect(changed?.changes).toEqual(changes);
  const root = { actor: "root", actor_role: "root", carrier: "token" };
  expect(removed).toMatchObject({
    ...root,
    action: "channel.remove",
    changes: { name: "audited" },
  });
});

test("an entry has the name of what it is about, as it is today", async () => {
  const { id: accountId, username } = await newAccount();
  const token = await gateway.control<{ id: string }>("POST", "/api/token", { name: "first" });
  await gateway.control("PATCH", `/api/token/${token.id}`, { name: "second" });
  const made = await gateway.control<{ id: string }>("POST", "/api/channel", channel);
  await gateway.control("POST", "/api/group", { name: "named" });
  const created = (path: string, body: object) =>
    gateway.control<{ id: string }>("POST", path, body);
  const notice = await created("/api/announcement", { title: "Soon", text: "It is slow." });
  const invited = await created("/api/invitation", { note: "for the team" });
  const access = await created("/api/access-token", { name: "a script" });
  const nameOn = async (target: string) => (await entriesOn(target))[0]?.target_name;
  const targets = [accountId, token, made, notice, invited, access, "named"];
  const ids = targets.map((one) => (typeof one === "string" ? one : one.id));
  expect(await Promise.all(ids.map(nameOn))).toEqual([
    username,
    "second",
    "audited",
    "Soon",
    "for the team",
    "a script",
    null,
  ]);
  await gateway.control("DELETE", `/api/channel/${made.id}`);
});

test("an entry has the last name of what is gone", async () => {
  const made = async (path: string, body: object) => {
    const { id } = await gateway.control<{ id: string }>("POST", path, body);
    return { id, path: `${path}/${id}` };
  };
  const things = [
    await made("/api/channel", { ...channel, name: "short-lived" }),
    await made("/api/announcement", { title: "Over", text: "It was slow." }),
    await made("/api/invitation", { note: "for nobody" }),
    await made("/api/budget", { name: "spent", limit_micros: 1, scope: "account", period: "day" }),
  ];
  await gateway.control("PATCH", things[0]?.path ?? "", { name: "renamed" });
  for (const { path } of things) await gateway.control("DELETE", path);
  const namesOn = async (target: string) =>
    (await entriesOn(target)).map(({ target_name: name }) => name);
  expect(await Promise.all(things.map(({ id }) => namesOn(id)))).toEqual([
    ["renamed", "renamed", "renamed"],
    ["Over", "Over"],
    ["for nobody", "for nobody"],
    ["spent", "spent"],
  ]);
});

test("hazard G17 money that is given has its actor and its reason", async () => {
  const { id } = await newAccount();
  const credit = (micros: number, reason: string, once: string) =>
    gateway.control("POST", `/api/user/${id}/credit`, { micros, reason, id: once });
  const once = crypto.randomUUID();
  await credit(500, "invoice 42", once);
  await credit(500, "invoice 42", once);
  await credit(-900, "refunded", crypto.randomUUID());
  const credits = (await entriesOn(id)).filter(({ action }) => action === "user.credit");
  expect(credits.map(({ changes }) => changes)).toEqual([
    { micros: 500, reason: "invoice 42", entry: `credit_${once}` },
    { micros: -500, reason: "refunded", entry: expect.stringMatching(/^credit_/) },
  ]);
  expect(credits[0]).toMatchObject({ actor: "root", target_kind: "user", target_id: id });
});

/** Deeds, and the audit entries about the thing that each names. */
const deeds: [string, () => Promise<{ target: string; actions: string[] }>][] = [
  [
    "accounts, roles and passwords",
    async () => {
      const body = { username: `x-${crypto.randomUUID().slice(0, 8)}`, password, quota_micros: 9 };
      const { id } = await gateway.control<{ id: string }>("POST", "/api/user", body);
      await gateway.control("PATCH", `/api/user/${id}`, { role: "admin", password: "another one" });
      await gateway.control("DELETE", `/api/user/${id}`);
      const actions = ["user.create", "user.credit", "user.change", "user.change"];
      return { target: id, actions };
    },
  ],
  [
    "groups",
    async () => {
      await gateway.control("POST", "/api/group", { name: "vip" });
      await gateway.control("POST", "/api/group", { name: "vip", multiplier: 0.5 });
      await gateway.control("DELETE", "/api/group/vip");
      return { target: "vip", actions: ["group.write", "group.write", "group.remove"] };
    },
  ],
  [
    "prices",
    async () => {
      const price = { model: "m-audit", input_micros_per_million: 3, output_micros_per_million: 4 };
      await gateway.control("POST", "/api/price", price);
      await gateway.control("DELETE", "/api/price?model=m-audit");
      return { target: "m-audit", actions: ["price.write", "price.remove"] };
    },
  ],
  [
    "API keys",
    async () => {
      const { id } = await gateway.control<{ id: string }>("POST", "/api/token", { name: "k" });
      await gateway.control("PATCH", `/api/token/${id}`, { name: "k2", quota_micros: 5 });
      await gateway.control("DELETE", `/api/token/${id}`);
      return { target: id, actions: ["key.create", "key.change", "key.revoke"] };
    },
  ],
  [
    "invitations",
    async () => {
      const { id } = await gateway.control<{ id: string }>("POST", "/api/invitation", {});
      await gateway.control("DELETE", `/api/invitation/${id}`);
      return { target: id, actions: ["invitation.create", "invitation.remove"] };
    },
  ],
  [
    "redemption codes",
    async () => {
      const body = { name: "spring", micros: 10, count: 2 };
      const made = await gateway.control<{ items: { id: string }[] }>(
        "POST",
        "/api/redemption",
        body,
      );
      const id = made.items[0]?.id ?? "";
      await gateway.control("DELETE", `/api/redemption/${id}`);
      return { target: id, actions: ["redemption.create", "redemption.remove"] };
    },
  ],
  [
    "announcements",
    async () => {
      const body = { title: "News", text: "There is news." };
      const { id } = await gateway.control<{ id: string }>("POST", "/api/announcement", body);
      await gateway.control("PATCH", `/api/announcement/${id}`, { title: "Old news" });
      await gateway.control("DELETE", `/api/announcement/${id}`);
      const actions = ["announcement.create", "announcement.change", "announcement.remove"];
      return { target: id, actions };
    },
  ],
  [
    "access tokens for others",
    async () => {
      const { id } = await newAccount();
      const made = await gateway.control<{ id: string }>("POST", `/api/user/${id}/token`, {});
      await gateway.control("DELETE", `/api/user/${id}/token`);
      expect(await entriesOn(id)).toMatchObject([{}, { action: "access_token.revoke" }]);
      return { target: made.id, actions: ["access_token.create"] };
    },
  ],
  [
    "one's own password",
    async () => {
      const { id, username } = await newAccount();
      const at = await new Browser(gateway.url).signIn(username);
      const change = { current_password: password, new_password: "a wholly other one" };
      await at.ask("POST", "/api/user/password", change);
      return {
        target: id,
        actions: ["user.create", "user.sign_in", "user.password", "user.sign_in"],
      };
    },
  ],
];

test.each(deeds)(
  "hazard G17 %s are written down in the order they were changed",
  async (_, deed) => {
    const { target, actions } = await deed();
    expect((await entriesOn(target)).map(({ action }) => action)).toEqual(actions);
  },
);

test("hazard G17 what was refused is no change, and nothing is written down", async () => {
  const { total: before } = await gateway.control<Listed>("GET", "/api/audit");
  const refused: [string, string, unknown?][] = [
    ["POST", "/api/group", { name: "bad", multiplier: -1 }],
    ["DELETE", "/api/group/default"],
    ["DELETE", "/api/price?model=never-priced"],
    ["DELETE", "/api/invitation/inv_00000000000000000000000000"],
    ["DELETE", "/api/access-token/tok_00000000000000000000000000"],
    ["PATCH", "/api/channel/chn_00000000000000000000000000", { weight: 2 }],
    ["POST", "/api/user", { username: "root", password }],
    ["POST", "/api/user/acc_00000000000000000000000000/credit", { micros: 1, reason: "x" }],
  ];
  for (const [method, path, body] of refused) {
    expect(await gateway.controlEnvelope(method, path, body)).toMatchObject({ success: false });
  }
  expect(await gateway.control("GET", "/api/audit")).toMatchObject({ total: before });
});

test("hazard G17 no secret stands in an entry", async () => {
  const { username } = await newAccount();
  const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", {
    ...channel,
    name: `secrets-${username}`,
  });
  const { key } = await gateway.control<{ key: string }>("POST", "/api/token", { name: "secret" });
  await gateway.control("DELETE", `/api/channel/${id}`);
  const all = JSON.stringify(await entries());
  for (const secret of [vendorKey, "a-secret-header", "a-secret-field", password, key, "argon2"]) {
    expect(all).not.toContain(secret);
  }
});

test("hazard G17 entries are listed in pages, newest first, and found by what they say", async () => {
  const { id, username } = await newAccount("admin");
  const at = await new Browser(gateway.url).signIn(username);
  for (const name of ["a", "b", "c"]) await at.ask("POST", "/api/group", { name: `${name}-${id}` });
  const first = await gateway.control<Listed>("GET", `/api/audit?actor=${username}&page_size=2`);
  // The fourth is signing in.
  expect(first).toMatchObject({ total: 4, page: 1, page_size: 2 });
  const second = await gateway.control<Listed>(
    "GET",
    `/api/audit?actor=${username}&page_size=2&p=2`,
  );
  const all = [...first.items, ...second.items];
  const named = ["c", "b", "a"].map((n) => `${n}-${id}`);
  expect(all.map(({ target_id }) => target_id)).toEqual([...named, id]);
  expect(await entries(`actor=${username}&action=user.create`)).toEqual([]);
  expect(await entries(`actor=${username}&carrier=session`)).toHaveLength(3);
  expect(await entries(`actor=${username}&target_kind=channel`)).toEqual([]);
  expect(await entries(`actor=${username}&to=${(all[2]?.at ?? 0) - 5}`)).toEqual([]);
  expect(await entries(`actor=${username}&from=${(all[2]?.at ?? 0) - 5}`)).toHaveLength(4);
  for (const [query, code] of [
    ["actor=nobody", "not_found"],
    ["carrier=pigeon", "invalid_request"],
    ["from=yesterday", "invalid_request"],
  ]) {
    expect(await gateway.controlEnvelope("GET", `/api/audit?${query}`)).toMatchObject({ code });
  }
  const answer = await at.call("GET", "/api/audit");
  expect(answer.success).toBe(true);
  const user = await newAccount();
  const mine = await new Browser(gateway.url).signIn(user.username);
  expect(await mine.call("GET", "/api/audit")).toMatchObject({ code: "permission_denied" });
});

test("hazard G17 no route and no statement changes or deletes an entry", async () => {
  const audited = routes.filter(({ path }) => path.startsWith("/api/audit"));
  expect(audited.map(nameOf)).toEqual(["GET /api/audit", "GET /api/audit.csv"]);
  using folder = new Folder();
  {
    await using own = await startGateway({ folder: folder.path, config: 'sandbox: "off"\n' });
    await own.control("POST", "/api/group", { name: "vip" });
    await own.stop();
  }
  const place = { folder: folder.path };
  const count = () => rowsOf(place, "select count(*) as n from audit_entry");
  const before = await count();
  for (const statement of ["update audit_entry set ip = 'x'", "delete from audit_entry"]) {
    await expect(rowsOf(place, statement)).rejects.toThrow("append-only");
  }
  expect(await count()).toEqual(before);
});

test("hazard G17 the command line and the configuration file are told apart from people", async () => {
  using folder = new Folder();
  const path = join(folder.path, "sluice.yaml");
  const config = (multiplier: number) =>
    `sandbox: "off"\ngroups: [{ name: vip, multiplier: ${multiplier} }]\n` +
    "channels:\n  - { name: declared, type: openai, base_url: https://vendor.example, " +
    `key: ${vendorKey}, models: [m] }\n`;
  await using own = await startGateway({ folder: folder.path, config: config(1) });
  const list = async () =>
    (await own.control<Listed>("GET", "/api/audit?page_size=100")).items.toReversed();
  const declared = (await list()).filter(({ carrier }) => carrier === "config");
  expect(declared.map(({ action }) => action)).toEqual([
    "access_token.create",
    "group.write",
    "channel.create",
  ]);
  expect(declared[1]).toMatchObject({ actor: null, actor_id: null, ip: null, target_id: "vip" });
  const made = await runCommand({ folder: folder.path }, "user", "create", "carol");
  expect(made.code).toBe(0);
  const byCommand = (await list()).at(-1);
  expect(byCommand).toMatchObject({ action: "user.create", carrier: "cli", actor: "root" });
  writeFileSync(path, config(2));
  own.signal("SIGHUP");
  const reload = await eventually("the reload", async () =>
    (await list()).find(({ action }) => action === "config.reload"),
  );
  expect(reload).toMatchObject({ carrier: "config", target_kind: "config", actor: null });
  const group = (await list()).findLast(({ target_id }) => target_id === "vip");
  expect(group?.changes).toEqual({ multiplier: { from: 1, to: 2 } });
  await own.control("POST", "/api/setting/reload");
  expect((await list()).at(-1)).toMatchObject({
    action: "config.reload",
    carrier: "token",
    actor: "root",
    ip: expect.stringMatching(/./),
  });
  const total = (await list()).length;
  await own.stop();
  await using again = await startGateway({ folder: folder.path, config: config(2) });
  // A start that changes nothing says nothing.
  expect(await again.control("GET", "/api/audit")).toMatchObject({ total });
  expect(await filesWith(folder.path, vendorKey, ["sluice.yaml"])).toEqual([]);
});
