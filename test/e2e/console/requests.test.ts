// Requests and their traces in the console, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { openTraffic, vendorWords, type Traffic } from "../../harness/e2e/traffic.ts";

setDefaultTimeout(60_000);

let traffic: Traffic;

beforeAll(async () => {
  traffic = await openTraffic();
}, browserMsMax);

afterAll(() => traffic?.[Symbol.asyncDispose]());

describe("the page of requests", () => {
  test("lists what came with its totals, and narrows it by what is chosen", async () => {
    await using opened = await traffic.house.open({ path: "/console/requests" });
    const { page, faults } = opened;
    await page.getByText("4 requests", { exact: true }).waitFor();
    await page.getByText("1 failed", { exact: true }).waitFor();
    await page.getByRole("img", { name: "Requests over time" }).waitFor();
    await page.getByLabel("Outcome").selectOption({ label: "Failed" });
    await page.getByText("1 requests", { exact: true }).waitFor();
    expect(page.url()).toContain("outcome=failed");
    const row = page.getByRole("row").filter({ hasText: "no-such-model" });
    await row.getByText("503").waitFor();
    await page.getByRole("searchbox").fill("nothing-like-it");
    await page.getByRole("heading", { name: "No request matches" }).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("4 requests", { exact: true }).waitFor();
    const csv = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
    const file = await page.request.get(csv ?? "");
    expect((await file.text()).trim().split("\n")).toHaveLength(5);
    expect(faults).toEqual([]);
  });

  test("tells of one request each attempt, why it went there, and that its money adds up", async () => {
    const path = `/console/requests/${traffic.retriedId}`;
    await using opened = await traffic.house.open({ path });
    const { page, faults } = opened;
    const drawer = page.getByRole("dialog");
    await drawer.getByText(`failed: 503 ${vendorWords}`).waitFor();
    await drawer.getByText("attempt 1: failed").waitFor();
    await drawer.getByText("attempt 2: served").waitFor();
    await drawer.getByText("Rounded up once; equals the ledger").waitFor();
    await drawer.getByText("passed on as it was").waitFor();
    expect(await drawer.locator("img").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("opens, walks and closes traces by keyboard alone", async () => {
    await using opened = await traffic.house.open({ path: "/console/requests" });
    const { page, faults } = opened;
    await page.getByRole("table").getByRole("button").first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("heading", { name: "Facts" }).waitFor();
    const first = page.url();
    await page.keyboard.press("j");
    await page.waitForURL((url) => url.href !== first);
    await page.keyboard.press("k");
    await page.waitForURL(first);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  test("shows a request as it ends while it is live", async () => {
    await using opened = await traffic.house.open({ path: "/console/requests?model=chatA" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Live" }).click();
    await page.getByText("Live, newest first").waitFor();
    const before = await page.getByRole("row").count();
    await traffic.ask();
    await page.getByRole("row").nth(before).waitFor();
    expect(faults).toEqual([]);
  });

  test("shows a member only their own, without channels and vendors' words", async () => {
    const path = `/console/requests/${traffic.retriedId}`;
    await using opened = await traffic.house.open({ as: "ann", path });
    const { page, faults } = opened;
    await page.getByRole("dialog").getByText("Attempt 1").waitFor();
    await page.getByRole("dialog").getByText("equals the ledger").waitFor();
    const shown = await page.content();
    for (const secret of ["overloaded", "cheap", "Any channel"])
      expect(shown).not.toContain(secret);
    expect(faults).toEqual([]);
  });

  test("captures the next request of a key, and shows both sides of it to who may", async () => {
    const path = `/console/requests/${traffic.retriedId}`;
    await using opened = await traffic.house.open({ as: "ann", path });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Capture the next requests" }).click();
    const form = page.getByRole("dialog", { name: "Capture the next requests" });
    await form.getByLabel("Requests").fill("50");
    await form.getByRole("button", { name: "Capture", exact: true }).click();
    await form.getByText("requests").first().waitFor();
    await form.getByLabel("Requests").fill("1");
    await form.getByRole("button", { name: "Capture", exact: true }).click();
    await page.getByText("captured for ann: ann laptop, 0 / 1").waitFor();
    const content = "<img src=x onerror=alert(1)> mail me at ann@home.example";
    const id = await traffic.ask({ messages: [{ role: "user", content }] });
    await page.goto(`/console/requests/${id}`);
    await page.getByRole("button", { name: "Show content" }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByText("<img src=x onerror=alert(1)> mail me at [email]").waitFor();
    await drawer.getByText('"content": "Hello"').waitFor();
    expect(await drawer.locator("img").count()).toBe(0);
    expect(await page.getByText("captured for ann").count()).toBe(0);
    await using root = await traffic.house.open({ path: `/console/requests/${id}` });
    await root.page.getByRole("button", { name: "Show content" }).click();
    await root.page.getByRole("button", { name: "main", exact: true }).click();
    await root.page.getByText("The client got just what came.").waitFor();
    expect([...faults, ...root.faults]).toEqual([]);
  });

  test("says what failed, and tries again", async () => {
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page } = opened;
    let isFailing = true;
    await page.route("**/api/log?*", async (route) => {
      if (!isFailing) return await route.continue();
      const refusal = { success: false, message: "no", code: "overloaded", param: null };
      await route.fulfill({ json: refusal });
    });
    await page.goto("/console/requests");
    await page.getByRole("alert").getByText("too busy").waitFor();
    isFailing = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table", { name: "Requests" }).waitFor();
  });
});
