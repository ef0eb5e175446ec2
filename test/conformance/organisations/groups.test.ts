// Groups of an identity provider: they give seats in organisations and a role on the gateway, take
// away what they gave, and change nothing where they are not told. With a real issuer.
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { Browser, password, type Answered } from "../../harness/browser.ts";
import { chatBody } from "../../harness/ask.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { RealIssuer, type IssuerUser } from "../../harness/oauth/real-issuer.ts";
import { fetchCallback } from "../../harness/oauth/visit.ts";

setDefaultTimeout(60_000);

const origin = "https://gate.example";
let issuer: RealIssuer;
let gateway: Gateway;
let acme: string;

const memberships = [
  "{ group: ai-admins, role: admin }",
  "{ group: ai-research, organisation: acme, project: research, as: member }",
  "{ group: ai-leads, organisation: acme, as: admin }",
  "{ group: ai-ghosts, organisation: nowhere }",
  "{ group: ai-desk, role: support }",
  "{ group: ai-cooks, role: no-such-role }",
].join(", ");

beforeAll(async () => {
  issuer = await RealIssuer.start(`${origin}/api/oauth/corp`);
  const rules =
    "scopes: [openid, profile, groups], groups_claim: groups, registers: true, " +
    `keys_need_sign_in_days: 30, memberships: [${memberships}]`;
  const config = [
    'sandbox: "off"',
    `server: { public_url: "${origin}" }`,
    "oauth:",
    "  providers:",
    `    - ${issuer.config("corp", rules)}`,
  ];
  gateway = await startGateway({ config: `${config.join("\n")}\n` });
  const made = await gateway.control<{ id: string }>("POST", "/api/organisation", { name: "acme" });
  acme = made.id;
  await newCompanyProject();
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

/** Root owns it, and is no more to it than any owner. */
async function newCompanyProject(): Promise<void> {
  const at = `/api/organisation/${acme}/project`;
  await gateway.control("POST", at, { name: "research" });
}

let count = 0;
beforeEach(() => {
  const subject = `sub-${++count}`;
  issuer.user = { subject, username: `person${count}`, name: "A Person", email: "a@corp.example" };
});

async function signIn(
  groups: IssuerUser["groups"],
): Promise<{ browser: Browser; answer: Answered }> {
  if (groups) issuer.user = { ...issuer.user, groups };
  const browser = new Browser(gateway.url, { origin });
  return { browser, answer: await browser.call("GET", await fetchCallback(browser, "corp")) };
}

async function seatsOf(browser: Browser): Promise<string[]> {
  const { items } = await browser.ask<{ items: { name: string; role: string }[] }>(
    "GET",
    "/api/organisation",
  );
  return items.map(({ name, role }) => `${name}: ${role}`);
}

async function roleOf(browser: Browser): Promise<string> {
  return (await browser.ask<{ role: string }>("GET", "/api/user/self")).role;
}

test("O7 a mapped group opens the door, and gives organisation, project and role", async () => {
  const stranger = await signIn({ groups: ["somebody-else"] });
  expect(stranger.answer).toMatchObject({ success: false, code: "permission_denied" });
  const { browser } = await signIn({ groups: ["ai-research", "ai-ghosts"] });
  expect(await seatsOf(browser)).toEqual(["acme: member"]);
  expect(await roleOf(browser)).toBe("user");
  const key = await browser.ask("POST", `/api/token?as=${acme}`, { name: "k", unlimited: true });
  expect(key).toMatchObject({ project: "research", account: "acme" });
});

test("O7 of two mapped roles the higher is given, and what the groups gave goes with them", async () => {
  const both = await signIn({ groups: ["ai-research", "ai-leads"] });
  expect(await seatsOf(both.browser)).toEqual(["acme: admin"]);
  const made = await both.browser.ask<{ key: string }>("POST", `/api/token?as=${acme}`, {
    name: "k",
    unlimited: true,
  });
  const one = await signIn({ groups: ["ai-research"] });
  expect(await seatsOf(one.browser)).toEqual(["acme: member"]);
  const none = await signIn({ groups: [] });
  expect(await seatsOf(none.browser)).toEqual([]);
  const response = await gateway.post("/v1/chat/completions", chatBody("m"), made.key);
  expect(response.status).toBe(401);
});

test.each<[string, IssuerUser["groups"]]>([
  ["no claim", {}],
  ["too many, told elsewhere", { hasgroups: true, groups: [] }],
  ["something else than a list", { groups: { a: 1 } }],
])("O7 %s changes nothing and takes nothing from anybody", async (_name, groups) => {
  await signIn({ groups: ["ai-research", "ai-admins"] });
  const { browser } = await signIn(groups);
  expect(await seatsOf(browser)).toEqual(["acme: member"]);
  expect(await roleOf(browser)).toBe("admin");
});

test("O7 only what came by groups is taken: a seat and a role by hand stay", async () => {
  const { browser } = await signIn({ groups: ["ai-admins"] });
  expect([await roleOf(browser), await seatsOf(browser)]).toEqual(["admin", []]);
  const { id } = await browser.ask<{ id: string }>("GET", "/api/user/self");
  const invited = await gateway.control<{ code: string }>("POST", `/api/invitation?as=${acme}`, {
    role: "viewer",
  });
  await browser.ask("POST", "/api/organisation/join", { code: invited.code });
  const after = await signIn({ groups: [] });
  expect(await roleOf(after.browser)).toBe("user");
  expect(await seatsOf(after.browser)).toEqual(["acme: viewer"]);
  const mapped = await signIn({ groups: ["ai-leads"] });
  expect(await seatsOf(mapped.browser)).toEqual(["acme: viewer"]);
  await gateway.control("PATCH", `/api/user/${id}`, { role: "admin" });
  const promoted = await signIn({ groups: [] });
  expect(await roleOf(promoted.browser)).toBe("admin");
  await gateway.control("PATCH", `/api/user/${id}`, { role: "root" });
  const root = await signIn({ groups: ["ai-admins"] });
  expect(await roleOf(root.browser)).toBe("root");
});

test("O7 keys of a member by groups end when it has not signed in for so long, and come back", async () => {
  const { browser } = await signIn({ groups: ["ai-research"] });
  const ask = { name: "k", unlimited: true };
  const { key } = await browser.ask<{ key: string }>("POST", `/api/token?as=${acme}`, ask);
  const status = async () => (await gateway.get("/v1/models", key)).status;
  expect(await status()).toBe(200);
  gateway.pass(29 * 86_400);
  expect(await status()).toBe(200);
  gateway.pass(2 * 86_400);
  expect(await status()).toBe(401);
  await signIn({ groups: ["ai-research"] });
  expect(await status()).toBe(200);
});

test("O7 a sign-in without the claim still counts as one for the keys", async () => {
  const { browser } = await signIn({ groups: ["ai-research"] });
  const ask = { name: "k", unlimited: true };
  const { key } = await browser.ask<{ key: string }>("POST", `/api/token?as=${acme}`, ask);
  const status = async () => (await gateway.get("/v1/models", key)).status;
  gateway.pass(29 * 86_400);
  await signIn({ hasgroups: true, groups: [] });
  gateway.pass(29 * 86_400);
  expect(await status()).toBe(200);
  gateway.pass(2 * 86_400);
  expect(await status()).toBe(401);
});

test("O7 with the identity goes what its groups gave, and what was given by hand stays", async () => {
  const { browser } = await signIn({ groups: ["ai-research", "ai-admins"] });
  const { id, username } = await browser.ask<{ id: string; username: string }>(
    "GET",
    "/api/user/self",
  );
  const key = async (as: string) =>
    (await browser.ask<{ key: string }>("POST", `/api/token?as=${as}`, { name: "k" })).key;
  const lost = await key(acme);
  const body = { name: `by-hand-${count}`, owner: username };
  await gateway.control("POST", "/api/organisation", body);
  await gateway.control("PATCH", `/api/user/${id}`, { password });
  const at = await new Browser(gateway.url, { origin }).signIn(username);
  expect([await roleOf(at), (await seatsOf(at)).length]).toEqual(["admin", 2]);
  const { items } = await at.ask<{ items: { id: string }[] }>("GET", "/api/user/self/identities");
  await at.ask("DELETE", `/api/user/self/identities/${items[0]?.id}`);
  expect([await roleOf(at), await seatsOf(at)]).toEqual(["user", [`${body.name}: owner`]]);
  expect((await gateway.get("/v1/models", lost)).status).toBe(401);
});

test("O7 a group gives any role but root, of several the one with the most permissions", async () => {
  expect(await roleOf((await signIn({ groups: ["ai-desk", "ai-cooks"] })).browser)).toBe("support");
  expect(await roleOf((await signIn({ groups: ["ai-desk", "ai-admins"] })).browser)).toBe("admin");
  expect(await roleOf((await signIn({ groups: ["ai-desk"] })).browser)).toBe("support");
  expect(await roleOf((await signIn({ groups: [] })).browser)).toBe("user");
});
