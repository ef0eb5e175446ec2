// The palette finds things by their names, and a key by its text, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { browserMsMax } from "../../../harness/chromium.ts";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { openTraffic, type Traffic } from "../../../harness/e2e/traffic.ts";
import { rootKey } from "../../../harness/gateway.ts";

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
    const setting = await jump(page, "public model", /^Public model catalogue/);
    expect(setting).toBe("/console/settings/site.shows_models");
    expect(faults).toEqual([]);
  });

  test("knows what one wants to do, also in other words", async () => {
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page, faults } = opened;
    for (const [text, found, place] of [
      ["new key", /^New key$/, "/console/keys?new=1"],
      ["add vendor", /^Add a channel$/, "/console/channels?new=1"],
      ["invite", /^Invite a person$/, "/console/codes?new=1"],
      ["add price", /^Set a price$/, "/console/prices?new=1"],
      ["backup", /^Take a backup$/, "/console/operations?new=1"],
      ["refund", /^Give or refund credit$/, "/console/people"],
      ["restore", /^Maintenance$/, "/console/operations"],
      ["litellm", /^Import from another gateway$/, "/console/operations"],
      ["invoice", /^Ledger$/, "/console/ledger"],
    ] as const) {
      await jump(page, text, found);
      const { pathname, search } = new URL(page.url());
      expect([text, pathname + search]).toEqual([text, place]);
      if (search !== "") await page.getByRole("dialog").waitFor();
      await page.goto("/console/account");
      await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
    }
    await page.keyboard.press("Control+k");
    await box(page).fill("logout");
    await page.getByRole("option", { name: "Sign out" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("knows other words in every language, and English ones besides", async () => {
    await using opened = await traffic.house.open({ path: "/console/account", language: "zh" });
    const { page, faults } = opened;
    await page.keyboard.press("Control+k");
    for (const [text, found] of [
      ["退款", "充值或退款"],
      ["refund", "账本"],
    ] as const) {
      await page.getByRole("combobox", { name: "搜索或跳转" }).fill(text);
      await page.getByRole("option", { name: found }).waitFor();
    }
    expect(faults).toEqual([]);
  });

  test("offers nobody what they may not do", async () => {
    await using opened = await traffic.house.open({ as: "ann", path: "/console/account" });
    const { page, faults } = opened;
    await page.keyboard.press("Control+k");
    await box(page).fill("new");
    await page.getByRole("option", { name: "New key" }).waitFor();
    expect(await page.getByRole("option", { name: "Add a channel" }).count()).toBe(0);
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

  test("obeys what was typed and entered before its choices were there", async () => {
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page, faults } = opened;
    const held = Promise.withResolvers<void>();
    await page.route("**/palette-choices-*.js", async (route) => {
      await held.promise;
      await route.continue();
    });
    const asked = page.waitForRequest("**/palette-choices-*.js");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("ledg");
    await page.keyboard.press("Enter");
    await asked;
    expect(await box(page).inputValue()).toBe("ledg");
    held.resolve();
    await page.getByRole("heading", { level: 1, name: "Ledger" }).waitFor();
    expect(await box(page).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("finds a key by its text, which no address has", async () => {
    await using opened = await traffic.house.open({ path: "/console/account" });
    const { page, faults } = opened;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url() + (request.postData() ?? "")));
    // Alone, and with what people copy along.
    const pasted = [traffic.key, `Bearer ${traffic.key}`, `export KEY='${traffic.key}'`];
    for (const text of pasted)
      expect(await jump(page, text, /^ann laptop/)).toStartWith("/console/keys/key_");
    expect(asked.filter((one) => one.includes("digest="))).toHaveLength(pasted.length);
    expect(asked.filter((one) => one.includes(traffic.key))).toEqual([]);
    await page.keyboard.press("Control+k");
    await box(page).fill(`${traffic.key}x`);
    await page.getByText("No results.").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("is what a list's search does with the text of a key: it leads there by the digest", async () => {
    for (const path of ["/console/keys", "/console/people"]) {
      await using opened = await traffic.house.open({ path });
      const { page, faults } = opened;
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url() + (request.postData() ?? "")));
      const search = page.getByRole("searchbox");
      await search.fill(`Bearer ${traffic.key}`);
      await page.getByRole("button", { name: /SHA-256: [0-9a-f]{8}…/ }).waitFor();
      await page.getByRole("row", { name: /ann laptop/ }).waitFor();
      expect(await search.inputValue()).toBe("");
      expect(new URL(page.url()).pathname).toBe("/console/keys");
      expect([page.url(), ...asked].filter((one) => one.includes(traffic.key))).toEqual([]);
      expect(faults).toEqual([]);
    }
  });

  test("finds members nothing but their own, neither by name nor by the text of a key", async () => {
    await using opened = await traffic.house.open({ as: "ann", path: "/console/account" });
    const { page, faults } = opened;
    await page.keyboard.press("Control+k");
    for (const text of ["che", "root", "server.po", rootKey]) {
      await box(page).fill(text);
      await page.getByText("No results.").waitFor();
    }
    for (const text of ["ann l", traffic.key]) {
      await box(page).fill(text);
      await page.getByRole("option").filter({ hasText: "ann laptop" }).waitFor();
    }
    expect(faults).toEqual([]);
  });

  test.each([
    { role: "support", finds: ["ann", "ann laptop", "cheap", "server.port"], misses: [] },
    { role: "read-only", finds: ["ann", "ann laptop", "cheap", "server.port"], misses: [] },
    { role: "billing", finds: ["ann", "ann laptop"], misses: ["cheap", "server.port"] },
  ])("finds what the role $role may read, and nothing else", async ({ role, finds, misses }) => {
    await traffic.house.addMember(`of-${role}`);
    await traffic.house.promote(`of-${role}`, role);
    await using opened = await traffic.house.open({ as: `of-${role}`, path: "/console/account" });
    const { page, faults } = opened;
    await page.keyboard.press("Control+k");
    for (const name of finds) {
      await box(page).fill(name);
      await page.getByRole("option").filter({ hasText: name }).first().waitFor();
    }
    for (const name of misses) {
      await box(page).fill(name);
      await page.getByText("No results.").waitFor();
    }
    expect(faults).toEqual([]);
  });
});
