// Organisations in the console, in a real browser: made, joined, acted for and left.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax, type Page } from "../../../harness/chromium.ts";
import { axeFindings, Scans } from "../../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../../harness/e2e/console.ts";
import { twoLooks } from "../../../harness/e2e/looks.ts";
import { goTo } from "../../../harness/e2e/walk.ts";
import { newCompany, type Company } from "../../../harness/accounts/organisation.ts";
import { chatBody } from "../../../harness/ask.ts";
import { password } from "../../../harness/browser.ts";
import { kept } from "../../../harness/nodes/stand.ts";
import { Vendor } from "../../../harness/vendor.ts";
import { answers } from "../../../harness/wires.ts";

setDefaultTimeout(120_000);

let house: ConsoleHouse;
let acme: Company;

beforeAll(async () => {
  house = await openConsole("accounts: { organisations: everyone }\n");
  acme = await newCompany(house.gateway, "acme");
  await house.addMember("ann");
  await house.addMember("bob");
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

test("O1 somebody makes an organisation, switches to it, and has a project and a key there", async () => {
  await using opened = await house.open({ as: "ann", path: "/console/organisation" });
  const { page, faults } = opened;
  await page.getByRole("button", { name: "New organisation" }).click();
  const form = page.getByRole("dialog", { name: "New organisation" });
  await form.getByLabel("Name").fill("annworks");
  await page.keyboard.press("Enter");
  await page.getByText("annworks was created").waitFor();
  await page.getByRole("button", { name: "Acting for You" }).click();
  await page.getByRole("menuitem", { name: "annworks" }).click();
  await page.getByRole("button", { name: "Acting for annworks" }).waitFor();
  expect(new URL(page.url()).searchParams.get("as")).toStartWith("acc_");
  const menu = page.getByRole("navigation", { name: "Pages" });
  expect(await menu.getByRole("link", { name: "Playground" }).count()).toBe(0);
  await menu.getByRole("link", { name: "Organisation" }).click();
  await page.getByRole("tab", { name: "Projects" }).click();
  await page.getByRole("button", { name: "New project" }).first().click();
  await page.getByRole("dialog", { name: "New project" }).getByLabel("Name").fill("research");
  await page.keyboard.press("Enter");
  await page.getByRole("cell", { name: "research", exact: true }).waitFor();
  await menu.getByRole("link", { name: "Keys" }).click();
  expect(new URL(page.url()).searchParams.get("as")).toStartWith("acc_");
  await page.getByRole("button", { name: "New key" }).first().click();
  const key = page.getByRole("dialog", { name: "New key" });
  await key.getByLabel("Name").fill("batch");
  await key.getByLabel("Project").fill("research");
  await key.getByLabel("Service key").check();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Your new key" }).getByRole("button").last().click();
  await page.getByRole("cell", { name: "service key", exact: true }).waitFor();
  await page.getByRole("cell", { name: "research", exact: true }).waitFor();
  await page.goto("/console/keys");
  await page.getByText("No keys yet").waitFor();
  expect(faults).toEqual([]);
});

test("the list of members leads to an invitation for those who may invite", async () => {
  const path = `/console/organisation?tab=members&${acme.as}`;
  await using owner = await house.open({ as: "acme-owner", path });
  await owner.page.getByRole("button", { name: "Invite member" }).click();
  await owner.page.getByRole("dialog", { name: "Invite member" }).waitFor();
  expect(new URL(owner.page.url()).searchParams.get("tab")).toBe("invitations");
  expect(owner.faults).toEqual([]);
});

test("O2 an owner invites, the invited joins, and is removed again", async () => {
  const path = `/console/organisation?tab=invitations&${acme.as}`;
  await using owners = await house.open({ as: "acme-owner", path });
  await owners.page.getByRole("button", { name: "Invite member" }).click();
  const form = owners.page.getByRole("dialog", { name: "Invite member" });
  await form.getByLabel("Role").selectOption("viewer");
  await form.getByRole("button", { name: "Create" }).click();
  const secret = owners.page.getByRole("dialog", { name: "New invitation" });
  const code = (await secret.locator("code").first().textContent()) ?? "";
  await secret.getByRole("button").last().click();
  await using theirs = await house.open({ as: "bob", path: "/console/organisation" });
  await theirs.page.getByLabel("Invitation code").fill("wrong");
  await theirs.page.keyboard.press("Enter");
  await theirs.page.getByText("is not a code that can be used").first().waitFor();
  await theirs.page.getByLabel("Invitation code").fill(code.trim());
  await theirs.page.keyboard.press("Enter");
  await theirs.page.getByText("You joined acme").waitFor();
  await theirs.page.getByRole("button", { name: "Switch to acme" }).click();
  await theirs.page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  const { page, faults } = owners;
  await page.getByRole("tab", { name: "Members" }).click();
  await page.getByRole("button", { name: "Actions for bob" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  const ask = page.getByRole("dialog", { name: "Remove bob?" });
  await ask.getByRole("button", { name: "Remove" }).click();
  await page.getByText("bob was removed").waitFor();
  await theirs.page.reload();
  await theirs.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect([...faults, ...theirs.faults]).toEqual([]);
});

test("O1 a code for credit is asked of an owner, and of nobody else there", async () => {
  for (const [as, isOffered] of [
    ["acme-owner", true],
    ["acme-admin", false],
    ["acme-member", false],
  ] as const) {
    await using opened = await house.open({ as, path: `/console/overview?${acme.as}` });
    const { page, faults } = opened;
    await page.getByRole("heading", { name: "Base URL" }).waitFor();
    const offered = await page.getByRole("button", { name: "Redeem a code" }).count();
    expect([as, offered > 0]).toEqual([as, isOffered]);
    expect(faults).toEqual([]);
  }
});

test("O4 an admin sets from when on a low balance is told, and where, for the organisation", async () => {
  const path = `/console/organisation?tab=settings&${acme.as}`;
  await using opened = await house.open({ as: "acme-admin", path });
  const { page, faults } = opened;
  await page.getByLabel("Warn below").fill("7");
  await page.getByLabel("Webhook").fill("https://hooks.example.com/low");
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The notice was saved").waitFor();
  const set = { low_balance_micros: 7_000_000, notice_url: "https://hooks.example.com/low" };
  const { admin, owner } = acme.people;
  expect(await owner.ask("GET", `/api/user/self?${acme.as}`)).toMatchObject(set);
  expect(await admin.ask("GET", "/api/user/self")).toMatchObject({ notice_url: null });
  await using theirs = await house.open({ as: "acme-member", path });
  await theirs.page.getByText("Maximum keys per member").waitFor();
  expect(await theirs.page.getByLabel("Warn below").count()).toBe(0);
  expect([...faults, ...theirs.faults]).toEqual([]);
});

const vendor = kept(new Vendor(answers("chat", "Yes.")));

/** One request of a dollar, by a member's key in a project that both have budgets. */
async function spendADollar(): Promise<void> {
  const { gateway } = house;
  const { admin, member } = acme.people;
  const { as, id } = acme;
  const channel = vendor.channel({ name: "main", models: ["flat"] });
  await gateway.control("POST", "/api/channel", channel);
  await gateway.control("POST", "/api/price", { model: "flat", call_micros: 1_000_000 });
  const credit = { micros: 5_000_000, reason: "invoice" };
  await gateway.control("POST", `/api/user/${id}/credit`, credit);
  await admin.ask("POST", `/api/organisation/${id}/project`, { name: "atlas" });
  const scopes = { member: 4_000_000, project: 2_000_000 };
  for (const [scope, limit] of Object.entries(scopes)) {
    const body = { name: `each ${scope}`, scope, limit_micros: limit };
    await admin.ask("POST", `/api/budget?${as}`, body);
  }
  const body = { name: "atlas", unlimited: true, project: "atlas" };
  const { key } = await member.ask<{ key: string }>("POST", `/api/token?${as}`, body);
  const response = await gateway.post("/v1/chat/completions", chatBody("flat"), key);
  expect(response.status).toBe(200);
  await response.text();
}

describe("what is left of budgets", () => {
  beforeAll(spendADollar);

  test.each(twoLooks)("Q13 stands as bars beside members and projects: %o", async (look) => {
    const bars = [
      { tab: "members", name: "acme-member", figures: /\$1\.00.*\$4\.00/, share: 0.25 },
      { tab: "projects", name: "atlas", figures: /\$1\.00.*\$2\.00/, share: 0.5 },
    ];
    for (const { tab, name, figures, share } of bars) {
      const path = `/console/organisation?tab=${tab}&${acme.as}`;
      await using opened = await house.open({ ...look, as: "acme-owner", path });
      const { page, faults } = opened;
      const bar = page.getByRole("img", { name: figures });
      await bar.waitFor();
      expect(await bar.count()).toBe(1);
      // It stands beside whoever it is about, and not beside another one.
      expect(await page.getByRole("row").filter({ has: bar }).textContent()).toContain(name);
      const [whole, part] = [await bar.boundingBox(), await bar.locator("span").boundingBox()];
      expect(whole?.width ?? 0).toBeGreaterThan(30);
      expect((part?.width ?? 0) / (whole?.width ?? 1)).toBeCloseTo(share, 1);
      expect((whole?.x ?? 0) + (whole?.width ?? 0)).toBeLessThanOrEqual(look.width);
      expect(await sidewaysOf(page)).toBe(0);
      expect(faults).toEqual([]);
    }
  });
});

test("Q3 an admin bounds how fast a member and a project send", async () => {
  const path = `/console/organisation?tab=members&${acme.as}`;
  await using opened = await house.open({ as: "acme-admin", path });
  const { page, faults } = opened;
  await page.getByRole("button", { name: "Actions for acme-member" }).click();
  await page.getByRole("menuitem", { name: "Change role, project or limits" }).click();
  const seat = page.getByRole("dialog", { name: "acme-member" });
  await seat.getByLabel("Requests per minute").fill("7");
  expect(await axeFindings(page)).toEqual([]);
  await seat.getByRole("button", { name: "Save" }).click();
  await page.getByText("acme-member was changed").waitFor();
  const members = await acme.people.admin.ask("GET", `/api/organisation/${acme.id}/member`);
  expect(members).toMatchObject({
    items: expect.arrayContaining([
      expect.objectContaining({ username: "acme-member", requests_per_minute: 7 }),
    ]),
  });
  await page.getByRole("tab", { name: "Projects" }).click();
  await page.getByRole("button", { name: "New project" }).first().click();
  const project = page.getByRole("dialog", { name: "New project" });
  await project.getByLabel("Name").fill("bounded");
  await project.getByLabel("Tokens per minute").fill("9000");
  await project.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Actions for bounded" }).click();
  await page.getByRole("menuitem", { name: "Edit", exact: true }).click();
  const again = page.getByRole("dialog", { name: "bounded" });
  expect(await again.getByLabel("Tokens per minute").inputValue()).toBe("9000");
  await again.getByLabel("Tokens per minute").fill("");
  await again.getByRole("button", { name: "Save" }).click();
  await again.waitFor({ state: "detached" });
  expect(await acme.people.admin.ask("GET", `/api/organisation/${acme.id}/project`)).toMatchObject({
    items: expect.arrayContaining([
      expect.objectContaining({ name: "bounded", tokens_per_minute: null }),
    ]),
  });
  expect(faults).toEqual([]);
});

const scans = new Scans();

test.each(twoLooks)("O4 every page of the scope is clean for axe and fits: %o", async (look) => {
  const findings: string[] = [];
  for (const role of ["owner", "member", "viewer"] as const) {
    const { as } = acme;
    const paths = [
      "/?",
      "/console/keys?",
      "/console/usage?",
      "/console/requests?",
      "/console/ledger?",
      "/console/models?",
      ...["members", "projects", "invitations", "settings"].map(
        (tab) => `/console/organisation?tab=${tab}&`,
      ),
    ];
    const visit = { ...look, as: `acme-${role}`, path: `/console/account?${as}` };
    await using opened = await house.open({ ...visit, bypassesPolicy: true });
    const { page, faults } = opened;
    for (const path of role === "owner" ? paths : paths.slice(6)) {
      await goTo(page, path + as);
      await page.getByRole("button", { name: /acme$/ }).first().waitFor();
      for (const one of await scans.findings(page, Object.values(look).join()))
        findings.push(`${role} ${path}: ${one}`);
      const pixels = await sidewaysOf(page);
      if (pixels > 0) findings.push(`${role} ${path}: moves sideways by ${pixels} px`);
      if (!(await isBesideTitle(page))) findings.push(`${role} ${path}: the scope is below`);
      const shots = process.env["SLUICE_SHOTS"];
      if (shots) {
        const name = path.replace(/\W+/g, "-");
        await page.screenshot({
          path: `${shots}/${role}${name}${look.language}-${look.width}.png`,
        });
      }
    }
    findings.push(...faults.map((fault) => `${role}: ${fault}`));
  }
  expect(findings).toEqual([]);
});

/** The switch of the scope stands beside the title, whatever tools the page has. */
async function isBesideTitle(page: Page): Promise<boolean> {
  const title = await page.getByRole("heading", { level: 1 }).boundingBox();
  const scope = await page.locator(".top > .scope").boundingBox();
  return title !== null && scope !== null && scope.y < title.y + title.height;
}

test("O8 a member's key that an admin disabled says so, and is not offered to be enabled", async () => {
  const { member, admin } = acme.people;
  const made = await member.ask<{ id: string }>("POST", `/api/token?${acme.as}`, { name: "held" });
  await admin.ask("PATCH", `/api/token/${made.id}?${acme.as}`, { status: "disabled" });
  const path = `/console/keys?${acme.as}`;
  for (const [as, offered] of [
    ["acme-member", 0],
    ["acme-admin", 1],
  ] as const) {
    await using opened = await house.open({ as, path });
    const { page, faults } = opened;
    const row = page.getByRole("row").filter({ hasText: "held" });
    await row.waitFor();
    expect(await row.textContent()).toContain("Disabled by an owner or admin");
    await row.getByRole("button", { name: "Actions for held" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Enable" }).count()).toBe(offered);
    await page.keyboard.press("Escape");
    await row.click();
    const drawer = page.getByRole("dialog", { name: "held" });
    await drawer.getByRole("button", { name: "Revoke" }).waitFor();
    expect(await drawer.getByRole("button", { name: "Enable" }).count()).toBe(offered);
    expect(faults).toEqual([]);
  }
});

test("O4 a member's pages show no balance of the organisation, and the others' do", async () => {
  for (const [as, isShown] of [
    ["acme-member", false],
    ["acme-admin", true],
  ] as const) {
    for (const name of ["overview", "ledger", "organisation"]) {
      await using opened = await house.open({ as, path: `/console/${name}?${acme.as}` });
      const { page, faults } = opened;
      const main = page.locator("main");
      if (name === "overview") {
        await main.getByRole("heading", { name: "Base URL" }).waitFor();
        const balances = main.getByRole("heading", { name: "Balance" });
        expect(await balances.count()).toBe(isShown ? 1 : 0);
      }
      await page.waitForLoadState("networkidle");
      expect(await main.innerText()).not.toMatch(/NaN|undefined/);
      expect(faults).toEqual([]);
    }
  }
});

test("O4 a list without a button for this person has no empty bar above it", async () => {
  const { admin } = acme.people;
  await admin.ask("POST", `/api/organisation/${acme.id}/project`, { name: "seen" });
  await using opened = await house.open({
    as: "acme-member",
    path: `/console/organisation?tab=projects&${acme.as}`,
    width: 390,
  });
  const card = opened.page.locator("main .card").first();
  await card.getByText("seen").waitFor();
  expect(await card.locator("> header").count()).toBe(0);
});

test("Q13 a member's keys show the share of what all spend, an admin's the sums", async () => {
  const { admin, member } = acme.people;
  const limit = { name: "of all", limit_micros: 0, period: "hours", hours: 48 };
  const { id } = await admin.ask<{ id: string }>("POST", `/api/budget?${acme.as}`, limit);
  await member.ask("POST", `/api/token?${acme.as}`, { name: "sharing" });
  for (const [as, shown, hidden] of [
    ["acme-member", "100 % used", "of $0.00"],
    ["acme-admin", "$0.00 of $0.00", "% used"],
  ] as const) {
    for (const width of [1440, 390] as const) {
      await using opened = await house.open({ as, path: `/console/keys?${acme.as}`, width });
      const { page, faults } = opened;
      await page.locator("main").getByText(shown).first().waitFor();
      expect(await page.locator("main").innerText()).not.toContain(hidden);
      expect(faults).toEqual([]);
    }
  }
  await using opened = await house.open({
    as: "acme-admin",
    path: `/console/budgets?${acme.as}`,
  });
  await opened.page.getByText("2 days").waitFor();
  await admin.ask("DELETE", `/api/budget/${id}?${acme.as}`);
});

test("O1 an owner deletes an organisation with its password, and not without", async () => {
  const brief = await newCompany(house.gateway, "brief");
  const path = `/console/organisation?tab=settings&${brief.as}`;
  await using opened = await house.open({ as: "brief-owner", path });
  const { page, faults } = opened;
  await page.getByRole("button", { name: "Delete the organisation" }).click();
  const dialog = page.getByRole("dialog");
  const secret = dialog.getByLabel("Confirm it's you");
  await secret.fill("not the password");
  await page.keyboard.press("Enter");
  await dialog
    .getByText(/password/i)
    .getByText(/wrong/i)
    .waitFor();
  await secret.fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Acting for brief" }).waitFor({ state: "detached" });
  expect(await brief.people.owner.ask("GET", "/api/organisation")).toEqual({ items: [] });
  expect(faults).toEqual([]);
});
