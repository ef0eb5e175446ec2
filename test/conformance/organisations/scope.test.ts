// The scope of an organisation: what a person has, had for the organisation, by seat.
import { beforeAll, expect, test } from "bun:test";
import { Browser } from "../../harness/browser.ts";
import { newCompany, seatRoles, type Company } from "../../harness/accounts/organisation.ts";
import { chatBody } from "../../harness/ask.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { completion, Vendor } from "../../harness/vendor.ts";

const vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));
let acme: Company;
let other: Company;

interface Key {
  id: string;
  key: string;
  member: string | null;
}
let ofMember: Key;
let ofAdmin: Key;
let ofService: Key;
let ofOther: Key;

beforeAll(async () => {
  await gateway.control("POST", "/api/channel", vendor.channel({ name: "main", models: ["m"] }));
  const price = { model: "m", input_micros_per_million: 1e6, output_micros_per_million: 3e6 };
  await gateway.control("POST", "/api/price", price);
  [acme, other] = [await newCompany(gateway, "acme"), await newCompany(gateway, "other")];
  for (const { id } of [acme, other]) {
    await gateway.control("POST", `/api/user/${id}/credit`, { micros: 1e6, reason: "invoice" });
  }
  const { member, admin } = acme.people;
  ofMember = await makeKey(member, acme, { name: "of-member" });
  ofAdmin = await makeKey(admin, acme, { name: "of-admin" });
  ofService = await makeKey(admin, acme, { name: "of-service", service: true });
  ofOther = await makeKey(other.people.member, other, { name: "of-other" });
  for (const { key } of [ofMember, ofAdmin, ofService, ofOther]) {
    const response = await gateway.post("/v1/chat/completions", chatBody("m"), key);
    expect(response.status).toBe(200);
    await response.text();
  }
});

async function makeKey(by: Browser, { as }: Company, fields: object): Promise<Key> {
  return await by.ask<Key>("POST", `/api/token?${as}`, { unlimited: true, ...fields });
}

const all = ["of-admin", "of-member", "of-service"];
const own: Record<string, string[] | null> = {
  owner: all,
  admin: all,
  member: ["of-member"],
  viewer: null,
};

/** Names that a list shows to each seat; null where it is refused. */
async function shown(path: string, nameOf: (item: never) => string) {
  const names: Record<string, string[] | null> = {};
  for (const role of seatRoles) {
    const answer = await acme.people[role].call("GET", `${path}${acme.as}`);
    const { items = [] } = (answer.data ?? {}) as { items?: never[] };
    names[role] = answer.success ? [...new Set(items.map(nameOf))].toSorted() : null;
    if (!answer.success) expect([role, answer.code]).toEqual([role, "permission_denied"]);
  }
  return names;
}

test("O4 keys are everyone's to owners and admins, and one's own to members", async () => {
  expect(await shown("/api/token?", ({ name }: Key & { name: string }) => name)).toEqual(own);
  expect([ofMember, ofAdmin, ofService].map(({ member }) => member)).toEqual([
    "acme-member",
    "acme-admin",
    null,
  ]);
  const service = { name: "s", unlimited: true, service: true };
  expect(await acme.people.member.call("POST", `/api/token?${acme.as}`, service)).toMatchObject({
    code: "permission_denied",
    param: "service",
  });
  const mine = await acme.people.member.call("POST", "/api/token", service);
  expect(mine).toMatchObject({ code: "invalid_request", param: "service" });
  const byMember = await acme.people.owner.ask<{ total: number }>(
    "GET",
    `/api/token?member=acme-member&${acme.as}`,
  );
  expect(byMember.total).toBe(1);
});

test("O4 usage, requests and ledger are those of the organisation, and a member's its own", async () => {
  const named = ({ key_name }: { key_name: string }) => key_name;
  expect(await shown("/api/usage/self?by=key&", named)).toEqual({ ...own, viewer: all });
  expect(await shown("/api/log/self?", named)).toEqual(own);
  const names = new Map([ofMember, ofAdmin, ofService].map(({ id }, at) => [id, at]));
  const placed = ({ key_id }: { key_id: string | null }) => String(names.get(key_id ?? "") ?? "-");
  expect(await shown("/api/ledger/self?kind=post&", placed)).toEqual({
    owner: ["0", "1", "2"],
    admin: ["0", "1", "2"],
    member: ["0"],
    viewer: ["0", "1", "2"],
  });
  const sums = async (by: Browser) =>
    (await by.ask<{ sum: { requests: number } }>("GET", `/api/series/self?${acme.as}`)).sum
      .requests;
  expect([await sums(acme.people.owner), await sums(acme.people.member)]).toEqual([3, 1]);
  const csv = await acme.people.member.call("GET", `/api/log/self.csv?${acme.as}`);
  expect(String(csv.data).trim().split("\n").length).toBe(2);
  const foreign = await acme.people.member.ask<{ total: number }>(
    "GET",
    `/api/log/self?key=${ofAdmin.id}&${acme.as}`,
  );
  expect(foreign.total).toBe(0);
  const balance = await acme.people.viewer.ask(`GET`, `/api/user/self/balance?${acme.as}`);
  expect(balance).toMatchObject({ account: "acme", granted_micros: 1e6, adds_up: true });
});

test("O4 members see neither the balance of the organisation nor what it spent in all", async () => {
  const fields = ["quota_micros", "held_micros", "used_micros"];
  const seen = await Promise.all(
    seatRoles.map(async (role) => {
      const person = acme.people[role];
      const self = await person.ask<object>("GET", `/api/user/self?${acme.as}`);
      const whole = await person.ask<object>("GET", `/api/organisation/${acme.id}`);
      const balance = await person.call("GET", `/api/user/self/balance?${acme.as}`);
      const shown = fields.filter((name) => name in self).length;
      return [role, [shown, "quota_micros" in whole, balance.success]] as const;
    }),
  );
  const all = [3, true, true] as const;
  const told = { owner: all, admin: all, member: [0, false, false] as const, viewer: all };
  expect(Object.fromEntries(seen)).toEqual(told);
});

test("O4 nothing of it is the person's own outside of the scope", async () => {
  const { member } = acme.people;
  const mine = await member.ask<{ total: number }>("GET", "/api/token");
  expect(mine.total).toBe(0);
  const usage = await member.ask<{ sum: { requests: number } }>("GET", "/api/usage/self");
  expect(usage.sum.requests).toBe(0);
  expect(await member.call("GET", `/api/token/${ofMember.id}`)).toMatchObject({
    code: "not_found",
  });
});

test("O2 another organisation's ids are not found, and neither is the organisation", async () => {
  const { people, as } = acme;
  for (const role of seatRoles) {
    const by = people[role];
    const foreign = [
      await by.call("GET", `/api/token?${other.as}`),
      await by.call("GET", `/api/organisation/${other.id}`),
      await by.call("GET", `/api/organisation/${other.id}/member`),
      await by.call("GET", `/api/usage/self?${other.as}`),
    ];
    expect([role, foreign.map(({ code }) => code)]).toEqual([role, Array(4).fill("not_found")]);
  }
  const project = await other.people.owner.ask<{ id: string }>(
    "POST",
    `/api/organisation/${other.id}/project`,
    { name: "secret" },
  );
  const { owner } = people;
  const inside = [
    await owner.call("GET", `/api/token/${ofOther.id}?${as}`),
    await owner.call("DELETE", `/api/token/${ofOther.id}?${as}`),
    await owner.call("DELETE", `/api/organisation/${acme.id}/project/${project.id}`),
    await owner.call("DELETE", `/api/organisation/${acme.id}/member/${other.ids.member}`),
  ];
  expect(inside.map(({ code }) => code)).toEqual(Array(4).fill("not_found"));
  const moved = { project: project.id };
  expect(await owner.call("PATCH", `/api/token/${ofMember.id}?${as}`, moved)).toMatchObject({
    param: "project",
  });
});

test("O2 admins and root of the gateway have no seat in it", async () => {
  const root = [
    await gateway.controlEnvelope("GET", `/api/organisation/${acme.id}`),
    await gateway.controlEnvelope("GET", `/api/organisation/${acme.id}/member`),
    await gateway.controlEnvelope("GET", `/api/token?${acme.as}`),
    await gateway.controlEnvelope("DELETE", `/api/organisation/${acme.id}`),
  ];
  expect(root.map(({ success }) => success)).toEqual(Array(4).fill(false));
});

test("O2 what has no scope refuses to be asked for in one", async () => {
  const answer = await acme.people.owner.call("GET", `/api/session?${acme.as}`);
  expect(answer).toMatchObject({ success: false, code: "invalid_request", param: "as" });
});

test("O4 a token that is made in the scope acts there alone, by the seat of its person", async () => {
  const made = async (by: Browser, body: object = {}) =>
    await by.ask<{ token: string; organisation_id: string }>(
      "POST",
      `/api/access-token?${acme.as}`,
      body,
    );
  const { token, organisation_id } = await made(acme.people.member);
  expect(organisation_id).toBe(acme.id);
  const bare = new Browser(gateway.url);
  const call = (method: string, path: string, text = token) =>
    bare.call(method, path, undefined, { authorization: `Bearer ${text}` });
  const keys = await call("GET", "/api/token");
  expect((keys.data as { items: { name: string }[] }).items.map(({ name }) => name)).toEqual([
    "of-member",
  ]);
  expect(await call("GET", `/api/token?${other.as}`)).toMatchObject({ code: "not_found" });
  expect(await call("GET", `/api/organisation/${other.id}`)).toMatchObject({ code: "not_found" });
  expect(await call("GET", `/api/organisation/${acme.id}`)).toMatchObject({ success: true });
  expect(await call("GET", "/api/organisation")).toMatchObject({ code: "permission_denied" });
  expect(await call("GET", "/api/user/self/export")).toMatchObject({ code: "permission_denied" });
  const reader = await made(acme.people.admin, { read_only: true });
  expect(await call("DELETE", `/api/token/${ofService.id}`, reader.token)).toMatchObject({
    code: "permission_denied",
  });
  const listed = await acme.people.member.ask<{ total: number }>("GET", "/api/access-token");
  expect(listed.total).toBe(1);
});

test("O4 the name, the warning and the address of notices are the organisation's to set", async () => {
  const { admin, member } = acme.people;
  const body = { low_balance_micros: 5000, display_name: "Acme Ltd" };
  const self = await admin.ask("PATCH", `/api/user/self?${acme.as}`, body);
  expect(self).toMatchObject({ id: acme.id, kind: "organisation", ...body });
  expect(await member.call("PATCH", `/api/user/self?${acme.as}`, body)).toMatchObject({
    code: "permission_denied",
  });
  expect(await admin.ask("GET", "/api/user/self")).toMatchObject({ display_name: null });
  const notice_url = "https://hooks.example.com/secret";
  await admin.ask("PATCH", `/api/user/self?${acme.as}`, { notice_url });
  const seen = await Promise.all(
    seatRoles.map(async (role) => {
      const shown = await acme.people[role].ask("GET", `/api/user/self?${acme.as}`);
      return [role, (shown as { notice_url: string | null }).notice_url];
    }),
  );
  const told = { owner: notice_url, admin: notice_url, member: null, viewer: null };
  expect(Object.fromEntries(seen)).toEqual(told);
});

test("O4 the audit log names the person that acted", async () => {
  const audit = await gateway.control<{ items: { actor: string; target: string }[] }>(
    "GET",
    "/api/audit?action=key.create",
  );
  const ofKeys = audit.items.filter((entry) => JSON.stringify(entry).includes(ofAdmin.id));
  expect(JSON.stringify(ofKeys)).toContain("acme-admin");
});

test("O5 a member's key beyond the rules is a 400 that names the rule, and an admin's is not", async () => {
  const { owner, admin, member } = acme.people;
  const rules = {
    expires_days_max: 30,
    limit_micros_max: 5_000_000,
    models: ["m", "gpt-*"],
    count_max: 2,
  };
  const at = `/api/organisation/${acme.id}`;
  expect(await owner.ask("PATCH", at, { key_rules: rules })).toMatchObject({ key_rules: rules });
  const soon = Math.floor(Date.now() / 1000) + 86_400;
  const good = { name: "bound", quota_micros: 5_000_000, models: ["m"], expires_at: soon };
  const bad: [object, string, string][] = [
    [{ ...good, expires_at: undefined }, "expires_at", "expires_days_max"],
    [{ ...good, expires_at: soon + 40 * 86_400 }, "expires_at", "expires_days_max"],
    [{ ...good, quota_micros: 5_000_001 }, "quota_micros", "limit_micros_max"],
    [{ ...good, quota_micros: undefined, unlimited: true }, "quota_micros", "limit_micros_max"],
    [{ ...good, models: undefined }, "models", "models"],
    [{ ...good, models: ["m", "claude"] }, "models", "models"],
  ];
  for (const [body, param, rule] of bad) {
    const answer = await member.call("POST", `/api/token?${acme.as}`, body);
    expect([rule, answer.code, answer.param]).toEqual([rule, "invalid_request", param]);
    expect(answer.message).toContain(rule);
  }
  const made = await makeKey(member, acme, { ...good, unlimited: undefined });
  const many = await member.call("POST", `/api/token?${acme.as}`, good);
  expect(many).toMatchObject({ code: "invalid_request", param: "count_max" });
  const raised = await member.call("PATCH", `/api/token/${made.id}?${acme.as}`, {
    quota_micros: 6_000_000,
  });
  expect(raised).toMatchObject({ code: "invalid_request", param: "quota_micros" });
  // A key from before the rules may still be renamed.
  await member.ask("PATCH", `/api/token/${ofMember.id}?${acme.as}`, { name: "renamed" });
  await admin.ask("PATCH", `/api/token/${made.id}?${acme.as}`, { quota_micros: 6_000_000 });
  await makeKey(admin, acme, { name: "free" });
});
