// Permissions reach as far as what is brought about with them: settings, imports, invitations and
// codes for credit need the permissions of what they give.
import { describe, expect, test } from "bun:test";
import { permissions, type Permission } from "../../../src/identity/roles/permissions.ts";
import { change } from "../../harness/accounts/settings.ts";
import { Browser, password } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));

let count = 0;

interface Staff {
  id: string;
  username: string;
  role: string;
  token: string;
}

/** Somebody whose role has these permissions and no others. */
async function newStaff(...own: Permission[]): Promise<Staff> {
  const role = `role-${++count}`;
  await gateway.control("POST", "/api/role", { name: role, permissions: own });
  const username = `staff-${count}`;
  const body = { username, password, role };
  const { id } = await gateway.control<{ id: string }>("POST", "/api/user", body);
  const made = await gateway.control<{ token: string }>("POST", `/api/user/${id}/token`, {});
  return { id, username, role, token: made.token };
}

interface Answered {
  success: boolean;
  message: string;
  code?: string;
  param?: string;
  data?: unknown;
}

async function as({ token }: Staff, method: string, path: string, body: object): Promise<Answered> {
  return (await gateway.controlEnvelope(method, path, body, token)) as Answered;
}

describe("a setting needs the permissions of what it brings about", () => {
  const provider = { name: "own", type: "github", client_id: "x", client_secret: "y" };
  const smtp = { host: "mail.example", from: "a@mail.example" };
  test.each<[name: string, value: unknown, needs: Permission[] | "root"]>([
    ["accounts.registration", "open", ["people.write", "money.write"]],
    ["accounts.starting_credit_micros", 1_000_000, ["money.write"]],
    ["accounts.starting_credit_after", "registration", ["money.write"]],
    ["accounts.email_domains", [], ["people.write"]],
    ["accounts.email", "off", ["people.write"]],
    ["accounts.organisations", "everyone", ["people.write"]],
    ["sign_in.admin_second_factor", "optional", ["second_factors.reset"]],
    ["sign_in.link", "off", ["sign_in_links.make"]],
    ["notices.destinations", [], ["settings.read", "money.read"]],
    ["mail.smtp", smtp, "root"],
    ["oauth.providers", [provider], "root"],
  ])("hazard G3 %s needs them", async (name, value, needs) => {
    const body = { changes: [{ name, value }] };
    await change(gateway, { [name]: value });
    await change(gateway, { [name]: null });
    const missing = needs === "root" ? [...permissions] : needs;
    const others = permissions.filter((one) => needs === "root" || !needs.includes(one));
    for (const one of needs === "root" ? ["root"] : missing) {
      const rest = missing.filter((permission) => permission !== one);
      const staff = await newStaff(...new Set([...others, ...rest]));
      for (const [method, path, asked] of [
        ["PATCH", "/api/setting", body],
        ["POST", "/api/setting/undo", { name }],
      ] as const) {
        const refused = await as(staff, method, path, asked);
        expect(refused).toMatchObject({ success: false, code: "permission_denied", param: name });
        expect(refused.message).toContain(one === "root" ? "Only root" : one);
        expect(refused.message).toContain("because");
      }
    }
    if (needs === "root") return;
    expect(
      await as(await newStaff("settings.change", ...needs), "PATCH", "/api/setting", body),
    ).toMatchObject({
      success: true,
    });
    await change(gateway, { [name]: null });
  });
});

describe("an import needs the permissions of what it makes", () => {
  const account = (fields: object) => ({
    ref: `r${++count}`,
    username: `came-${count}`,
    password_hash: "",
    role: "user",
    group: "default",
    status: "enabled",
    unlimited: false,
    micros: 0,
    created_at: null,
    totp: null,
    requests_per_minute: null,
    tokens_per_minute: null,
    concurrency: null,
    ...fields,
  });
  const key = (owner: string, fields: object = {}) => ({
    ref: `k${++count}`,
    owner,
    shown: "sk-x",
    name: "key",
    group: null,
    status: "enabled",
    hash: new Bun.CryptoHasher("sha256").update(`sk-${count}`).digest("hex"),
    limit_micros: null,
    models: null,
    allow_ips: null,
    expires_at: null,
    created_at: null,
    requests_per_minute: null,
    tokens_per_minute: null,
    concurrency: null,
    ...fields,
  });
  const identity = (owner: string) => ({
    ref: `i${++count}`,
    owner,
    provider: "house",
    issuer: "https://login.example",
    subject: `subject-${count}`,
  });
  const code = {
    ref: "c",
    hash: "0".repeat(64),
    shown: "AB",
    name: "spring",
    micros: 5,
    expires_at: null,
  };
  const budget = { ref: "b", account: "r", subject: null, budget: { name: "b", limit_micros: 1 } };

  test.each<[what: string, lists: object, permission: Permission]>([
    ["accounts", { accounts: [account({})] }, "people.write"],
    ["admins", { accounts: [account({ role: "admin" })] }, "roles.write"],
    ["credit", { accounts: [account({ micros: 5_000_000 })] }, "money.write"],
    ["no limit", { accounts: [account({ unlimited: true })] }, "money.write"],
    ["groups", { groups: [{ name: "free", multiplier: 0 }] }, "groups.write"],
    ["members of groups", { accounts: [account({ group: "vip" })] }, "groups.write"],
    ["keys", { keys: [key("r")] }, "keys.write"],
    ["codes", { codes: [code] }, "money.write"],
    ["budgets", { budgets: [budget] }, "budgets.write"],
    ["prices", { prices: [{ model: "m" }] }, "prices.write"],
    ["identities", { identities: [identity("r")] }, "people.write"],
    ["announcements", { announcements: [{}] }, "site.write"],
  ])("hazard G3 %s need theirs", async (_, lists, permission) => {
    const staff = await newStaff(...permissions.filter((one) => one !== permission));
    const refused = await as(staff, "POST", "/api/import", { source: "old", ...lists });
    expect(refused).toMatchObject({ success: false, code: "permission_denied" });
    expect(refused.message).toContain(permission);
    const { items } = await gateway.control<{ items: unknown[] }>("GET", "/api/user?q=came-");
    expect(items).toEqual([]);
  });

  test("hazard G4 nothing is added to an account with more rights than the importer's", async () => {
    const source = "earlier";
    const [boss, carol] = [account({ role: "admin" }), account({})];
    await gateway.control("POST", "/api/import", { source, accounts: [boss, carol] });
    const own = [
      "gateway.import",
      "keys.write",
      "people.write",
      "money.write",
      "budgets.write",
    ] as const;
    const staff = await newStaff(...own);
    const lists = (ref: string) => ({
      keys: [key(ref)],
      identities: [identity(ref)],
      budgets: [{ ...budget, ref: `b-${ref}`, account: ref }],
    });
    const rowsOf = async (ref: string) => {
      const told = await as(staff, "POST", "/api/import", { source, ...lists(ref) });
      const { rows } = told.data as { rows: { kind: string; outcome: string; reason: string }[] };
      return rows;
    };
    for (const row of await rowsOf(boss.ref)) {
      expect(row).toMatchObject({
        outcome: "refused",
        reason: expect.stringContaining("as much as you"),
      });
    }
    for (const row of await rowsOf(carol.ref))
      expect(row).toMatchObject({ outcome: "made", reason: "" });
    const paid = { source, accounts: [{ ...boss, micros: 5_000_000, role: "user" }] };
    expect(await as(staff, "POST", "/api/import", paid)).toMatchObject({
      code: "permission_denied",
    });
  });
});

test("hazard G3 an invitation works while its maker could make it, and no longer", async () => {
  await change(gateway, { "accounts.registration": "invitation" });
  await gateway.agreed();
  const maker = await newStaff("people.write", "people.read", "roles.write");
  await gateway.control("POST", "/api/role", { name: "desk", permissions: ["people.read"] });
  const made = await as(maker, "POST", "/api/invitation", { account_role: "desk", uses_max: 100 });
  const { code: invitation } = made.data as { code: string };
  const enter = async () => {
    const username = `guest-${++count}`;
    const body = { username, password, invitation };
    return await new Browser(gateway.url).call("POST", "/api/user/register", body);
  };
  const outcome = async () => {
    const { success, param } = (await enter()) as { success: boolean; param?: string };
    return success ? "in" : param;
  };
  expect(await outcome()).toBe("in");
  for (const lost of [{ permissions: ["people.write"] }, { permissions: ["roles.write"] }]) {
    await gateway.control("PATCH", `/api/role/${maker.role}`, lost);
    expect([lost, await outcome()]).toEqual([lost, "invitation"]);
  }
  const whole = { permissions: ["people.write", "people.read", "roles.write"] };
  await gateway.control("PATCH", `/api/role/${maker.role}`, whole);
  expect(await outcome()).toBe("in");
  await gateway.control("DELETE", `/api/user/${maker.id}`);
  expect(await outcome()).toBe("invitation");
  await change(gateway, { "accounts.registration": null });
});

test("hazard G4 who makes a code for credit does not redeem it; others do, and root may", async () => {
  const maker = await newStaff("money.write");
  const [other] = [await newStaff("money.write")];
  const made = await as(maker, "POST", "/api/redemption", { name: "own", micros: 5_000_000 });
  const [{ code } = { code: "" }] = (made.data as { items: { code: string }[] }).items;
  const redeem = (staff: Staff) => as(staff, "POST", "/api/redemption/redeem", { code });
  const refused = await redeem(maker);
  expect(refused).toMatchObject({ success: false, code: "permission_denied", param: "code" });
  expect(refused.message).toContain("You made this code");
  expect(await redeem(other)).toMatchObject({ success: true });
  const { items } = await gateway.control<{ items: { code: string }[] }>(
    "POST",
    "/api/redemption",
    { name: "root's", micros: 5 },
  );
  const own = { code: items[0]?.code };
  await gateway.control("POST", "/api/redemption/redeem", own);
});

test("hazard G11 channels as YAML show their costs to those who see money alone", async () => {
  const channel = {
    name: "dear",
    type: "openai",
    base_url: "https://api.vendor.example",
    key: "k",
    models: ["m"],
    cost: { percent: 37 },
    spend_per_day_micros: 741_852,
  };
  await gateway.control("POST", "/api/channel", channel);
  const yamlOf = async (...own: Permission[]) => {
    const { token } = await newStaff(...own);
    const { data } = await gateway.controlEnvelope("GET", "/api/channel/yaml", undefined, token);
    return (data as { yaml: string }).yaml;
  };
  expect(await yamlOf("channels.write")).not.toMatch(/cost|percent|spend_per_day|741852/);
  expect(await yamlOf("channels.write", "money.read")).toMatch(/cost[^]*percent: 37[^]*741852/);
});
