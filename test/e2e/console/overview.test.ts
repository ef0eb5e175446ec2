// The overview in the console, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { sidewaysOf } from "../../harness/e2e/console.ts";
import { Vendor } from "../../harness/vendor.ts";
import { settle } from "../../harness/e2e/walk.ts";
import { openTraffic, type Traffic } from "../../harness/e2e/traffic.ts";

setDefaultTimeout(60_000);

let traffic: Traffic;

beforeAll(async () => {
  traffic = await openTraffic();
}, browserMsMax);

afterAll(() => traffic?.[Symbol.asyncDispose]());

describe("the overview", () => {
  test("shows an admin what was used, how channels did by attempts, and what failed", async () => {
    await using opened = await traffic.house.open({ path: "/" });
    const { page, faults } = opened;
    await page.getByText("75.00 %", { exact: true }).waitFor();
    await page.getByRole("img", { name: "Spend over time" }).waitFor();
    const channels = page.getByRole("table", { name: "Channels" });
    await channels
      .getByRole("row")
      .filter({ hasText: "cheap" })
      .getByText("0 %", { exact: true })
      .waitFor();
    await channels
      .getByRole("row")
      .filter({ hasText: "main" })
      .getByText("100 %", { exact: true })
      .waitFor();
    // The step that is not over is in the sparkline too.
    expect(await page.locator(".tile svg path.open").count()).toBeGreaterThan(2);
    await page.getByRole("img", { name: "Failed requests over time" }).waitFor();
    await page.getByRole("button", { name: "Tokens" }).click();
    await page.getByRole("button", { name: "Key", exact: true }).click();
    await page.getByRole("link", { name: "ann laptop" }).waitFor();
    expect(page.url()).toContain("show=tokens&by=key");
    const failures = page.getByRole("table", { name: "Recent failures" });
    await failures.getByRole("button").first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("no channel was used").waitFor();
    expect(faults).toEqual([]);
  });

  test("shows a member their balance, where to call, and a quiet range as what it is", async () => {
    await traffic.house.addMember("bob");
    await using opened = await traffic.house.open({ as: "bob", path: "/" });
    const { page, faults } = opened;
    await page.getByText("No traffic in this range").waitFor();
    await page.getByText("$5.00", { exact: true }).waitFor();
    await page.getByText(`${traffic.house.gateway.url}/v1`).waitFor();
    await page.getByRole("heading", { name: "No failures" }).waitFor();
    expect(await page.getByRole("table", { name: "Channels" }).count()).toBe(0);
    await page.getByRole("region", { name: "First steps" }).waitFor();
    await using ann = await traffic.house.open({ as: "ann", path: "/" });
    await settle(ann.page);
    expect(await ann.page.getByRole("region", { name: "First steps" }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("puts money first for whoever has none, with the way to more beside it", async () => {
    const { house } = traffic;
    await house.addMember("new", 0);
    type Made = { items: { code: string }[] };
    const offer = { name: "welcome", micros: 2_000_000, count: 1 };
    const made = await house.gateway.control<Made>("POST", "/api/redemption", offer);
    for (const width of [1440, 390] as const) {
      await using opened = await house.open({ as: "new", path: "/", width });
      const { page } = opened;
      const titles = page.getByRole("main").getByRole("heading", { level: 2 });
      await page.getByRole("heading", { name: "Balance" }).waitFor();
      expect(await titles.first().textContent()).toBe("Balance");
      const steps = page.getByRole("region", { name: "First steps" });
      const isFirst = width === 1440;
      await steps.getByText(isFirst ? "0 of 3 done" : "1 of 3 done").waitFor();
      const next = isFirst ? "/console/account" : "/console/keys?new=1";
      const link = steps.getByRole("link", { name: "Continue" });
      expect(await link.getAttribute("href")).toBe(next);
      await page.getByLabel("Code").fill(made.items[0]?.code ?? "");
      await page.getByRole("button", { name: "Redeem a code" }).click();
      const told = isFirst ? "$2.00 added" : "You have used this code already";
      await page.getByText(told).filter({ visible: true }).waitFor();
      await page.locator(".balance").getByText("$2.00", { exact: true }).waitFor();
      await steps.getByText("1 of 3 done").waitFor();
      expect(await sidewaysOf(page)).toBe(0);
    }
  });

  test("says what could not be loaded, what stands in the way, and tries again", async () => {
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page } = opened;
    let isFailing = true;
    await page.route("**/api/series?*", async (route) => {
      if (!isFailing) return await route.continue();
      const refusal = { success: false, message: "no", code: "overloaded", param: null };
      await route.fulfill({ json: refusal });
    });
    await page.route("**/api/status", async (route) => {
      const data = { obstacles: ["the disk is full"] };
      await route.fulfill({ json: { success: true, message: "", data } });
    });
    await page.goto("/");
    await page.getByRole("alert").getByText("the disk is full").waitFor();
    await page.getByText("The gateway is too busy right now.").first().waitFor();
    isFailing = false;
    await page.getByRole("button", { name: "Try again" }).first().click();
    await page.getByText("75.00 %", { exact: true }).waitFor();
  });

  test("keeps all of what failed within its card, and moments and statuses whole", async () => {
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page, faults } = opened;
    await page.route("**/api/log?*", async (route) => {
      const reply = await route.fetch();
      const answer = (await reply.json()) as { data: { items: object[] } };
      const [row] = answer.data.items;
      const long = {
        error_code: "insufficient_user_quota",
        model: "a-vendor/a-long-model-20260101",
      };
      const times = [0, 86_400 * 40].map((ago) => ({ time: Math.floor(Date.now() / 1000) - ago }));
      const items = times.map((time, at) => ({
        ...row,
        ...long,
        ...time,
        request_id: `req_${at}`,
      }));
      await route.fulfill({ json: { ...answer, data: { ...answer.data, items } } });
    });
    await page.goto("/");
    const table = page.getByRole("table", { name: "Recent failures" });
    await table.getByText("insufficient_user_quota").first().waitFor();
    const isWithin = await table.evaluate((element) => {
      const shown = element as unknown as Placed;
      const { right } = shown.parentElement.getBoundingClientRect();
      return shown.getBoundingClientRect().right <= right + 1;
    });
    expect(isWithin).toBe(true);
    const cut = await table
      .locator("td:nth-child(-n+2)")
      .evaluateAll(
        (cells) =>
          (cells as unknown as Shown[]).filter((one) => one.scrollWidth > one.clientWidth).length,
      );
    expect(cut).toBe(0);
    expect(faults).toEqual([]);
  });

  test("keeps each figure in one line on a phone, also beside how it moved", async () => {
    await using opened = await traffic.house.open({ path: "/console/account", width: 390 });
    const { page, faults } = opened;
    await page.route("**/api/series?*", async (route) => {
      const reply = await route.fetch();
      const answer = (await reply.json()) as SeriesReply;
      const { data } = answer;
      const [point] = data.series.flatMap(({ points }) => points);
      const sums = { ...point, requests: 1_234_567, failures: 12, micros: 4_839_123_456 };
      const first_byte = { p50: 88_123, p95: 99_000, p99: 99_500 };
      const moments = Array.from({ length: 20 }, (_, at) => data.from + at * data.step);
      const points = moments.map((at) => ({ ...sums, first_byte, at }));
      const series = [{ name: "chatA", label: null, points }];
      await route.fulfill({
        json: { ...answer, data: { ...data, sum: { ...sums, first_byte }, series } },
      });
    });
    await page.goto("/");
    await page.locator(".tile > svg").nth(3).waitFor();
    const wrong = await page.locator(".tile .value").evaluateAll((values) =>
      (values as unknown as Shown[]).flatMap((one) => {
        const isCut = one.scrollWidth > one.clientWidth;
        return isCut || one.clientHeight > 32 ? [one.textContent] : [];
      }),
    );
    expect(wrong).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
    expect(faults).toEqual([]);
  });

  test("leads from a channel to its last 30 days: attempts, speed and what it came to", async () => {
    for (const width of [1440, 390] as const) {
      await using opened = await traffic.house.open({ path: "/", width });
      const { page, faults } = opened;
      await page.getByRole("link", { name: "main", exact: true }).click();
      const history = page.getByRole("region", { name: "Last 30 days" });
      await history.getByRole("img", { name: "100 % of 3 attempts" }).waitFor();
      await history.getByRole("img", { name: "First token, median over time" }).waitFor();
      await history.getByText("Charged", { exact: true }).waitFor();
      await history
        .getByText(/^\d+ ms/)
        .first()
        .waitFor();
      expect(await sidewaysOf(page)).toBe(0);
      expect(faults).toEqual([]);
    }
  });

  test("tells of a channel that refuses everything, though no attempt failed by its fault", async () => {
    using refusing = new Vendor((_request, reply) =>
      reply.json({ error: { message: "no", type: "invalid_request_error" } }, 400),
    );
    const { house, ask } = traffic;
    const fields = refusing.channel({
      name: "strict-and-rather-long-name-of-it",
      models: ["chatC"],
    });
    await house.gateway.control("POST", "/api/channel", fields);
    await ask({ model: "chatC" });
    await using opened = await house.open({ path: "/" });
    const { page, faults } = opened;
    const row = page.getByRole("row").filter({ hasText: "strict" });
    await row.getByText("1 failed overall").waitFor();
    await row.getByText("of 1", { exact: true }).waitFor();
    // The name gives way, not the number at the edge.
    const table = page.getByRole("table", { name: "Channels" });
    const spend = await table.getByRole("columnheader", { name: "Spend" }).boundingBox();
    const card = await table.locator("xpath=ancestor::*[contains(@class,'card')]").boundingBox();
    const edge = (card?.x ?? 0) + (card?.width ?? 0);
    expect((spend?.x ?? edge) + (spend?.width ?? 0)).toBeLessThanOrEqual(edge + 1);
    await page.goto("/console/channels");
    await page.getByRole("row").filter({ hasText: "strict" }).getByText("1 failed").waitFor();
    const warning = page.getByRole("table").getByText("1 failed overall");
    for (const width of [1440, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const column = await warning.locator("xpath=ancestor::td").boundingBox();
      const shown = await warning.boundingBox();
      const end = (column?.x ?? 0) + (column?.width ?? 0);
      expect((shown?.x ?? end) + (shown?.width ?? 0)).toBeLessThanOrEqual(end);
    }
    expect(await sidewaysOf(page)).toBe(0);
    expect(faults).toEqual([]);
  });
});

interface SeriesReply {
  data: { from: number; step: number; series: { points: object[] }[] };
}

/** Place of an element, and of the one around it. */
interface Placed {
  parentElement: Placed;
  getBoundingClientRect(): { right: number };
}

/** Part of an element that is looked at. */
interface Shown {
  textContent: string;
  scrollWidth: number;
  clientWidth: number;
  clientHeight: number;
}
