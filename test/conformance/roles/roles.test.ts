// Roles: made of permissions, given and taken, never beyond those of who gives them, and in force
// from the next call on.
import { beforeAll, describe, expect, test } from "bun:test";
import { permissions } from "../../../src/identity/roles/permissions.ts";
import { Browser, password } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const gateway = useStand(() =>
  startGateway({ config: 'sandbox: "off"\naccounts: { registration: invitation }\n' }),
);

interface Person {
  id: string;
  username: string;
  token: string;
}

let count = 0;

async function newPerson(role: string): Promise<Person> {
  const username = `${role}-${++count}`;
  const { id } = await gateway.control<{ id: string }>("POST", "/api/user", {
    username,
    password,
    role,
  });
  const path = `/api/user/${id}/token`;
  const { token } = await gateway.control<{ token: string }>("POST", path, {});
  return { id, username, token };
}

interface Told {
  success: boolean;
  code?: string;
  param?: string | null;
  data?: unknown;
}

async function as({ token }: Person, method: string, path: string, body?: object): Promise<Told> {
  return (await gateway.controlEnvelope(method, path, body, token)) as Told;
}

async function codeOf(by: Person, method: string, path: string, body?: object): Promise<string> {
  const told = await as(by, method, path, body);
  return told.success ? "done" : (told.code ?? "");
}

async function newRole(name: string, ...all: string[]): Promise<void> {
  await gateway.control("POST", "/api/role", { name, permissions: all });
}

let user: Person;
let admin: Person;
let support: Person;
let billing: Person;
let reader: Person;

beforeAll(async () => {
  user = await newPerson("user");
  admin = await newPerson("admin");
  support = await newPerson("support");
  billing = await newPerson("billing");
  reader = await newPerson("read-only");
});

describe("a role", () => {
  test("is made, listed, changed and deleted, and all of it is in the audit log", async () => {
    await newRole("desk", "people.read");
    await gateway.control("PATCH", "/api/role/desk", { permissions: ["people.read", "keys.read"] });
    const { items } = await gateway.control<{ items: object[] }>("GET", "/api/role?q=des");
    expect(items).toEqual([
      expect.objectContaining({
        name: "desk",
        permissions: ["people.read", "keys.read"],
        built_in: false,
        people: 0,
      }),
    ]);
    await gateway.control("DELETE", "/api/role/desk");
    const path = "/api/audit?target_kind=role&target_id=desk";
    const trail = await gateway.control<{ items: { action: string }[] }>("GET", path);
    expect(trail.items.map(({ action }) => action)).toEqual([
      "role.remove",
      "role.change",
      "role.create",
    ]);
  });

  test.each<[string, object, string]>([
    ["a name that is taken", { name: "support", permissions: ["keys.read"] }, "name"],
    ["a name of other signs", { name: "The Desk", permissions: ["keys.read"] }, "name"],
    ["no permission", { name: "empty", permissions: [] }, "permissions"],
    ["one twice", { name: "twice", permissions: ["keys.read", "keys.read"] }, "permissions"],
  ])("with %s is refused", async (_name, body, param) => {
    const told = (await gateway.controlEnvelope("POST", "/api/role", body)) as Told;
    expect(told).toMatchObject({ success: false, param });
  });

  test("that is unknown names no permission and is given to nobody", async () => {
    const body = { name: "odd", permissions: ["keys.eat"] };
    expect(await gateway.controlEnvelope("POST", "/api/role", body)).toMatchObject({
      success: false,
    });
    const made = { username: "nobody", password, role: "no-such-role" };
    expect(await gateway.controlEnvelope("POST", "/api/user", made)).toMatchObject({
      code: "invalid_request",
      param: "role",
    });
  });

  test("that comes with the gateway stays, and so does one that somebody has", async () => {
    const change = { permissions: ["keys.read"] };
    for (const name of ["admin", "support"]) {
      const told = (await gateway.controlEnvelope("PATCH", `/api/role/${name}`, change)) as Told;
      expect(told.code).toBe("conflict");
    }
    await newRole("held", "people.read");
    await newPerson("held");
    const told = (await gateway.controlEnvelope("DELETE", "/api/role/held")) as Told;
    expect(told.code).toBe("conflict");
  });

  test("that changes holds for the next call, by token and by session, on every node", async () => {
    await newRole("moving", "people.read");
    const person = await newPerson("moving");
    const browser = await new Browser(gateway.url).signIn(person.username);
    const reads = async (path: string) => {
      const byToken = await Promise.all(
        gateway.nodeUrls.map(async (node) => {
          const headers = { authorization: `Bearer ${person.token}` };
          const answer = await fetch(node + path, { headers });
          return ((await answer.json()) as Told).success;
        }),
      );
      return [...byToken, (await browser.call("GET", path)).success];
    };
    const all = (value: boolean) => [...gateway.nodeUrls, "session"].map(() => value);
    expect(await reads("/api/channel")).toEqual(all(false));
    await gateway.control("PATCH", "/api/role/moving", { permissions: ["channels.read"] });
    expect(await reads("/api/channel")).toEqual(all(true));
    expect(await reads("/api/user")).toEqual(all(false));
    const self = await browser.ask("GET", "/api/user/self");
    expect(self).toMatchObject({ role: "moving", permissions: ["channels.read"] });
  });

  test("hazard A10 ends a stream that it opened when it loses its permission", async () => {
    await newRole("watcher", "usage.read");
    const person = await newPerson("watcher");
    const headers = { authorization: `Bearer ${person.token}` };
    const response = await fetch(`${gateway.url}/api/live`, { headers });
    const whole = response.text();
    await gateway.control("PATCH", "/api/role/watcher", { permissions: ["people.read"] });
    expect(await whole).toContain(": live");
  });
});

describe("hazard G4 nobody goes beyond their own", () => {
  test("giving a role takes the permission, and every permission of the role", async () => {
    await newRole("giver", "people.read", "people.write", "roles.write", "keys.read");
    const giver = await newPerson("giver");
    const give = (role: string) => codeOf(giver, "PATCH", `/api/user/${user.id}`, { role });
    await newRole("within", "keys.read");
    expect(await give("within")).toBe("done");
    expect(await give("user")).toBe("done");
    for (const role of ["support", "billing", "read-only", "admin", "root"]) {
      expect([role, await give(role)]).toEqual([role, "permission_denied"]);
    }
    const made = { username: "raised", password, role: "admin" };
    expect(await codeOf(giver, "POST", "/api/user", made)).toBe("permission_denied");
    const role = { name: "more", permissions: ["keys.read", "money.read"] };
    expect(await codeOf(giver, "POST", "/api/role", role)).toBe("permission_denied");
    const wider = { permissions: ["money.read"] };
    expect(await codeOf(giver, "PATCH", "/api/role/within", wider)).toBe("permission_denied");
    expect(await codeOf(giver, "PATCH", "/api/role/held", { permissions: ["keys.read"] })).toBe(
      "done",
    );
    const own = { role: "within" };
    expect(await codeOf(giver, "PATCH", `/api/user/${giver.id}`, own)).toBe("permission_denied");
    for (const person of [admin, support, billing, reader]) {
      const told = await as(person, "PATCH", `/api/user/${user.id}`, { role: "read-only" });
      expect(told).toMatchObject({ success: false, code: "permission_denied" });
    }
  });

  test("support makes links for members, and for nobody with a permission", async () => {
    const link = (id: string) => codeOf(support, "POST", `/api/user/${id}/link`);
    expect(await link(user.id)).toBe("done");
    const { id: root } = await gateway.control<{ id: string }>("GET", "/api/user/self");
    await newRole("small", "site.write");
    const small = await newPerson("small");
    for (const id of [root, admin.id, billing.id, reader.id, small.id, support.id]) {
      expect(await link(id)).toBe("permission_denied");
    }
  });

  test("a link does not enter an account that has risen since", async () => {
    const person = await newPerson("user");
    const made = await as(support, "POST", `/api/user/${person.id}/link`);
    const { url } = made.data as { url: string };
    await gateway.control("PATCH", `/api/user/${person.id}`, { role: "admin" });
    const stranger = new Browser(gateway.url);
    const link = url.slice(url.indexOf("#link=") + 6);
    expect(await stranger.call("POST", "/api/user/login/link", { link })).toMatchObject({
      success: false,
    });
  });

  test("support disables a key, and does nothing else to it or to people", async () => {
    const { id } = await gateway.control<{ id: string }>("POST", "/api/token", {
      name: "k",
      account: user.username,
    });
    const path = `/api/token/${id}`;
    const denied: [string, string, object?][] = [
      ["PATCH", path, { name: "other" }],
      ["PATCH", path, { status: "disabled", name: "other" }],
      ["POST", `${path}/rotate`],
      ["DELETE", path],
      ["POST", "/api/token", { name: "mine", account: user.username }],
      ["PATCH", `/api/user/${user.id}`, { status: "disabled" }],
      ["DELETE", `/api/user/${user.id}/second-factor`],
      ["POST", `/api/user/${user.id}/token`, {}],
      ["POST", `/api/user/${user.id}/credit`, { micros: 5, reason: "mine" }],
    ];
    for (const [method, at, body] of denied) {
      expect([method, at, await codeOf(support, method, at, body)]).toEqual([
        method,
        at,
        "permission_denied",
      ]);
    }
    expect(await codeOf(support, "PATCH", path, { status: "disabled" })).toBe("done");
    expect(await codeOf(support, "PATCH", path, { status: "enabled" })).toBe("permission_denied");
  });

  test("keys, budgets and money of those above are out of reach", async () => {
    const ofAdmin = { name: "k", account: admin.username };
    const { id } = await gateway.control<{ id: string }>("POST", "/api/token", ofAdmin);
    const off = { status: "disabled" };
    expect(await codeOf(support, "PATCH", `/api/token/${id}`, off)).toBe("permission_denied");
    const credit = { micros: 5, reason: "mine" };
    for (const other of [admin, billing, support]) {
      expect(await codeOf(billing, "POST", `/api/user/${other.id}/credit`, credit)).toBe(
        "permission_denied",
      );
    }
    expect(await codeOf(billing, "POST", `/api/user/${user.id}/credit`, credit)).toBe("done");
  });

  test("making an account gives neither money nor a group without their permissions", async () => {
    await newRole("porter", "people.read", "people.write");
    const porter = await newPerson("porter");
    const made = { username: "arrived", password };
    const told = await as(porter, "POST", "/api/user", { ...made, quota_micros: 5 });
    expect(told).toMatchObject({ code: "permission_denied", param: "quota_micros" });
    await gateway.control("POST", "/api/group", { name: "cheap", multiplier: 0 });
    const grouped = await as(porter, "POST", "/api/user", { ...made, group: "cheap" });
    expect(grouped).toMatchObject({ code: "permission_denied", param: "group" });
    expect(await codeOf(porter, "POST", "/api/user", made)).toBe("done");
  });

  test("read-only changes nothing, whatever it asks", async () => {
    const denied: [string, string, object?][] = [
      ["POST", "/api/user", { username: "x", password }],
      ["POST", "/api/group", { name: "mine" }],
      ["POST", "/api/announcement", { title: "a", text: "b" }],
      ["POST", "/api/role", { name: "mine", permissions: ["keys.read"] }],
      ["DELETE", `/api/user/${user.id}`],
    ];
    for (const [method, path, body] of denied) {
      expect(await codeOf(reader, method, path, body)).toBe("permission_denied");
    }
  });
});

describe("an invitation", () => {
  test("gives a role to those who come by it, within what its maker may give", async () => {
    const made = await gateway.control<{ code: string; account_role: string }>(
      "POST",
      "/api/invitation",
      { account_role: "support" },
    );
    expect(made.account_role).toBe("support");
    const browser = new Browser(gateway.url);
    const came = { username: "came", password, invitation: made.code };
    expect(await browser.ask("POST", "/api/user/register", came)).toMatchObject({
      role: "support",
    });
    const told = await as(admin, "POST", "/api/invitation", { account_role: "read-only" });
    expect(told).toMatchObject({ code: "permission_denied", param: "account_role" });
    const root = await gateway.controlEnvelope("POST", "/api/invitation", { account_role: "root" });
    expect(root).toMatchObject({ code: "invalid_request", param: "account_role" });
  });

  test("to a role that is gone gives none", async () => {
    await newRole("passing", "keys.read");
    const { code } = await gateway.control<{ code: string }>("POST", "/api/invitation", {
      account_role: "passing",
    });
    await gateway.control("DELETE", "/api/role/passing");
    const came = { username: "late", password, invitation: code };
    const browser = new Browser(gateway.url);
    expect(await browser.ask("POST", "/api/user/register", came)).toMatchObject({ role: "user" });
  });
});

test("the list of accounts is filtered by any role, and root may give every permission", async () => {
  const path = "/api/user?role=support";
  const { items } = await gateway.control<{ items: { role: string }[] }>("GET", path);
  expect(new Set(items.map(({ role }) => role))).toEqual(new Set(["support"]));
  const members = await gateway.control<{ items: { role: string }[] }>(
    "GET",
    "/api/user?role=user",
  );
  expect(new Set(members.items.map(({ role }) => role))).toEqual(new Set(["user"]));
  await newRole("whole", ...permissions);
  const { id } = await newPerson("whole");
  const other = await newPerson("whole");
  expect(await codeOf(other, "POST", `/api/user/${id}/link`)).toBe("permission_denied");
});
