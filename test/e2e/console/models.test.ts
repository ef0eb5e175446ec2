// Models in the console, in a real browser: found, read, copied and taken to the playground.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";
import { copied } from "../../harness/e2e/page.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole("site:\n  shows_models: true\n");
  await house.addMember("ann");
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

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
    const drawer = page.getByRole("dialog", { name: "chatA" });
    await drawer.getByText("Price in default, × 1").waitFor();
    const text = (await drawer.textContent()) ?? "";
    expect(text).toContain("$1.25");
    expect(text).not.toContain("Served by");
    await drawer.getByRole("tab", { name: "Claude Code" }).click();
    expect(await drawer.getByRole("tabpanel").textContent()).toContain("claude --model chatA");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Copy chatA", exact: true }).click();
    await copied(page, "chatA");
    await page.getByLabel("Name begins with").fill("nothing-of-the-kind");
    await page.getByRole("heading", { name: "No model matches" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("shows an admin who serves a model, also one of another page of the list", async () => {
    await using opened = await house.open({ path: "/console/models/videoE-v1" });
    const { page, faults } = opened;
    const drawer = page.getByRole("dialog", { name: "videoE-v1" });
    await drawer.getByRole("link", { name: "sandbox-kling" }).waitFor();
    expect(await drawer.textContent()).toContain("/v1/videos");
    const way = await drawer.getByRole("link", { name: "Try in playground" }).getAttribute("href");
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
    const drawer = admin.page.getByRole("dialog", { name: "chatA" });
    const write = async (note: string) => {
      await drawer.getByRole("button", { name: edit }).click();
      const form = admin.page.getByRole("dialog", { name: edit });
      await form.getByLabel(label).fill(note);
      expect(await sidewaysOf(admin.page)).toBe(0);
      await form.getByRole("button", { name: save }).click();
      await form.waitFor({ state: "detached" });
    };
    await write("Good at sums.");
    await drawer.getByText("Good at sums.").waitFor();
    await using member = await house.open({ as: "ann", path, language, width });
    await member.page.getByText("Good at sums.").waitFor();
    expect(await member.page.getByRole("button", { name: edit }).count()).toBe(0);
    await write("");
    await drawer.getByText("Good at sums.").waitFor({ state: "detached" });
    expect([...admin.faults, ...member.faults]).toEqual([]);
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
