// Roles between member and admin in a real browser: one is made of check boxes and given, and each
// of those that come with the gateway is shown what it may see, and no button that is refused.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax, type Page } from "../../../harness/chromium.ts";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../../harness/e2e/console.ts";
import { settle } from "../../../harness/e2e/walk.ts";

setDefaultTimeout(60_000);

const widths = [1440, 390] as const;
const amount = "$7.654321";
let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole();
  await house.addMember("ann", 7_654_321);
  for (const role of ["support", "billing", "read-only"]) {
    await house.addMember(role);
    await house.promote(role, role);
  }
  const key = { name: "ann laptop", account: "ann", quota_micros: 7_654_321 };
  await house.gateway.control("POST", "/api/token", key);
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

async function person(name: string): Promise<string> {
  return `/console/people/${(await house.accountOf(name)).id}`;
}

async function menuOf(page: Page, name: string): Promise<string[]> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  const items = page.getByRole("menuitem");
  await items.first().waitFor();
  const texts = await items.allInnerTexts();
  await page.keyboard.press("Escape");
  return texts;
}

describe.each(widths)("at a width of %d", (width) => {
  test("root makes a role of check boxes, and gives it", async () => {
    const name = `desk-${width}`;
    await house.addMember(`dora-${width}`);
    await using opened = await house.open({ path: "/console/roles", width, bypassesPolicy: true });
    const { page, faults } = opened;
    await page
      .getByText("Sees everything but secrets and money")
      .filter({ visible: true })
      .waitFor();
    await page.getByRole("button", { name: "New role" }).click();
    const form = page.getByRole("dialog", { name: "New role" });
    await form.getByLabel("Name").fill(name);
    await form.getByRole("group", { name: "People" }).waitFor();
    await form.getByLabel("See everyone's keys").check();
    await form.getByLabel("See accounts, invitations and roles").check();
    expect(await axeFindings(page)).toEqual([]);
    await form.getByRole("button", { name: "New role" }).click();
    const drawer = page.getByRole("dialog", { name });
    await drawer.getByText("keys.read").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
    await page.goto(house.gateway.url + (await person(`dora-${width}`)));
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByLabel("Role").last().selectOption(name);
    await page.getByRole("button", { name: "Save" }).click();
    const dora = page.getByRole("dialog", { name: `dora-${width}` });
    await dora.getByText(name, { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  test("support sees people and keys without money, makes links and disables keys", async () => {
    await using opened = await house.open({ as: "support", path: await person("ann"), width });
    const { page, faults } = opened;
    const drawer = page.getByRole("dialog", { name: "ann" });
    await drawer.getByText("Pending approval").or(drawer.getByText("enabled")).first().waitFor();
    await settle(page);
    expect(await page.getByText("$").count()).toBe(0);
    expect(await drawer.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
    expect(await menuOf(page, "ann")).toEqual(["Create sign-in link"]);
    await page.goto(`${house.gateway.url}/console/keys`);
    await page.getByText("ann laptop").filter({ visible: true }).click();
    const key = page.getByRole("dialog", { name: "ann laptop" });
    await key.getByRole("button", { name: "Disable" }).waitFor();
    await settle(page);
    const buttons = await key.getByRole("button").allInnerTexts();
    expect(buttons.filter((text) => /Edit|Revoke|Rotate|New secret/.test(text))).toEqual([]);
    expect(await page.getByText("$").count()).toBe(0);
    await page.goto(await (async () => house.gateway.url + (await person("support")))());
    await page.getByRole("dialog", { name: "support" }).waitFor();
    await settle(page);
    expect(await page.getByRole("button", { name: "Actions for support" }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("billing sees money and books credit, and changes nobody", async () => {
    await using opened = await house.open({ as: "billing", path: await person("ann"), width });
    const { page, faults } = opened;
    const drawer = page.getByRole("dialog", { name: "ann" });
    await drawer.getByText(/\$\d/).first().waitFor();
    await drawer.getByRole("button", { name: "Credit" }).waitFor();
    expect(await drawer.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
    expect(await drawer.getByRole("button", { name: "Actions for ann" }).count()).toBe(0);
    await drawer.getByRole("tab", { name: "Ledger" }).click();
    await drawer.getByText(amount).first().waitFor();
    expect(await page.getByRole("link", { name: "Channels" }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("read-only sees all of it, and has no button that changes anything", async () => {
    await using opened = await house.open({ as: "read-only", path: "/console/people", width });
    const { page, faults } = opened;
    await page.getByText("ann", { exact: true }).filter({ visible: true }).first().waitFor();
    for (const name of ["people", "channels", "prices", "groups", "roles", "codes", "virtual"]) {
      await page.goto(`${house.gateway.url}/console/${name}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settle(page);
      const made = page.getByRole("button", { name: /^(?:New|Add|Set|Create) / });
      expect([name, await made.count()]).toEqual([name, 0]);
    }
    expect(faults).toEqual([]);
  });
});
