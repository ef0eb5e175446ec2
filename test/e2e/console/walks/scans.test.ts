// Walks leave out scans of what they have seen; new things on a page are found.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { browserMsMax, needBrowser, type Page } from "../../../harness/chromium.ts";
import { Scans } from "../../../harness/e2e/axe.ts";

let page: Page;

beforeAll(async () => {
  page = await (await needBrowser()).newPage();
}, browserMsMax);

afterAll(() => page?.context().close());

/** Shows a page within what the console draws on each. */
async function show(nav: string, main: string): Promise<void> {
  const body = `<nav aria-label="Pages">${nav}</nav><main><h1>Keys</h1>${main}</main>`;
  await page.goto("about:blank");
  const html = `<title>A</title><body><div class="body">${body}</div></body>`;
  await page.setContent(`<!doctype html><html lang="en">${html}</html>`);
}

/** True once axe was brought to the page. */
const isScanned = () => page.evaluate(() => "axe" in globalThis);

const keys = '<a href="/keys">Keys</a>';
const unseen = [
  ["an element", keys, '<p>1 key</p><button id="P0-1"></button>', "button-name"],
  ["a colour", keys, '<p style="color: #999; background: #fff">1 key</p>', "color-contrast"],
  ["something around it", `${keys}<button></button>`, "<p>1 key</p>", "button-name"],
  ["a label of something else", keys, '<label for="P0-1">A</label><input id="P0-2">', "label"],
] as const;

test.each(unseen)("%s that is new is found", async (_what, nav, main, rule) => {
  const scans = new Scans();
  for (const clean of ["<p>1 key</p>", '<label for="P0-1">A</label><input id="P0-1">']) {
    await show(keys, clean);
    expect(await scans.findings(page, "light")).toEqual([]);
  }
  await show(nav, main);
  const found = expect.arrayContaining([expect.stringContaining(`${rule} at`)]);
  expect(await scans.findings(page, "light")).toEqual(found);
  // Also the second time.
  expect(await scans.findings(page, "light")).toEqual(found);
});

test("a page of the same markup is scanned once in each look", async () => {
  const scans = new Scans();
  await show(keys, '<p id="P0-7">1 key</p>');
  await scans.findings(page, "light");
  expect(await isScanned()).toBe(true);
  await show(keys, '<p id="P3-1">12 key</p>');
  await scans.findings(page, "light");
  expect(await isScanned()).toBe(false);
  await scans.findings(page, "dark");
  expect(await isScanned()).toBe(true);
});
