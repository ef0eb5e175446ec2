// Organisations: accounts that nobody signs in to, the seats in them, and how people come and go.
import { beforeAll, expect, test } from "bun:test";
import { Browser, password } from "../../harness/browser.ts";
import {
  idOf,
  invite,
  newCompany,
  newPerson,
  type Company,
} from "../../harness/accounts/organisation.ts";
import { chatBody } from "../../harness/ask.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { completion, Vendor } from "../../harness/vendor.ts";

const vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));
let acme: Company;

interface Key {
  id: string;
  key: string;
  member: string | null;
  project: string | null;
}

beforeAll(async () => {
  await gateway.control("POST", "/api/channel", vendor.channel({ name: "main", models: ["m"] }));
  const price = { model: "m", input_micros_per_million: 1e6, output_micros_per_million: 3e6 };
  await gateway.control("POST", "/api/price", price);
  acme = await newCompany(gateway, "acme");
  await gateway.control("POST", `/api/user/${acme.id}/credit`, {
    micros: 1_000_000,
    reason: "invoice",
  });
});

async function makeKey(by: Browser, { as }: Company, fields: object = {}): Promise<Key> {
  return await by.ask<Key>("POST", `/api/token?${as}`, { name: "k", unlimited: true, ...fields });
}

async function statusOf(key: string): Promise<number> {
  const response = await gateway.post("/v1/chat/completions", chatBody("m"), key);
  await response.text();
  return response.status;
}

test("O1 the organisation pays for its keys, and admins of the gateway see it as an account", async () => {
  const { key, member } = await makeKey(acme.people.member, acme);
  expect(member).toBe("acme-member");
  expect(await statusOf(key)).toBe(200);
  const seen = await gateway.control<{ kind: string; username: string; used_micros: number }>(
    "GET",
    `/api/user/${acme.id}`,
  );
  expect(seen).toMatchObject({ kind: "organisation", username: "acme" });
  expect(seen.used_micros).toBeGreaterThan(0);
  const person = await gateway.control("GET", `/api/user/${acme.ids.member}`);
  expect(person).toMatchObject({ kind: "person", used_micros: 0 });
  const { total } = await gateway.control<{ total: number }>("GET", "/api/user?kind=organisation");
  expect(total).toBeGreaterThan(0);
});

test("O1 nobody signs in to an organisation, by whatever way", async () => {
  const visitor = new Browser(gateway.url);
  for (const secret of ["", password]) {
    const body = { username: "acme", password: secret };
    expect((await visitor.call("POST", "/api/user/login", body)).success).toBe(false);
  }
  const refused = [
    await gateway.controlEnvelope("PATCH", `/api/user/${acme.id}`, { password }),
    await gateway.controlEnvelope("PATCH", `/api/user/${acme.id}`, { role: "admin" }),
    await gateway.controlEnvelope("POST", `/api/user/${acme.id}/token`, {}),
    await gateway.controlEnvelope("POST", `/api/user/${acme.id}/link`),
  ];
  expect(refused.map(({ success }) => success)).toEqual([false, false, false, false]);
});

test("O1 who may make an organisation is a setting, and nobody makes one for another", async () => {
  const plain = await newPerson(gateway, "plain");
  const refused = await plain.call("POST", "/api/organisation", { name: "mine" });
  expect(refused).toMatchObject({ success: false, code: "permission_denied" });
  const taken = await gateway.controlEnvelope("POST", "/api/organisation", { name: "ACME" });
  expect(taken).toMatchObject({ success: false, code: "conflict" });
  const stranger = { name: "theirs", owner: "nobody-here" };
  const unknown = await gateway.controlEnvelope("POST", "/api/organisation", stranger);
  expect(unknown).toMatchObject({ success: false, param: "owner" });
});

test("O2 an invitation leads into its organisation once, and opens no account", async () => {
  const { people, as } = acme;
  const { code } = await people.admin.ask<{ code: string }>("POST", `/api/invitation?${as}`, {});
  const listed = await people.admin.ask<{ items: { role: string }[] }>(
    "GET",
    `/api/invitation?status=open&${as}`,
  );
  expect(listed.items.map(({ role }) => role)).toEqual(["member"]);
  const ofGateway = await gateway.control<{ total: number }>("GET", "/api/invitation");
  expect(ofGateway.total).toBe(0);
  const [first, second] = [await newPerson(gateway, "first"), await newPerson(gateway, "second")];
  const joined = await first.ask("POST", "/api/organisation/join", { code });
  expect(joined).toEqual({ id: acme.id, name: "acme", role: "member" });
  const again = await second.call("POST", "/api/organisation/join", { code });
  expect(again).toMatchObject({ success: false, code: "invalid_request", param: "code" });
  const owner = await people.admin.call("POST", `/api/invitation?${as}`, { role: "owner" });
  expect(owner).toMatchObject({ code: "permission_denied", param: "role" });
  const outside = await gateway.controlEnvelope("POST", "/api/invitation", { role: "admin" });
  expect(outside).toMatchObject({ success: false, param: "role" });
});

test("O3 who is removed leaves no key that works, in one entry of the audit log", async () => {
  const leaver = await newPerson(gateway, "leaver");
  await invite(acme.people.owner, acme, { browser: leaver, role: "member" });
  const { id, key } = await makeKey(leaver, acme);
  const tokenOf = { name: "script" };
  const { token } = await leaver.ask<{ token: string }>(
    "POST",
    `/api/access-token?${acme.as}`,
    tokenOf,
  );
  expect(await statusOf(key)).toBe(200);
  const person = await idOf(leaver);
  const at = `/api/organisation/${acme.id}/member/${person}`;
  expect(await acme.people.admin.ask("DELETE", at)).toEqual({ id: person });
  expect(await statusOf(key)).toBe(401);
  expect(await leaver.call("GET", `/api/token?${acme.as}`)).toMatchObject({ code: "not_found" });
  const bare = new Browser(gateway.url);
  const authorization = `Bearer ${token}`;
  const late = await bare.call("GET", "/api/token", undefined, { authorization });
  expect(late).toMatchObject({ code: "invalid_api_key" });
  const audit = await gateway.control<{ items: { changes: object; actor: string }[] }>(
    "GET",
    "/api/audit?action=organisation.remove_member",
  );
  expect(audit.items[0]).toMatchObject({ changes: { person: "leaver", revoked_keys: [id] } });
});

test("O3 kept keys become the organisation's own", async () => {
  const leaver = await newPerson(gateway, "keeper");
  await invite(acme.people.owner, acme, { browser: leaver, role: "member" });
  const { id, key } = await makeKey(leaver, acme);
  const at = `/api/organisation/${acme.id}/member/${await idOf(leaver)}?keep_keys=true`;
  await acme.people.owner.ask("DELETE", at);
  expect(await statusOf(key)).toBe(200);
  const kept = await acme.people.admin.ask("GET", `/api/token/${id}?${acme.as}`);
  expect(kept).toMatchObject({ member: null, member_id: null });
  expect(await leaver.call("GET", `/api/token/${id}?${acme.as}`)).toMatchObject({
    code: "not_found",
  });
});

test("O3 one who leaves takes nothing along, and the last owner stays until another took over", async () => {
  const house = await newCompany(gateway, "house");
  const { owner, member } = house.people;
  const { key } = await makeKey(member, house);
  await member.ask("POST", `/api/organisation/${house.id}/leave`);
  expect(await statusOf(key)).toBe(401);
  const stays = { success: false, code: "conflict" };
  expect(await owner.call("POST", `/api/organisation/${house.id}/leave`)).toMatchObject(stays);
  const self = `/api/organisation/${house.id}/member/${house.ids.owner}`;
  expect(await owner.call("PATCH", self, { role: "admin" })).toMatchObject(stays);
  const { admin } = house.people;
  expect(await admin.call("DELETE", self)).toMatchObject({ code: "permission_denied" });
  const direct = `/api/organisation/${house.id}/member/${house.ids.admin}`;
  expect(await owner.call("PATCH", direct, { role: "owner" })).toMatchObject({ param: "role" });
  await invite(owner, house, { browser: admin, role: "owner" });
  expect(await owner.ask("PATCH", self, { role: "viewer" })).toMatchObject({ role: "viewer" });
  expect(await admin.ask("GET", "/api/organisation")).toEqual({
    items: [{ id: house.id, name: "house", role: "owner" }],
  });
  await owner.ask("POST", `/api/organisation/${house.id}/leave`);
});

test("O3 the keys of a person that is disabled end with it", async () => {
  const { key } = await makeKey(acme.people.member, acme);
  expect(await statusOf(key)).toBe(200);
  await gateway.control("DELETE", `/api/user/${acme.ids.member}`);
  expect(await statusOf(key)).toBe(401);
  await gateway.control("PATCH", `/api/user/${acme.ids.member}`, { status: "enabled" });
  await acme.people.member.signIn("acme-member");
  expect(await statusOf(key)).toBe(200);
});

test("O1 projects have keys, are named once, and switch their keys off", async () => {
  const { admin, member } = acme.people;
  const at = `/api/organisation/${acme.id}/project`;
  const project = await admin.ask<{ id: string }>("POST", at, { name: "research" });
  expect(await admin.call("POST", at, { name: "research" })).toMatchObject({ code: "conflict" });
  expect(await member.call("POST", at, { name: "other" })).toMatchObject({
    code: "permission_denied",
  });
  const made = await makeKey(member, acme, { project: "research" });
  expect(made.project).toBe("research");
  const unknown = { name: "k", project: "nowhere" };
  expect(await member.call("POST", `/api/token?${acme.as}`, unknown)).toMatchObject({
    code: "invalid_request",
    param: "project",
  });
  await admin.ask("PATCH", `${at}/${project.id}`, { status: "disabled" });
  expect(await statusOf(made.key)).toBe(401);
  await admin.ask("PATCH", `${at}/${project.id}`, { status: "enabled", name: "lab" });
  expect(await statusOf(made.key)).toBe(200);
  const found = await admin.ask<{ items: Key[] }>("GET", `/api/token?project=lab&${acme.as}`);
  expect(found.items.map(({ id }) => id)).toEqual([made.id]);
  await admin.ask("DELETE", `${at}/${project.id}`);
  const after = await member.ask<Key>("GET", `/api/token/${made.id}?${acme.as}`);
  expect(after.project).toBeNull();
});

test("O1 an organisation is renamed, and deleted with all of its keys by its owner", async () => {
  const brief = await newCompany(gateway, "brief");
  const { owner, admin, member } = brief.people;
  const { key } = await makeKey(member, brief);
  const at = `/api/organisation/${brief.id}`;
  expect(await admin.ask("PATCH", at, { name: "briefer" })).toMatchObject({ name: "briefer" });
  const proof = { password };
  const refused = await admin.call("POST", `${at}/erase`, proof);
  expect(refused).toMatchObject({ code: "permission_denied" });
  const path = `/api/access-token?${brief.as}`;
  const { token } = await owner.ask<{ token: string }>("POST", path, { name: "script" });
  const byToken = { authorization: `Bearer ${token}` };
  const script = await new Browser(gateway.url).call("POST", `${at}/erase`, proof, byToken);
  expect(script).toMatchObject({ code: "permission_denied" });
  const unproven = await owner.call("POST", `${at}/erase`, {});
  expect(unproven).toMatchObject({ success: false, param: "password" });
  const guessed = await owner.call("POST", `${at}/erase`, { password: "not the password" });
  expect(guessed).toMatchObject({ code: "invalid_credentials", param: "password" });
  expect(await owner.ask("POST", `${at}/erase`, proof)).toEqual({ id: brief.id });
  expect(await statusOf(key)).toBe(401);
  expect(await owner.ask("GET", "/api/organisation")).toEqual({ items: [] });
  expect(await owner.call("GET", at)).toMatchObject({ code: "not_found" });
  const books = await gateway.control<{ ok: boolean }>("POST", "/api/ledger/verify");
  expect(books.ok).toBe(true);
});

test("O6 deleting a person takes its seats and keys, and never the last owner", async () => {
  const firm = await newCompany(gateway, "firm");
  await gateway.control("POST", `/api/user/${firm.id}/credit`, { micros: 1e6, reason: "invoice" });
  const { key } = await makeKey(firm.people.member, firm);
  expect(await statusOf(key)).toBe(200);
  const erase = (role: "owner" | "member") =>
    gateway.controlEnvelope("POST", `/api/user/${firm.ids[role]}/erase`, {
      username: `firm-${role}`,
    });
  expect(await erase("owner")).toMatchObject({ success: false, code: "conflict" });
  expect(await firm.people.owner.isSignedIn()).toBe(true);
  expect(await erase("member")).toMatchObject({ success: true });
  expect(await statusOf(key)).toBe(401);
  const members = await firm.people.owner.ask<{ items: { username: string }[] }>(
    "GET",
    `/api/organisation/${firm.id}/member`,
  );
  expect(members.items.map(({ username }) => username)).toEqual([
    "firm-owner",
    "firm-admin",
    "firm-viewer",
  ]);
  const ledger = await firm.people.viewer.ask<{ items: { kind: string }[] }>(
    "GET",
    `/api/ledger/self?${firm.as}`,
  );
  expect(ledger.items.map(({ kind }) => kind)).toEqual(["post", "grant"]);
});
