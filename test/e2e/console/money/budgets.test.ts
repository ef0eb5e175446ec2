// Budgets in the console, in a real browser: made, spent, raised, begun anew, and beside keys.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../../harness/chromium.ts";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { sidewaysOf } from "../../../harness/e2e/console.ts";
import { openTraffic, type Traffic } from "../../../harness/e2e/traffic.ts";

setDefaultTimeout(60_000);

let traffic: Traffic;

beforeAll(async () => {
  traffic = await openTraffic();
}, browserMsMax);

afterAll(() => traffic?.[Symbol.asyncDispose]());

describe("budgets", () => {
  test("are made by a form that shows what its period needs, and spent by requests", async () => {
    await using opened = await traffic.house.open({ path: "/console/budgets" });
    const { page, faults } = opened;
    await page.getByRole("heading", { name: "No budgets yet" }).waitFor();
    await page.getByRole("button", { name: "New budget" }).first().click();
    const form = page.getByRole("dialog", { name: "New budget" });
    await form.getByLabel("Name").fill("first trial");
    await form.getByLabel("Account").fill("ann");
    await form.getByLabel("Limit").fill("5");
    expect(await form.getByLabel("Hours", { exact: true }).count()).toBe(0);
    await form.getByLabel("Period", { exact: true }).selectOption("hours");
    await form.getByLabel("Hours", { exact: true }).fill("5");
    expect(await axeFindings(page)).toEqual([]);
    await form.getByRole("button", { name: "New budget" }).click();
    await page.getByRole("cell", { name: "first trial" }).waitFor();
    await traffic.ask({});
    await page.reload();
    await page.getByRole("row").filter({ hasText: "first trial" }).getByRole("button").click();
    const drawer = page.getByRole("dialog", { name: "first trial" });
    await drawer
      .getByText(/^\$0\.00\d+ of \$5\.00$/)
      .first()
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("have a window that is raised, and begun anew", async () => {
    await using opened = await traffic.house.open({ path: "/console/budgets" });
    const { page, faults } = opened;
    await page.getByRole("row").filter({ hasText: "first trial" }).getByRole("button").click();
    const drawer = page.getByRole("dialog", { name: "first trial" });
    await drawer.getByRole("button", { name: "Change this window's limit" }).click();
    const raise = page.getByRole("dialog", { name: /for this window/ });
    await raise.getByLabel("Limit").fill("9");
    await raise.getByRole("button", { name: "Save" }).click();
    await drawer
      .getByText(/ of \$9\.00/)
      .first()
      .waitFor();
    await drawer.getByRole("button", { name: "Reset" }).click();
    await page
      .getByRole("dialog", { name: /^Reset first trial/ })
      .getByRole("button", { name: "Reset" })
      .click();
    await drawer.getByText("Starts with the next request").waitFor();
    expect(faults).toEqual([]);
  });

  test("stand beside keys with those of their account", async () => {
    await using opened = await traffic.house.open({ as: "ann", path: "/console/keys" });
    const { page, faults } = opened;
    await page.getByRole("columnheader", { name: "Budget" }).waitFor();
    await page.getByRole("row").nth(1).getByRole("button").first().click();
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("heading", { name: "Budgets" }).waitFor();
    await drawer.getByText("first trial").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("of channels are made by those who run the gateway, and offered to nobody else", async () => {
    await using opened = await traffic.house.open({ path: "/console/budgets" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "New budget" }).first().click();
    const form = page.getByRole("dialog", { name: "New budget" });
    await form.getByLabel("Name").fill("contract");
    await form.getByLabel("Limit").fill("5");
    await form.getByLabel("Applies to", { exact: true }).selectOption("channel");
    await form.getByLabel("Which one").fill("main");
    expect(await form.getByLabel("Account").count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await form.getByRole("button", { name: "New budget" }).click();
    await page.getByRole("row").filter({ hasText: "channel main" }).waitFor();
    await using theirs = await traffic.house.open({ as: "ann", path: "/console/budgets" });
    await theirs.page.getByRole("button", { name: "New budget" }).first().click();
    const own = theirs.page.getByRole("dialog", { name: "New budget" });
    const scopes = own.getByLabel("Applies to", { exact: true }).locator("option");
    expect(await scopes.allTextContents()).not.toContain("channels");
    expect([...faults, ...theirs.faults]).toEqual([]);
  });

  test("of each have one of their windows raised and begun anew, and no other", async () => {
    const each = { name: "each key", account: "ann", scope: "key", limit_micros: 4_000_000 };
    await traffic.house.gateway.control("POST", "/api/budget", each);
    await traffic.ask({});
    await using opened = await traffic.house.open({ path: "/console/budgets", width: 390 });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "each key", exact: true }).click();
    const drawer = page.getByRole("dialog", { name: "each key" });
    const act = async (name: string) => {
      await drawer.getByRole("button", { name: "Actions for ann laptop" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await act("Change this window's limit");
    const raise = page.getByRole("dialog", { name: "Limit of each key, ann laptop" });
    await raise.getByLabel("Limit").fill("7");
    expect(await axeFindings(page)).toEqual([]);
    await raise.getByRole("button", { name: "Save" }).click();
    await drawer
      .getByText(/ of \$7\.00$/)
      .first()
      .waitFor();
    await act("Reset");
    const renew = page.getByRole("dialog", { name: "Reset each key, ann laptop?" });
    await renew.getByRole("button", { name: "Reset" }).click();
    await drawer
      .getByRole("button", { name: "Actions for ann laptop" })
      .waitFor({ state: "detached" });
    await traffic.ask({});
    await page.reload();
    await drawer
      .getByText(/ of \$4\.00$/)
      .first()
      .waitFor();
    expect(await drawer.getByText(/ of \$7\.00$/).count()).toBeGreaterThan(0);
    expect(await sidewaysOf(page)).toBe(0);
    expect(faults).toEqual([]);
  });

  test("are for phones, and in Chinese", async () => {
    const visit = { path: "/console/budgets", width: 390, language: "zh" } as const;
    await using opened = await traffic.house.open(visit);
    const { page, faults } = opened;
    await page.getByText("first trial").click();
    await page.getByRole("heading", { name: "历史周期" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
    expect(faults).toEqual([]);
  });
});
