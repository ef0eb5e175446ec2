// Models in the console, in a real browser: found, read, copied and taken to the playground.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";
import { axeFindings } from "../../harness/e2e/axe.ts";
import { copied } from "../../harness/e2e/page.ts";
import { settle } from "../../harness/e2e/walk.ts";
import { keyOf } from "../../harness/e2e/work.ts";
import { completion, Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

/** Prices by the hour, as text. */
const english = [
  "Mon–Fri 00:00–12:00 Asia/Shanghai",
  "input × 2, output × 1",
  "Sat,Sun 00:00–24:00 Asia/Shanghai$2.00",
  "Right now$2.00 in, $1.00 out",
];
const chinese = [
  "周一–周五 12:00–24:00 Asia/Shanghai",
  "输入 × 2，输出 × 1",
  "当前价格输入 $2.00，输出 $1.00",
];

let house: ConsoleHouse;
let vendor: Vendor;
const prompt_tokens_details = { cached_tokens: 75 };
const twice = { input_micros_per_million: 2_000_000 };
const usage = { prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details };

beforeAll(async () => {
  house = await openConsole("sandbox: on\nsite: { shows_models: true, shows_status: true }\n");
  await house.addMember("ann");
  vendor = new Vendor((_request, reply) => reply.json(completion("Yes.", usage)));
  const channel = vendor.channel({ name: "mirror", models: ["cached"] });
  await house.gateway.control("POST", "/api/channel", channel);
  const price = {
    input_micros_per_million: 1_000_000,
    output_micros_per_million: 1_000_000,
    // Input costs twice as much at every hour, so that no hour of the test is another.
    hours: [
      { days: "mon-fri", from: "00:00", to: "12:00", zone: "Asia/Shanghai", input_percent: 200 },
      { days: "mon-fri", from: "12:00", to: "24:00", zone: "Asia/Shanghai", input_percent: 200 },
      { days: "sat,sun", from: "00:00", to: "24:00", zone: "Asia/Shanghai", ...twice },
    ],
  };
  await house.gateway.control("POST", "/api/price", { model: "cached", ...price });
  const key = await keyOf(house, "ann");
  const body = { model: "cached", messages: [{ role: "user", content: "Hello" }] };
  await (await house.gateway.post("/v1/chat/completions", body, key)).text();
}, browserMsMax);

afterAll(async () => {
  await house?.[Symbol.asyncDispose]();
  vendor?.[Symbol.dispose]();
});

describe("the page of models", () => {
  test("is searched and filtered in the address, and opens one with its price and code", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/models?kind=text" });
    const { page, faults } = opened;
    const table = page.getByRole("table", { name: "Models" });
    await table.waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("chatA");
    await page.waitForURL("**/console/models?kind=text&q=chatA");
    await page.getByRole("button", { name: "chatA", exact: true }).click();
    await page.getByRole("heading", { name: "chatA", level: 1 }).waitFor();
    await page.getByText("Price in default, × 1").waitFor();
    const text = (await page.locator("main").textContent()) ?? "";
    expect(text).toContain("$1.25");
    expect(text).not.toContain("Served by");
    await page.getByRole("tab", { name: "Claude Code" }).click();
    expect(await page.getByRole("tabpanel").textContent()).toContain("claude --model chatA");
    await page.goBack();
    await page.getByRole("button", { name: "Copy chatA", exact: true }).click();
    await copied(page, "chatA");
    await page.getByLabel("Name begins with").fill("nothing-of-the-kind");
    await page.getByRole("heading", { name: "No model matches" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("shows an admin who serves a model, also one of another page of the list", async () => {
    await using opened = await house.open({ path: "/console/models/videoE-v1" });
    const { page, faults } = opened;
    const channels = page.getByRole("table", { name: "Served by" });
    await channels.getByRole("link", { name: "sandbox-kling" }).waitFor();
    expect(await page.locator("main").textContent()).toContain("/v1/videos");
    const way = await page.getByRole("link", { name: "Try in playground" }).getAttribute("href");
    expect(way).toBe("/console/playground?kind=video&model=videoE-v1");
    expect(faults).toEqual([]);
  });

  test.each([
    { language: "en", width: 1440, words: ["Edit note", "Note", "Save"] },
    { language: "zh", width: 390, words: ["编辑备注", "备注", "保存"] },
  ] as const)("shows what an admin notes of a model, in $language at $width", async (look) => {
    const { language, width } = look;
    const [edit, label, save] = look.words;
    const path = "/console/models/chatA";
    await using admin = await house.open({ path, language, width });
    const shown = admin.page.locator("main");
    const write = async (note: string) => {
      await shown.getByRole("button", { name: edit }).click();
      const form = admin.page.getByRole("dialog", { name: edit });
      await form.getByLabel(label).fill(note);
      expect(await sidewaysOf(admin.page)).toBe(0);
      await form.getByRole("button", { name: save }).click();
      await form.waitFor({ state: "detached" });
    };
    await write("Good at sums.");
    await shown.getByText("Good at sums.").waitFor();
    await using member = await house.open({ as: "ann", path, language, width });
    await member.page.getByText("Good at sums.").waitFor();
    expect(await member.page.getByRole("button", { name: edit }).count()).toBe(0);
    await write("");
    await shown.getByText("Good at sums.").waitFor({ state: "detached" });
    expect([...admin.faults, ...member.faults]).toEqual([]);
  });

  test.each([
    { who: "root", language: "en", width: 1440, tile: "Uptime", served: 1, hours: english },
    { who: "ann", language: "zh", width: 390, tile: "可用率", served: 0, hours: chinese },
    { who: "visitor", language: "en", width: 390, tile: "Uptime", served: 0, hours: english },
  ] as const)(
    "is a page with days, speed, cached share, price by the hour and code ($who, $width)",
    async (one) => {
      const { who, language, width, tile, served, hours } = one;
      const path = "/console/models/cached";
      await using opened = await house.open({
        as: who === "visitor" ? null : who,
        path,
        language,
        width,
        bypassesPolicy: true,
      });
      const { page, faults } = opened;
      await page.getByRole("heading", { name: "cached", level: 1 }).waitFor();
      await page.locator(".tile", { hasText: tile }).getByText("100 %").waitFor();
      await page.locator(".tile").getByText("75.0 %").waitFor();
      await settle(page);
      expect(await page.locator(".chart").count()).toBe(2);
      const main = (await page.locator("main").textContent()) ?? "";
      expect(main).toContain("$SLUICE_KEY");
      expect(main.includes("mirror")).toBe(served === 1);
      for (const line of hours) expect(main).toContain(line);
      expect(main.includes(language === "en" ? "Your usage" : "你的用量")).toBe(who === "ann");
      expect(await axeFindings(page)).toEqual([]);
      expect(await sidewaysOf(page)).toBe(0);
      expect(faults).toEqual([]);
    },
  );

  test("has uptime in its list, and is found by the palette", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/models?q=cached" });
    const { page, faults } = opened;
    const row = page.getByRole("row", { name: /cached/ });
    await row.getByRole("cell", { name: "100 %" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("cach");
    await page.getByRole("option", { name: "cached" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "cached", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Models", exact: true }).last().click();
    await page.getByRole("table", { name: "Models" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("says that there is no such model", async () => {
    await using opened = await house.open({ as: null, path: "/console/models/nothing" });
    await opened.page.getByRole("heading", { name: "Model not found" }).waitFor();
    expect(opened.faults).toEqual([]);
  });

  test("is open to visitors where the operator shows it, and the start stays the sign-in", async () => {
    await using opened = await house.open({ as: null, path: "/console/models?q=chatA" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "chatA", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "Try chatA" }).count()).toBe(0);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Username").waitFor();
    expect(faults).toEqual([]);
  });

  test("says what failed, and tries again", async () => {
    await using opened = await house.open({ path: "/console/account" });
    const { page } = opened;
    let isFailing = true;
    await page.route("**/api/model?*", async (route) => {
      if (!isFailing) return await route.continue();
      await route.fulfill({
        json: { success: false, message: "no", code: "overloaded", param: null },
      });
    });
    await page.goto("/console/models");
    const alert = page.getByRole("alert");
    await alert.getByText("too busy").waitFor();
    isFailing = false;
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table", { name: "Models" }).waitFor();
  });
});
