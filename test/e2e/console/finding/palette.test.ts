// The palette finds things by their names, and a key by its text, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { browserMsMax } from "../../../harness/chromium.ts";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { openTraffic, type Traffic } from "../../../harness/e2e/traffic.ts";

setDefaultTimeout(60_000);

let traffic: Traffic;

beforeAll(async () => {
  traffic = await openTraffic();
}, browserMsMax);

afterAll(() => traffic?.[Symbol.asyncDispose]());

const box = (page: Page) => page.getByRole("combobox", { name: "Search or jump to" });

/** The found thing's page. */
async function jump(page: Page, text: string, found: RegExp): Promise<string> {
  await page.keyboard.press("Control+k");
  await box(page).fill(text);
  await page.getByRole("option", { name: found }).click();
  await box(page).waitFor({ state: "detached" });
  return new URL(page.url()).pathname;
}

describe("the palette", () => {
  test("finds people, keys, channels, models and settings by their names", async () => {
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page, faults } = opened;
    expect(await jump(page, "ann", /^ann$/)).toStartWith("/console/people/acc_");
    expect(await jump(page, "ann l", /^ann laptop/)).toStartWith("/console/keys/key_");
    expect(await jump(page, "che", /^cheap$/)).toStartWith("/console/channels/chn_");
    expect(await jump(page, "chatA", /^chatA$/)).toBe("/console/models/chatA");
    expect(await jump(page, "server.po", /^server.port$/)).toBe("/console/settings/server.port");
    expect(faults).toEqual([]);
  });

  test("stays above a drawer that opens later, with what was typed", async () => {
    const { items } = await traffic.house.gateway.control<{ items: { id: string }[] }>(
      "GET",
      "/api/token?q=ann",
    );
    const path = `/console/keys/${items[0]?.id}`;
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page, faults } = opened;
    const held = Promise.withResolvers<void>();
    await page.route("**/api/token/key_*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(path);
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("che");
    held.resolve();
    await page.locator("dialog.drawer[open]").waitFor();
    await page.keyboard.type("ap");
    await page.getByRole("option", { name: /^cheap$/ }).click();
    await box(page).waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toStartWith("/console/channels/chn_");
    expect(faults).toEqual([]);
  });

  test("finds a key by its text, which no address has", async () => {
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page, faults } = opened;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url() + (request.postData() ?? "")));
    expect(await jump(page, traffic.key, /^ann laptop/)).toStartWith("/console/keys/key_");
    expect(asked.filter((one) => one.includes("digest="))).toHaveLength(1);
    expect(asked.filter((one) => one.includes(traffic.key))).toEqual([]);
    await page.keyboard.press("Control+k");
    await box(page).fill(`${traffic.key}x`);
    await page.getByText("No results.").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("finds members nothing but their own", async () => {
    await using opened = await traffic.house.open({ as: "ann", path: "/console/account" });
    const { page, faults } = opened;
    await page.keyboard.press("Control+k");
    await box(page).fill("che");
    await page.getByText("No results.").waitFor();
    await box(page).fill("ann l");
    await page.getByRole("option").filter({ hasText: "ann laptop" }).waitFor();
    expect(faults).toEqual([]);
  });
});
