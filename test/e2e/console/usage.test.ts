// The explorer of usage in the console, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../../harness/books.ts";
import { browserMsMax } from "../../harness/chromium.ts";
import { storedIn } from "../../harness/e2e/page.ts";
import { openTraffic, type Traffic } from "../../harness/e2e/traffic.ts";

setDefaultTimeout(60_000);

let traffic: Traffic;

beforeAll(async () => {
  traffic = await openTraffic();
}, browserMsMax);

afterAll(() => traffic?.[Symbol.asyncDispose]());

describe("the page of usage", () => {
  test("shows any metric by anything, added up or beside the range before", async () => {
    await using opened = await traffic.house.open({ path: "/console/usage" });
    const { page, faults } = opened;
    const totals = page.getByRole("table", { name: "Totals" });
    await totals.getByRole("row").filter({ hasText: "chatA" }).getByText("100 %").first().waitFor();
    await page.getByRole("img", { name: "Spend over time" }).waitFor();
    await page.getByLabel("Metric").selectOption({ label: "Requests" });
    await page.getByLabel("Group by").selectOption({ label: "by outcome" });
    await page.getByRole("img", { name: "Requests over time" }).waitFor();
    await totals.getByRole("row").filter({ hasText: "rejected" }).waitFor();
    await page.getByRole("button", { name: "15 min" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("Range before").first().waitFor();
    expect(page.url()).toContain("metric=requests&by=outcome&step=900&compare=1");
    await page.getByLabel("Metric").selectOption({ label: "First token, median" });
    await page.getByRole("img", { name: "First token, median beside the range before" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("groups the parts of one name once more, and leaves out what is not summed together", async () => {
    await using opened = await traffic.house.open({ path: "/console/usage?metric=requests" });
    const { page, faults } = opened;
    const totals = page.getByRole("table", { name: "Totals" });
    await totals.getByRole("link", { name: "chatA by channel" }).click();
    await page.getByRole("button", { name: "Remove filter Model: chatA" }).waitFor();
    expect(page.url()).toContain("metric=requests&model=chatA&by=channel");
    const options = await page.getByLabel("Group by").locator("option").allTextContents();
    expect(options).not.toContain("by model");
    await page.getByLabel("Group by").selectOption({ label: "by account" });
    await totals.getByRole("link", { name: "ann by key" }).click();
    await page.getByRole("button", { name: "Remove filter Account: ann" }).waitFor();
    await totals.getByRole("columnheader", { name: "Key" }).waitFor();
    expect(await page.getByLabel("Group by").textContent()).not.toContain("by channel");
    await page.getByRole("button", { name: "Clear all" }).click();
    await totals.getByRole("link", { name: "chatA", exact: true }).or(totals).first().waitFor();
    expect(new URL(page.url()).search).toBe("?metric=requests&by=key");
    expect(faults).toEqual([]);
  });

  test("keeps views by name, for the one who is signed in alone", async () => {
    await using opened = await traffic.house.open({ path: "/console/usage?metric=tokens&by=key" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Save this view" }).click();
    const dialog = page.getByRole("dialog", { name: "Save this view" });
    await dialog.getByLabel("Name").fill("Tokens <b>of keys</b>");
    await page.keyboard.press("Enter");
    await page.getByText("Tokens <b>of keys</b>").first().waitFor();
    await page.goto("/console/usage");
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Tokens <b>of keys</b>" }).click();
    await page.getByRole("img", { name: "Tokens over time" }).waitFor();
    expect(new URL(page.url()).search).toBe("?metric=tokens&by=key");
    const kept = (await storedIn(page)).filter(([name]) => name.includes("views"));
    expect(kept.map(([name]) => name)).toEqual(["sluice.views.root"]);
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Forget Tokens" }).click();
    await eventually("a list without that view", async () => {
      const stored = Object.fromEntries(await storedIn(page));
      return stored["sluice.views.root"] === "[]" || undefined;
    });
    expect(faults).toEqual([]);
  });

  test("gives the days as CSV, and the hours of the week", async () => {
    await using opened = await traffic.house.open({ path: "/console/usage?range=7d" });
    const { page, faults } = opened;
    await page.getByRole("group", { name: "Hours of the week" }).getByText("Mon").waitFor();
    const link = page.getByRole("link", { name: "CSV by day" });
    const file = await page.request.get((await link.getAttribute("href")) ?? "");
    expect(await file.text()).toContain("chatA");
    expect(faults).toEqual([]);
  });

  test("shows a member their own, and to one without any what to do", async () => {
    await traffic.house.addMember("bob");
    await using ann = await traffic.house.open({ as: "ann", path: "/console/usage" });
    await ann.page.getByRole("table", { name: "Totals" }).getByText("chatA").waitFor();
    expect(await ann.page.getByLabel("Group by").textContent()).not.toContain("channel");
    await using bob = await traffic.house.open({ as: "bob", path: "/console/usage" });
    await bob.page.getByRole("heading", { name: "Nothing was used in this range" }).waitFor();
    expect([...ann.faults, ...bob.faults]).toEqual([]);
  });

  test("says what failed, and tries again", async () => {
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page } = opened;
    let isFailing = true;
    await page.route("**/api/series?*", async (route) => {
      if (!isFailing) return await route.continue();
      const refusal = { success: false, message: "no", code: "overloaded", param: null };
      await route.fulfill({ json: refusal });
    });
    await page.goto("/console/usage");
    await page.getByRole("alert").getByText("too busy").waitFor();
    isFailing = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table", { name: "Totals" }).waitFor();
  });
});
