// Every link that a page of numbers makes, followed in a real browser: behind it are the numbers of
// what it names, or words about why not, and never those of something else.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax, type Page } from "../../harness/chromium.ts";
import { refuse } from "../../harness/e2e/answers.ts";
import { openCustomers, type Customers } from "../../harness/e2e/customers.ts";
import { goTo, settle } from "../../harness/e2e/walk.ts";

setDefaultTimeout(120_000);

let customers: Customers;

beforeAll(async () => {
  customers = await openCustomers();
}, browserMsMax);

afterAll(() => customers?.[Symbol.asyncDispose]());

interface Line {
  text: string;
  requests: number;
  /** To the requests, and to the parts; null where there is none. */
  href: string | null;
  parts: string | null;
}

async function linesOf(page: Page): Promise<Line[]> {
  const rows = page.getByRole("table", { name: "Totals" }).locator("tbody tr");
  await rows.first().waitFor();
  await settle(page);
  return await Promise.all(
    Array.from({ length: await rows.count() }, async (_, at) => {
      const row = rows.nth(at);
      const cells = await row.locator("td").allTextContents();
      const hrefs = async (selector: string) =>
        (await row.locator(selector).count()) === 0
          ? null
          : await row.locator(selector).first().getAttribute("href");
      return {
        text: cells[0] ?? "",
        requests: Number(cells[1]),
        href: await hrefs("a.strong"),
        parts: await hrefs("a.parts"),
      };
    }),
  );
}

const sum = (lines: readonly Line[]) => lines.reduce((all, { requests }) => all + requests, 0);

describe("a name in usage", () => {
  const sides = ["model", "channel", "account", "key", "group", "format", "outcome"] as const;
  test.each(sides)("leads to its own requests and its own parts, by %s", async (side) => {
    await using opened = await customers.house.open({ path: `/console/usage?by=${side}` });
    const { page, faults } = opened;
    const lines = await linesOf(page);
    const named = lines.filter(({ href }) => href !== null);
    expect(named.length).toBeGreaterThan(0);
    for (const { text, requests, href, parts } of named) {
      await goTo(page, href ?? "");
      const total = page.locator(".totals").getByText(new RegExp(`^${requests} requests?$`));
      await total.waitFor();
      expect([text, await page.getByRole("alert").count()]).toEqual([text, 0]);
      if (parts === null) continue;
      await goTo(page, parts);
      expect([text, sum(await linesOf(page))]).toEqual([text, requests]);
    }
    expect(faults).toEqual([]);
  });

  test("is a customer by name, and a click shows that customer", async () => {
    await using opened = await customers.house.open({ path: "/console/usage?by=account" });
    const { page, faults } = opened;
    const totals = page.getByRole("table", { name: "Totals" });
    await totals.getByRole("link", { name: "ann by model" }).click();
    await page.getByRole("button", { name: "Remove filter Account: ann" }).waitFor();
    await totals.getByRole("columnheader", { name: "Model" }).waitFor();
    await settle(page);
    expect(sum(await linesOf(page))).toBe(7);
    await page.goBack();
    await totals.getByRole("link", { name: "bob", exact: true }).click();
    await page.getByText("5 requests", { exact: true }).waitFor();
    expect(await page.getByRole("combobox", { name: "Any account" }).inputValue()).toBe("bob");
    expect(faults).toEqual([]);
  });
});

describe("the ways that other pages link to numbers", () => {
  test("an account's, a key's and a channel's own page lead to its requests and entries", async () => {
    const { house, keys } = customers;
    const { id } = await house.accountOf("ann");
    await using opened = await house.open({ path: `/console/people/${id}` });
    const { page, faults } = opened;
    await page.getByRole("dialog").getByRole("link", { name: "Requests" }).click();
    await page.getByText("7 requests", { exact: true }).waitFor();
    await page.goto(`/console/keys/${keys.bob.id}`);
    await page.getByRole("dialog").getByRole("link", { name: "Requests" }).click();
    await page.getByText("5 requests", { exact: true }).waitFor();
    await page.goto(`/console/ledger?account=${id}`);
    await page.getByRole("heading", { level: 1, name: "Ledger" }).waitFor();
    await settle(page);
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

describe("a number", () => {
  test("of another view is gone before the answer, and what failed is told in its place", async () => {
    await using opened = await customers.house.open({ path: "/console/usage?by=account" });
    const { page } = opened;
    const totals = page.getByRole("table", { name: "Totals" });
    await totals.getByRole("link", { name: "ann by model" }).waitFor();
    const refused = await refuse(page, "/api/series?*account=ann*");
    await totals.getByRole("link", { name: "ann by model" }).click();
    await page.getByRole("alert").getByText("too busy").first().waitFor();
    expect(await totals.count()).toBe(0);
    expect(await page.getByRole("img", { name: "Spend over time" }).count()).toBe(0);
    refused.stop();
    await page.getByRole("button", { name: "Try again" }).click();
    await totals.waitFor();
    expect(sum(await linesOf(page))).toBe(7);
  });

  test("of a view that fails when it is asked for again does not stay as if it held", async () => {
    const { page } = await customers.house.open({ path: "/console/requests" });
    await page.getByText("12 requests", { exact: true }).waitFor();
    await refuse(page, "/api/log?*model=*");
    await page.getByLabel("Any model").selectOption("chatA");
    await page.getByRole("alert").getByText("too busy").waitFor();
    expect(await page.getByText(/^\d+ requests?$/).count()).toBe(0);
    await page.close();
  });
});
