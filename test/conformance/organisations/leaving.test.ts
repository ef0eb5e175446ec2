// Ends of those who leave an organisation or become less in it: of codes that they made, of keys,
// and never of the last owner who could hand it over.
import { beforeAll, expect, test } from "bun:test";
import type { Browser } from "../../harness/browser.ts";
import {
  idOf,
  invite,
  newCompany,
  newPerson,
  type Company,
} from "../../harness/accounts/organisation.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));
let acme: Company;

beforeAll(async () => {
  acme = await newCompany(gateway, "acme");
});

async function codeBy(by: Browser, { as }: Company, body: object = {}): Promise<string> {
  return (await by.ask<{ code: string }>("POST", `/api/invitation?${as}`, body)).code;
}

async function seatOf(by: Browser): Promise<string[]> {
  type Seats = { items: { name: string; role: string }[] };
  const { items } = await by.ask<Seats>("GET", "/api/organisation");
  return items.map(({ name, role }) => `${name}: ${role}`);
}

const memberAt = ({ id }: Company, person: string) => `/api/organisation/${id}/member/${person}`;
const stale = { success: false, code: "invalid_request", param: "code" };

test("O3 who was removed, demoted or disabled brings nobody in by codes of before", async () => {
  const { owner } = acme.people;
  const leaver = await newPerson(gateway, "leaver");
  await invite(owner, acme, { browser: leaver, role: "admin" });
  const person = await idOf(leaver);
  const code = await codeBy(leaver, acme, { role: "admin", uses_max: 10 });
  await owner.ask("PATCH", memberAt(acme, person), { role: "viewer" });
  expect(await leaver.call("POST", "/api/organisation/join", { code })).toMatchObject(stale);
  await owner.ask("PATCH", memberAt(acme, person), { role: "admin" });
  await owner.ask("DELETE", memberAt(acme, person));
  const friend = await newPerson(gateway, "friend");
  for (const by of [leaver, friend]) {
    expect(await by.call("POST", "/api/organisation/join", { code })).toMatchObject(stale);
    expect(await seatOf(by)).toEqual([]);
  }
  await invite(owner, acme, { browser: leaver, role: "admin" });
  await gateway.control("DELETE", `/api/user/${person}`);
  expect(await friend.call("POST", "/api/organisation/join", { code })).toMatchObject(stale);
  await gateway.control("PATCH", `/api/user/${person}`, { status: "enabled" });
  expect(await friend.ask("POST", "/api/organisation/join", { code })).toMatchObject({
    role: "admin",
  });
});

test("O3 an owner who became less makes nobody an owner by a code of before", async () => {
  const house = await newCompany(gateway, "house");
  const { owner, admin, viewer } = house.people;
  const code = await codeBy(owner, house, { role: "owner" });
  await invite(owner, house, { browser: admin, role: "owner" });
  await admin.ask("PATCH", memberAt(house, house.ids.owner), { role: "admin" });
  expect(await viewer.call("POST", "/api/organisation/join", { code })).toMatchObject(stale);
  expect(await seatOf(viewer)).toEqual(["house: viewer"]);
});

test("O3 keys of a member that became a viewer are refused until it may have keys again", async () => {
  const { owner, member } = acme.people;
  const { key } = await member.ask<{ key: string }>("POST", `/api/token?${acme.as}`, {
    name: "k",
    unlimited: true,
  });
  const status = async () => (await gateway.get("/v1/models", key)).status;
  expect(await status()).toBe(200);
  await owner.ask("PATCH", memberAt(acme, acme.ids.member), { role: "viewer" });
  expect(await status()).toBe(401);
  await owner.ask("PATCH", memberAt(acme, acme.ids.member), { role: "member" });
  expect(await status()).toBe(200);
});

test("O3 of two owners who leave at once one stays, and so does one whose like is disabled", async () => {
  const firm = await newCompany(gateway, "firm");
  const { owner, admin } = firm.people;
  const leave = `/api/organisation/${firm.id}/leave`;
  await invite(owner, firm, { browser: admin, role: "owner" });
  const ends = await Promise.all([owner, admin].map((by) => by.call("POST", leave)));
  expect(ends.map(({ success }) => success).toSorted()).toEqual([false, true]);
  const [rest, gone] = ends[0]?.success ? [admin, owner] : [owner, admin];
  await invite(rest, firm, { browser: gone, role: "owner" });
  await gateway.control("DELETE", `/api/user/${await idOf(rest)}`);
  expect(await gone.call("POST", leave)).toMatchObject({ success: false, code: "conflict" });
});

test("O6 of two owners who are deleted at once one stays", async () => {
  const both = await newCompany(gateway, "both");
  const { owner, admin } = both.people;
  await invite(owner, both, { browser: admin, role: "owner" });
  const ends = await Promise.all(
    (["owner", "admin"] as const).map((role) =>
      gateway.controlEnvelope("POST", `/api/user/${both.ids[role]}/erase`, {
        username: `both-${role}`,
      }),
    ),
  );
  expect(ends.filter(({ success }) => success).length).toBeLessThanOrEqual(1);
  type Members = { items: { role: string }[] };
  const at = `/api/organisation/${both.id}/member`;
  const { items } = await both.people.viewer.ask<Members>("GET", at);
  expect(items.filter(({ role }) => role === "owner").length).toBeGreaterThan(0);
});

test("O1 a member's new keys go to the project that its seat names", async () => {
  const { admin, member } = acme.people;
  const at = `/api/organisation/${acme.id}/project`;
  const { id } = await admin.ask<{ id: string }>("POST", at, { name: "research" });
  const seat = memberAt(acme, acme.ids.member);
  expect(await admin.ask("PATCH", seat, { project: "research" })).toMatchObject({
    role: "member",
    project: "research",
  });
  const made = async () =>
    await member.ask("POST", `/api/token?${acme.as}`, { name: "p", unlimited: true });
  expect(await made()).toMatchObject({ project: "research" });
  const unknown = await admin.call("PATCH", seat, { project: "nowhere" });
  expect(unknown).toMatchObject({ code: "invalid_request", param: "project" });
  await admin.ask("DELETE", `${at}/${id}`);
  expect(await made()).toMatchObject({ project: null });
  const audit = await gateway.control<{ items: { changes: object }[] }>(
    "GET",
    "/api/audit?action=organisation.role",
  );
  expect(audit.items[0]?.changes).toMatchObject({ project: { from: null, to: "research" } });
});

test("O2 the list of keys tells nobody which names there are", async () => {
  const stranger = await newPerson(gateway, "curious");
  const owner = acme.people.owner;
  for (const [by, as] of [
    [stranger, ""],
    [owner, `&${acme.as}`],
  ] as const) {
    const [there, missing] = [
      await by.call("GET", `/api/token?member=root${as}`),
      await by.call("GET", `/api/token?member=nobody-here${as}`),
    ];
    expect(missing).toEqual(there);
  }
});
