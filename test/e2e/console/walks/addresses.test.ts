// Every address that the console makes can be opened again: by reload, bookmark, or whoever is sent
// it; every call that it offers to copy answers. And a gateway that was away for a moment brings
// back what it took along.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax, type Page } from "../../../harness/chromium.ts";
import {
  oddGroup,
  oddModel,
  openCustomers,
  slashModel,
  type Customers,
} from "../../../harness/e2e/customers.ts";
import { Reader } from "../../../harness/e2e/followed.ts";
import { readClipboard } from "../../../harness/e2e/page.ts";
import { whomsOf } from "../../../harness/e2e/page-list.ts";
import { addressesFor, goTo, openedIn, openFirst, settle } from "../../../harness/e2e/walk.ts";
import { rootToken } from "../../../harness/gateway.ts";

setDefaultTimeout(300_000);

let customers: Customers;

beforeAll(async () => {
  customers = await openCustomers();
}, browserMsMax);

afterAll(() => customers?.[Symbol.asyncDispose]());

const rootWhoms = whomsOf("root");

/** Addresses that differ in an id, a name or a value alone are opened by the same code. */
function oneOfEachShape(addresses: Iterable<string>): Iterable<string> {
  const shapes = new Map<string, string>();
  for (const address of addresses) {
    const { pathname, searchParams } = new URL(address, "http://gateway");
    const [place, detail] = [pathname.split("/").slice(0, 3).join("/"), pathname.split("/")[3]];
    shapes.set([place, detail !== undefined, ...searchParams.keys()].join(), address);
  }
  return shapes.values();
}

/** All links of the page to the gateway itself, without those that stand on every page. */
async function linksOf(page: Page): Promise<string[]> {
  const all = await page
    .locator("main a[href], dialog a[href]")
    .evaluateAll((links) =>
      links.map((link) => (link as unknown as { href: string }).href.split("#")[0] ?? ""),
    );
  const { origin } = new URL(page.url());
  return all.filter((href) => href.startsWith(origin)).map((href) => href.slice(origin.length));
}

/** Calls copied by the curl buttons that can be pressed now. */
async function copiedCalls(page: Page): Promise<string[]> {
  const dialogs = page.getByRole("dialog");
  const place = (await dialogs.count()) > 0 ? dialogs.last() : page.locator("main");
  const buttons = place.getByRole("button", { name: "Copy as curl" });
  const copied: string[] = [];
  for (let at = 0; at < (await buttons.count()); at++) {
    await buttons.nth(at).click();
    copied.push(await readClipboard(page));
  }
  return copied;
}

interface Found {
  addresses: Set<string>;
  calls: Set<string>;
}

let finding: Promise<Found> | null = null;

/** Addresses and calls of all pages of root, found in one walk. */
function found(): Promise<Found> {
  return (finding ??= find());
}

async function find(): Promise<Found> {
  await using opened = await customers.house.open({ path: "/console/account" });
  const { page, faults } = opened;
  const addresses = new Set<string>();
  const calls = new Set<string>();
  async function look(): Promise<void> {
    for (const link of await linksOf(page)) addresses.add(link);
    for (const call of await copiedCalls(page)) calls.add(call);
  }
  for (const address of addressesFor(rootWhoms)) {
    await goTo(page, address);
    await look();
    if (address.includes("?") || !(await openFirst(page))) continue;
    await look();
    const { pathname, search } = new URL(page.url());
    addresses.add(pathname + search);
  }
  expect(faults).toEqual([]);
  return { addresses, calls };
}

test("every call that a list, a chart or a detail offers to copy answers", async () => {
  const { calls } = await found();
  expect(calls.size).toBeGreaterThan(20);
  using reader = new Reader({ SLUICE_TOKEN: rootToken });
  for (const one of calls) {
    const { code, out, error } = await reader.follow("shell", one);
    expect([one, code, error, reader.made]).toEqual([one, 0, error, []]);
    expect([one, out]).toEqual([one, expect.stringContaining('"success":true')]);
  }
});

describe("every address", () => {
  test("that a page of the console links to, or stands at, opens by itself", async () => {
    const { addresses } = await found();
    await using opened = await customers.house.open({ path: "/console/account" });
    const { page, faults } = opened;
    const wrong: string[] = [];
    for (const address of oneOfEachShape(addresses)) {
      const problem = await problemAt(page, address);
      if (problem !== null) wrong.push(`${address}: ${problem}`);
    }
    expect(wrong).toEqual([]);
    expect(addresses.size).toBeGreaterThan(40);
    expect(faults).toEqual([]);
  });

  const odd = [
    ["models", slashModel],
    ["models", oddModel],
    ["prices", slashModel],
    ["prices", oddModel],
    ["groups", oddGroup],
  ] as const;
  test.each(odd)("of %s with %s opens what it names, also anew", async (name, id) => {
    await using opened = await customers.house.open({
      path: `/console/${name}?q=${id.slice(0, 4)}`,
    });
    const { page, faults } = opened;
    await page.locator("main .opens").filter({ hasText: id }).first().click();
    await openedIn(page).getByText(id, { exact: true }).first().waitFor();
    const address = page.url();
    expect(address).toContain(`/console/${name}/${encodeURIComponent(id)}`);
    const reply = await page.reload();
    expect(reply?.headers()["content-type"]).toContain("text/html");
    await openedIn(page).getByText(id, { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
  });

  test("that was cut within a letter still is the page", async () => {
    await using opened = await customers.house.open({ path: "/console/models/%E6%88" });
    await opened.page.getByRole("heading", { level: 1, name: "Models" }).waitFor();
    expect(opened.faults).toEqual([]);
  });
});

async function problemAt(page: Page, address: string): Promise<string | null> {
  if (!/^\/(?:$|\?|console\/)/.test(address)) {
    const reply = await page.request.get(address);
    const text = await reply.text();
    return reply.status() === 200 && !text.startsWith('{"success":false') ? null : text;
  }
  const reply = await page.goto(address);
  if (reply?.status() !== 200) return String(reply?.status());
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settle(page);
  if ((await page.locator(".failure").count()) > 0) return "a failure";
  const isMissing = (await page.getByText("Page not found").count()) > 0;
  return isMissing ? "nothing" : null;
}

describe("a gateway that was away for a moment", () => {
  const signs = [
    ["is not reached", null],
    ["has a proxy before it that says 502", 502],
    ["still starts", 503],
  ] as const;
  test.each(signs)("brings its pages back by itself (%s)", async (_name, status) => {
    await using opened = await customers.house.open({ path: "/console/keys", isAlone: true });
    const { page } = opened;
    await page.getByText("ann laptop").waitFor();
    let isAway = true;
    await page.route("**/*", async (route) => {
      if (!isAway) return await route.continue();
      if (status === null) return await route.abort();
      const body = '{"error":{"message":"The gateway is starting.","code":"overloaded"}}';
      await route.fulfill({ status, body, contentType: "application/json" });
    });
    await goTo(page, "/console/keys?q=bob");
    await page.getByRole("status").getByText("The gateway is not responding").waitFor();
    await page.getByRole("alert").getByText("we retry automatically").waitFor();
    isAway = false;
    await page.getByText("bob laptop").waitFor();
    expect(await page.getByText("The gateway is not responding").count()).toBe(0);
    // The file of a page that was not opened before cannot be had either.
    isAway = true;
    await page.evaluate(() => Reflect.set(globalThis, "isTheSame", true));
    await goTo(page, "/console/people");
    await page.getByText("It opens automatically").waitFor();
    expect(await page.evaluate(() => "isTheSame" in globalThis)).toBe(true);
    isAway = false;
    await page.getByRole("button", { name: "ann" }).first().waitFor();
  });
});
