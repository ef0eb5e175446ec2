// The page of the API's reference in a real browser: it shows all there is, asks nobody else for
// anything, and runs nothing but its own script.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  browserMsMax,
  needBrowser,
  type Browser,
  type BrowserContext,
  type Page,
} from "../harness/chromium.ts";
import { OtherSite } from "../harness/e2e/front.ts";
import { inject, type Injection } from "../harness/e2e/injection.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";

setDefaultTimeout(60_000);

interface Operation {
  operationId: string;
  summary: string;
}
interface ApiDocument {
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
}

let browser: Browser;
let gateway: Gateway;
/** Words that the page owes each operation, by its id. */
let operations: Record<string, string>;

beforeAll(async () => {
  browser = await needBrowser();
  gateway = await startGateway({ config: 'sandbox: "off"\n' });
  const response = await fetch(`${gateway.url}/openapi.json`);
  const { paths } = (await response.json()) as ApiDocument;
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary }]) => [
      operationId,
      `${summary} ${method.toUpperCase()} ${path}`,
    ]),
  );
  operations = Object.fromEntries(entries);
}, browserMsMax);

afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
});

interface Watched {
  page: Page;
  /** Complaints of the browser, in its words. */
  complaints: string[];
  asked: string[];
}

/** The page, drawn to its end, and everything that happened on the way. */
async function openDocs(context: BrowserContext, hash: string = ""): Promise<Watched> {
  const page = await context.newPage();
  const [complaints, asked]: [string[], string[]] = [[], []];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${gateway.url}/docs${hash}`);
  await page.waitForSelector("main section");
  return { page, complaints, asked };
}

/** The texts of the links that one sees in the list of operations. */
async function shownLinks(page: Page): Promise<string[]> {
  return await page.locator("nav a:visible").allTextContents();
}

test("N16 the page shows every operation, without a fault and from here alone", async () => {
  await using context = await browser.newContext();
  const { page, complaints, asked } = await openDocs(context);
  const said = (selector: string) => page.locator(`main section ${selector}`).allTextContents();
  const ids = await page
    .locator("main section")
    .evaluateAll((sections) => sections.map(({ id }: { id: string }) => id));
  const [titles, methods, paths] = [
    await said("h3"),
    await said(".method"),
    await said(".address code"),
  ];
  const shown = ids.map((id, at) => [id, `${titles[at]} ${methods[at]} ${paths[at]}`]);
  expect(Object.keys(operations).length).toBeGreaterThan(100);
  expect(shown).toHaveLength(Object.keys(operations).length);
  expect(Object.fromEntries(shown)).toEqual(operations);
  expect(await shownLinks(page)).toHaveLength(shown.length);
  expect(complaints).toEqual([]);
  expect(asked).toEqual([`${gateway.url}/docs`]);
});

test("N16 a browser without scripts is shown every operation as well", async () => {
  await using context = await browser.newContext({ javaScriptEnabled: false });
  const { page, complaints } = await openDocs(context);
  expect(await page.locator("main section h3").count()).toBe(Object.keys(operations).length);
  expect(await page.locator(".first-call").count()).toBe(5);
  expect(complaints).toEqual([]);
});

test("N16 every operation has an example that names this gateway", async () => {
  await using context = await browser.newContext();
  const { page } = await openDocs(context);
  const examples = await page.locator("main section pre").allTextContents();
  expect(examples).toHaveLength(Object.keys(operations).length);
  const others = examples.filter(
    (text) => !/^curl -X [A-Z]+ \S+/.test(text) || !text.includes(` ${gateway.url}/`),
  );
  expect(others).toEqual([]);
});

test("N16 searching leaves what was searched for, and gives it back", async () => {
  await using context = await browser.newContext();
  const { page } = await openDocs(context);
  const all = await shownLinks(page);
  const fits = (text: string) =>
    Object.values(operations).filter((said) => said.toLowerCase().includes(text));
  for (const typed of ["Second-Factor", "post /v1/chat", "no such operation"]) {
    await page.fill("#search", typed);
    const shown = await shownLinks(page);
    expect(shown).toHaveLength(fits(typed.toLowerCase()).length);
    expect(shown.length).toBeLessThan(all.length);
  }
  expect(fits("second-factor").length).toBeGreaterThan(3);
  await page.fill("#search", "");
  expect(await shownLinks(page)).toEqual(all);
});

test("N16 a link leads to its operation, by a click and by its address", async () => {
  await using context = await browser.newContext();
  const { page } = await openDocs(context);
  const [id = ""] = Object.keys(operations).slice(-1);
  await page.click(`nav a[href="#${id}"]`);
  expect(page.url()).toBe(`${gateway.url}/docs#${id}`);
  const { page: direct } = await openDocs(context, `#${id}`);
  for (const one of [page, direct]) {
    const top = (await one.locator(`#${id}`).boundingBox())?.y ?? -1;
    expect(top).toBeWithin(0, one.viewportSize()?.height ?? 0);
  }
});

test("N16 nothing that is put into the page runs, loads or leads away", async () => {
  await using context = await browser.newContext();
  const { page } = await openDocs(context);
  using site = new OtherSite("localhost", "http");
  const elsewhere = `${site.url}/a`;
  const refusals: [Injection, string][] = [
    [{ script: "document.title = 'ran'" }, "script-src-elem inline"],
    [{ html: "<b onclick=\"document.title = 'ran'\">" }, "script-src-attr inline"],
    [{ html: '<p style="color: red">' }, "style-src-attr inline"],
    [{ html: `<img src="${elsewhere}">` }, `img-src ${elsewhere}`],
    [{ html: `<iframe src="${elsewhere}">` }, `frame-src ${site.url}`],
    [{ html: `<link rel="stylesheet" href="${elsewhere}">` }, `style-src-elem ${elsewhere}`],
    [{ html: `<base href="${elsewhere}">` }, `base-uri ${elsewhere}`],
    [{ html: `<form method="post" action="${elsewhere}">` }, `form-action ${elsewhere}`],
    [{ fetches: elsewhere }, `connect-src ${elsewhere}`],
  ];
  for (const [injection, refusal] of refusals) {
    expect(await inject(page, injection)).toBe(refusal);
  }
  expect(await page.textContent("title")).toBe("Sluice API");
  expect(page.url()).toBe(`${gateway.url}/docs`);
  expect(site.asked).toEqual([]);
});

test("N16 the page is shown in no frame of another page", async () => {
  await using context = await browser.newContext();
  const page = await context.newPage();
  const html = `<!doctype html><iframe src="${gateway.url}/docs"></iframe>`;
  const refused = page.waitForEvent("console");
  await page.setContent(html);
  expect((await refused).text()).toContain("frame-ancestors");
  expect(await page.frameLocator("iframe").locator("nav").count()).toBe(0);
});
