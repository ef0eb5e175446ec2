// Running requests, in the console in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { openTraffic, type Traffic } from "../../harness/e2e/traffic.ts";

setDefaultTimeout(60_000);

let traffic: Traffic;

beforeAll(async () => {
  traffic = await openTraffic();
}, browserMsMax);

afterAll(() => traffic?.[Symbol.asyncDispose]());

describe("the live page", () => {
  test("shows nothing as nothing, then a request that runs, and stops it by keyboard", async () => {
    await using opened = await traffic.house.open({ path: "/console/live" });
    const { page, faults } = opened;
    await page.getByRole("heading", { name: "Nothing is running" }).waitFor();
    const ended = traffic.ask({ model: "chatB", stream: true });
    const row = page.getByRole("row").filter({ hasText: "chatB" });
    await row.getByText("endless").waitFor();
    await row.getByText("ann laptop").waitFor();
    await row.getByText(/^[1-9]\d* B$/).waitFor();
    await row.getByRole("button", { name: /^Stop req_/ }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Stop this request to chatB?" });
    await dialog.getByText("charged for what it got so far").waitFor();
    await dialog.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Request to chatB stopped").waitFor();
    await page.getByRole("heading", { name: "Nothing is running" }).waitFor();
    expect(await ended).toStartWith("req_");
    expect(faults).toEqual([]);
  });

  test("is not there for a member", async () => {
    await using opened = await traffic.house.open({ as: "ann", path: "/console/live" });
    const { page, faults } = opened;
    await page.getByText("Page not found").first().waitFor();
    expect(await page.getByRole("link", { name: "Live" }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("says what failed until it works again by itself", async () => {
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page } = opened;
    let isFailing = true;
    await page.route("**/api/inflight?*", async (route) => {
      if (!isFailing) return await route.continue();
      const refusal = { success: false, message: "no", code: "overloaded", param: null };
      await route.fulfill({ json: refusal });
    });
    await page.goto("/console/live");
    await page.getByRole("alert").getByText("too busy").waitFor();
    isFailing = false;
    await page.getByRole("heading", { name: "Nothing is running" }).waitFor();
  });
});
