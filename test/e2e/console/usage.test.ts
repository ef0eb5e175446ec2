// The explorer of usage in the console, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../../harness/books.ts";
import { browserMsMax } from "../../harness/chromium.ts";
import { sidewaysOf } from "../../harness/e2e/console.ts";
import { storedIn } from "../../harness/e2e/page.ts";
import { openTraffic, type Traffic } from "../../harness/e2e/traffic.ts";

setDefaultTimeout(60_000);

let traffic: Traffic;

beforeAll(async () => {
  traffic = await openTraffic();
}, browserMsMax);

afterAll(() => traffic?.[Symbol.asyncDispose]());

interface SeriesData {
  step: number;
  series: { points: { at: number }[] }[];
}

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
    await page.getByText("Previous period").first().waitFor();
    expect(page.url()).toContain("metric=requests&by=outcome&step=900&compare=1");
    await page.getByLabel("Metric").selectOption({ label: "First token, median" });
    await page.getByRole("img", { name: "First token, median vs previous period" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("draws the step under way apart from a line of what is over", async () => {
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page, faults } = opened;
    await page.route("**/api/series?*", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: SeriesData };
      // The last hour once more, as the one before it.
      for (const { points } of body.data.series)
        points.push(...points.map((point) => ({ ...point, at: point.at - body.data.step })));
      await route.fulfill({ response: answer, json: body });
    });
    await page.goto("/console/usage?metric=total");
    const chart = page.getByRole("img", { name: "Total time, median over time" });
    await chart.locator("path[stroke-dasharray]").first().waitFor({ state: "attached" });
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

  test("shows days that were chosen, and takes them along to what is behind a name", async () => {
    for (const width of [1440, 390] as const) {
      await using opened = await traffic.house.open({ path: "/console/usage", width });
      const { page, faults } = opened;
      const totals = page.getByRole("table", { name: "Totals" });
      const chatA = totals.getByRole("link", { name: "chatA", exact: true });
      await chatA.waitFor();
      await page.getByRole("button", { name: "Dates" }).click();
      const today = await page.getByLabel("To day").inputValue();
      await page.getByLabel("To day").fill("2020-01-31");
      await page.getByLabel("From day").fill("2020-01-02");
      await page.getByText("No usage in this range").waitFor();
      expect(new URL(page.url()).search).toBe("?from=2020-01-02&to=2020-02-01");
      await page.getByLabel("To day").fill(today);
      await page.getByLabel("From day").fill(today);
      await chatA.click();
      await page.getByText("3 requests", { exact: true }).waitFor();
      expect(new URL(page.url()).searchParams.get("from")).toBe(today);
      expect(await page.getByRole("button", { name: "Live" }).count()).toBe(0);
      await page.getByRole("button", { name: "24h" }).click();
      expect(new URL(page.url()).search).toBe("?model=chatA");
      expect(await sidewaysOf(page)).toBe(0);
      expect(faults).toEqual([]);
    }
  });

  test("ends its totals in their sum, with amounts of two digits or more", async () => {
    await using opened = await traffic.house.open({ path: "/console/usage?by=model" });
    const totals = opened.page.getByRole("table", { name: "Totals" });
    const last = totals.locator("tfoot tr");
    await last.waitFor();
    expect(await last.locator("td").nth(1).textContent()).toBe("4");
    const spent = totals.locator("tr > :nth-child(7)");
    const texts = (await spent.allTextContents()).filter((text) => text.startsWith("$"));
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.filter((text) => !/^\$[\d,]+\.\d{2,}$/.test(text))).toEqual([]);
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
    await page.getByRole("menuitem", { name: "Delete Tokens" }).click();
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
    await bob.page.getByRole("heading", { name: "No usage in this range" }).waitFor();
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
