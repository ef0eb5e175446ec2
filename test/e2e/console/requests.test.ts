// Requests and their traces in the console, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { openTraffic, vendorWords, type Traffic } from "../../harness/e2e/traffic.ts";
import { settle } from "../../harness/e2e/walk.ts";
import { beyondEdge } from "../../harness/e2e/widths.ts";

setDefaultTimeout(60_000);

/** The part of an element that the functions need that run inside the page. */
interface Part {
  scrollWidth: number;
  clientWidth: number;
  parentElement: Part;
  getBoundingClientRect(): { top: number; bottom: number; right: number };
}

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
    await page.getByText("1 request", { exact: true }).waitFor();
    expect(page.url()).toContain("outcome=failed");
    // The chart is of the same.
    await page.getByRole("img", { name: "Requests over time" }).waitFor();
    const sums = await page.request.get("/api/series?failed=true");
    expect(await sums.json()).toMatchObject({ data: { sum: { requests: 1, failures: 1 } } });
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

  test("names the account that pays, and narrows the list to one", async () => {
    await using opened = await traffic.house.open({ path: "/console/requests" });
    const { page, faults } = opened;
    await page.getByRole("columnheader", { name: "Account" }).waitFor();
    await page.getByLabel("Any key").locator("option", { hasText: "ann laptop (ann)" }).waitFor({
      state: "attached",
    });
    await page.getByLabel("Any account").selectOption({ label: "ann" });
    await page.waitForURL((url) => url.searchParams.get("account") === "ann");
    await page.getByRole("cell", { name: "ann", exact: true }).first().waitFor();
    await page.goto("/console/usage?by=key");
    const row = page.getByRole("row").filter({ hasText: "ann laptop" });
    await row.getByText("ann", { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  test("has a list, totals, a chart and a file of the same stretch of time", async () => {
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page, faults } = opened;
    for (const range of ["1h", "24h", "7d", "30d"]) {
      const asked = ["/api/log", "/api/series"].map((path) =>
        page.waitForRequest((request) => {
          const { pathname, searchParams } = new URL(request.url());
          return pathname === path && !searchParams.has("by");
        }),
      );
      await page.goto(`/console/requests?range=${range}`);
      const froms = (await Promise.all(asked)).map((request) => fromOf(request.url()));
      const csv = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
      const file = fromOf(new URL(csv ?? "", page.url()).href);
      expect([range, new Set([...froms, file]).size]).toEqual([range, 1]);
    }
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
    await drawer.getByText("Rounded up once; matches the ledger").waitFor();
    await drawer.getByText("passed through unchanged").waitFor();
    expect(await drawer.locator("img").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("opens, walks and closes traces by keyboard alone", async () => {
    await using opened = await traffic.house.open({ path: "/console/requests" });
    const { page, faults } = opened;
    await page.getByRole("table").getByRole("button").first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("heading", { name: "Details" }).waitFor();
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
    await page.getByText(`${before - 1} requests`, { exact: true }).waitFor();
    await traffic.ask();
    await page.getByRole("row").nth(before).waitFor();
    await page.getByText(`${before} requests`, { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  test("shows a member only their own, without channels and vendors' words", async () => {
    const path = `/console/requests/${traffic.retriedId}`;
    await using opened = await traffic.house.open({ as: "ann", path });
    const { page, faults } = opened;
    await page.getByRole("dialog").getByText("Attempt 1").waitFor();
    await page.getByRole("dialog").getByText("matches the ledger").waitFor();
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
    await page.getByText("ann is capturing request content: ann laptop, 0 / 1").waitFor();
    const content = "<img src=x onerror=alert(1)> mail me at ann@home.example";
    const id = await traffic.ask({ messages: [{ role: "user", content }] });
    await page.goto(`/console/requests/${id}`);
    await page.getByRole("button", { name: "Show content" }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByText("<img src=x onerror=alert(1)> mail me at [email]").waitFor();
    await drawer.getByText('"content": "Hello"').waitFor();
    expect(await drawer.locator("img").count()).toBe(0);
    expect(await page.getByText("ann is capturing").count()).toBe(0);
    await using root = await traffic.house.open({ path: `/console/requests/${id}` });
    await root.page.getByRole("button", { name: "Show content" }).click();
    await root.page.getByRole("button", { name: "main", exact: true }).click();
    await root.page.getByText("The client received the same response.").waitFor();
    await root.page.goto("/console/requests");
    await root.page.getByRole("button", { name: "Capture", exact: true }).click();
    const choice = root.page.getByRole("dialog").getByLabel("Key", { exact: true });
    await choice.locator("option", { hasText: "ann laptop (ann)" }).waitFor({ state: "attached" });
    await root.page.getByRole("dialog").getByText("ann laptop (ann)").last().waitFor();
    expect([...faults, ...root.faults]).toEqual([]);
  });

  test("keeps cost and total in sight at every width, however long the names are", async () => {
    const { house, ask, key } = traffic;
    const model = "vendor/family-with-a-long-name-instruct-2026-11-18";
    const { items } = await house.gateway.control<{ items: { id: string; name: string }[] }>(
      "GET",
      "/api/channel?q=main",
    );
    const path = `/api/channel/${items[0]?.id}`;
    await house.gateway.control("PATCH", path, {
      name: "main-vendor-in-frankfurt-zone",
      models: ["chatA", model],
    });
    await house.gateway.control("POST", "/api/price", {
      model,
      input_micros_per_million: 1000,
      output_micros_per_million: 1000,
    });
    const keys = await house.gateway.control<{ items: { id: string }[] }>("GET", "/api/token");
    const name = "nightly reports of the Hamburg office";
    await house.gateway.control("PATCH", `/api/token/${keys.items[0]?.id}`, { name });
    expect(key).toStartWith("sk-");
    await ask({ model });
    for (const path of ["/console/requests", "/console/ledger", "/console/usage", "/"]) {
      await using opened = await house.open({ path });
      await settle(opened.page);
      for (const width of [1024, 1280, 1440])
        expect([path, await beyondEdge(opened.page, width)]).toEqual([path, []]);
    }
  });

  test("shows a model's whole name at 1024, and what is beside it whole or not at all", async () => {
    const { house } = traffic;
    const messages = [{ role: "user", content: "Hello" }];
    const body = { model: "claude-haiku-4", messages };
    await (await house.gateway.post("/v1/chat/completions", body, traffic.key)).text();
    await using opened = await house.open({ path: "/console/requests", width: 1280 });
    await opened.page.setViewportSize({ width: 1024, height: 900 });
    await settle(opened.page);
    const cell = opened.page.locator("tbody td").filter({ hasText: body.model });
    await cell.waitFor();
    const ends = await cell.locator("span.strong, span.faint").evaluateAll((parts: Part[]) =>
      parts.map((part) => {
        const line = part.parentElement.getBoundingClientRect();
        const own = part.getBoundingClientRect();
        const isCut = part.scrollWidth > part.clientWidth && part.clientWidth > 0;
        return own.top < line.bottom && (isCut || own.right > line.right + 1);
      }),
    );
    expect(ends).toEqual([false, false]);
  });

  test("has its filters as wide as what is chosen, in one line", async () => {
    await using opened = await traffic.house.open({ path: "/console/requests", width: 1280 });
    const { page } = opened;
    await page.getByRole("combobox", { name: "Key" }).waitFor();
    const filters = page.getByRole("main").locator("select:visible, [type=search]:visible");
    const boxes = await Promise.all((await filters.all()).map((one) => one.boundingBox()));
    expect(boxes.length).toBeGreaterThan(5);
    const middles = boxes.map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2));
    expect(new Set(middles).size).toBe(1);
  });

  test("has its filters folded on a phone, and open where one is set", async () => {
    await using opened = await traffic.house.open({ path: "/console/requests", width: 390 });
    const { page, faults } = opened;
    await page.getByText("Filters", { exact: true }).waitFor();
    const choices = page.getByRole("main").locator("select:visible");
    expect(await choices.count()).toBe(0);
    await page.getByText("Filters", { exact: true }).click();
    await page.getByRole("combobox", { name: "Key" }).waitFor();
    expect(await choices.count()).toBeGreaterThan(4);
    await page.goto("/console/requests?model=chatA");
    await page.getByRole("combobox", { name: "Key" }).waitFor();
    expect(faults).toEqual([]);
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

function fromOf(url: string): string | null {
  return new URL(url).searchParams.get("from");
}
