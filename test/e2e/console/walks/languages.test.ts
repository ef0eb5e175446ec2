// The console in languages that are files: every page in each of them, on a screen and on a phone,
// how one is chosen, and what stands there when its words cannot be had.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax, needBrowser, type Page } from "../../../harness/chromium.ts";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { sidewaysOf } from "../../../harness/e2e/console.ts";
import { openFull, type FullHouse } from "../../../harness/e2e/full.ts";
import { addressesFor, goTo, openFirst } from "../../../harness/e2e/walk.ts";

setDefaultTimeout(600_000);

let full: FullHouse;

beforeAll(async () => {
  full = await openFull();
}, browserMsMax);

afterAll(() => full?.[Symbol.asyncDispose]());

interface Box {
  scrollWidth: number;
  clientWidth: number;
  innerText: string;
}
/** The part of a page that the functions need that run inside it. */
declare function getComputedStyle(box: Box): { textOverflow: string };
declare const innerWidth: number;
declare const document: {
  body: { innerText: string };
  querySelectorAll(selector: string): Iterable<Box>;
};

/** Labels that are wider than what holds them: cut off, or over their neighbours. */
async function clippedOn(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const heads = innerWidth < 760 ? "table:not(.cards) th" : "th";
    const labels = `button:not(.cut), ${heads}, h1, h2:not(.unseen), h3, label, legend, [role=tab], .badge`;
    // Names end in an ellipsis on purpose; on a phone rows are cards, whose heads nobody sees.
    const clipped = [...document.querySelectorAll(labels)].filter(
      (box) =>
        box.clientWidth > 0 &&
        box.innerText.trim() !== "" &&
        box.scrollWidth > box.clientWidth + 1 &&
        getComputedStyle(box).textOverflow !== "ellipsis",
    );
    return clipped.map(({ innerText }) => innerText.slice(0, 60));
  });
}

const looks = (["ja", "es"] as const)
  .flatMap((language) => ([1280, 390] as const).map((width) => ({ language, width })))
  .map((look, turn) => ({ ...look, turn }));

describe("every page", () => {
  test.each(looks)("is whole in $language at $width pixels", async ({ language, width, turn }) => {
    const [first = "/", ...rest] = addressesFor(["visitor", "user", "admin", "root"]);
    const visit = { language, width, path: first, bypassesPolicy: true };
    await using opened = await full.house.open(visit);
    const { page, faults } = opened;
    const findings: string[] = [];
    const look = async (where: string, isScanned: boolean) => {
      const text = await page.evaluate(() => document.body.innerText);
      for (const [wrong] of text.matchAll(/\bundefined\b|\bNaN\b|\[object|=>|\$\{/g))
        findings.push(`${where}: says ${wrong}`);
      for (const label of await clippedOn(page)) findings.push(`${where}: clips ${label}`);
      const pixels = await sidewaysOf(page);
      if (pixels > 0) findings.push(`${where}: moves sideways by ${pixels} px`);
      if (!isScanned) return;
      for (const finding of await axeFindings(page)) findings.push(`${where}: ${finding}`);
    };
    for (const [at, address] of [first, ...rest].entries()) {
      await goTo(page, address);
      // A scan is dear: each page has one in one of the looks, beside those in English and Chinese.
      await look(address, at % looks.length === turn);
      if (!address.includes("?") && (await openFirst(page)))
        await look(`${address}, opened`, false);
    }
    expect(findings).toEqual([]);
    expect(faults).toEqual([]);
  });
});

describe("a language", () => {
  test("is chosen in the menu, loaded alone, and kept", async () => {
    await using opened = await full.house.open({ language: "en" });
    const { page, faults } = opened;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.getByRole("button", { name: "Language" }).click();
    await page.getByRole("menuitem", { name: "日本語" }).click();
    await page.getByRole("heading", { level: 1, name: "概要" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("ja-JP");
    const words = asked.filter((url) => /\/(?:ja|es|zh)-/.test(url));
    expect(words.length).toBeGreaterThan(1);
    expect(words.filter((url) => !url.includes("/ja-"))).toEqual([]);
    await goTo(page, "/console/keys");
    await page.getByRole("heading", { level: 1, name: "API キー" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("that somebody chose is the account's: of its letters, and of another browser", async () => {
    const { house } = full;
    await using opened = await house.open({ as: "ann", path: "/console/keys" });
    const { page } = opened;
    await page.getByRole("button", { name: "Language" }).click();
    const saved = page.waitForResponse(
      (answer) => answer.request().method() === "PATCH" && answer.url().endsWith("/api/user/self"),
    );
    await page.getByRole("menuitem", { name: "简体中文" }).click();
    expect(await (await saved).json()).toMatchObject({ success: true, data: { language: "zh" } });
    const baseURL = house.gateway.url;
    await using other = await (await needBrowser()).newContext({ baseURL, locale: "en-US" });
    const login = { username: "ann", password: house.passwordOf("ann") };
    await other.request.post("/api/user/login", { data: login, headers: { origin: baseURL } });
    const elsewhere = await other.newPage();
    await elsewhere.goto("/console/keys");
    await elsewhere.getByRole("heading", { level: 1, name: "密钥" }).waitFor();
  });

  test("counts as its numbers and plurals do", async () => {
    await using opened = await full.house.open({
      language: "es",
      path: "/console/requests?range=30d",
    });
    const { page } = opened;
    await page.getByRole("heading", { level: 1, name: "Solicitudes" }).waitFor();
    await page.getByText(/^\d[\d.]* solicitudes$/).waitFor();
    await page
      .getByText(/\$\d+,\d\d/)
      .first()
      .waitFor();
    await goTo(page, "/console/models");
    await page.getByText(/\$\d/).first().waitFor();
    const prices = (await page.getByRole("main").innerText()).match(/\$[\d.,]*\d/g) ?? [];
    expect(prices.filter((price) => !/^\$[\d.]+,\d{2,}$/.test(price))).toEqual([]);
  });

  test("leaves English where its words cannot be had, and comes with the next try", async () => {
    await using opened = await full.house.open({ language: "en" });
    const { page } = opened;
    await page.route("**/console-assets/es-*-keys.js", (route) => route.abort());
    await page.getByRole("button", { name: "Language" }).click();
    await page.getByRole("menuitem", { name: "Español" }).click();
    await page.getByRole("heading", { level: 1, name: "Resumen" }).waitFor();
    await goTo(page, "/console/keys");
    await page.getByRole("button", { name: "New key" }).first().waitFor();
    await page.getByRole("heading", { level: 1, name: "Claves" }).waitFor();
  });
});
