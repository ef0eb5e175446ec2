// Organisations in the console for whoever runs the gateway and is in none of them.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { newCompany } from "../../../harness/accounts/organisation.ts";
import { browserMsMax } from "../../../harness/chromium.ts";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole();
  const { id, as, people } = await newCompany(house.gateway, "acme");
  await people.owner.ask("POST", `/api/organisation/${id}/project`, { name: "atlas" });
  const budget = { name: "monthly", scope: "account", limit_micros: 4_000_000 };
  await people.owner.ask("POST", `/api/budget?${as}`, budget);
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

test.each([{ width: 1440 }, { width: 390 }])(
  "the page Organisation lists them all, and each opens: %o",
  async (look) => {
    await using opened = await house.open({ ...look, path: "/console/organisation" });
    const { page, faults } = opened;
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "acme" }) });
    await row.waitFor();
    expect(await page.getByText("You are not in an organisation").count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
    await row.getByRole("link", { name: "acme" }).click();
    const drawer = page.getByRole("dialog", { name: "acme" });
    await drawer.getByRole("link", { name: "acme-viewer" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await drawer.getByRole("tab", { name: "Projects" }).click();
    await drawer.getByText("atlas", { exact: true }).waitFor();
    await drawer.getByRole("tab", { name: "Budgets" }).click();
    await drawer.getByRole("link", { name: "monthly" }).waitFor();
    expect(await sidewaysOf(page)).toBe(0);
    expect(faults).toEqual([]);
  },
);

test("the page People marks them, and offers nothing of sign-in for them", async () => {
  await using opened = await house.open({ path: "/console/people?kind=organisation" });
  const { page, faults } = opened;
  const row = page.getByRole("row").filter({ hasText: "acme" });
  await row.getByText("organisation", { exact: true }).waitFor();
  expect(await row.count()).toBe(1);
  await row.click();
  const drawer = page.getByRole("dialog", { name: "acme" });
  await drawer.getByRole("tab", { name: "Members" }).waitFor();
  expect(await drawer.getByRole("tab", { name: "Sign-in methods" }).count()).toBe(0);
  await drawer.getByRole("button", { name: "Actions for acme" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Sign out everywhere" }).count()).toBe(0);
  expect(faults).toEqual([]);
});
