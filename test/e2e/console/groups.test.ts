// Groups in the console, in a real browser: made, changed, looked into and deleted.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { openConsole, type ConsoleHouse } from "../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole("groups:\n  - {name: filed, multiplier: 2}\n");
  await house.addMember("ann");
  await house.gateway.control("POST", "/api/group", { name: "partners", multiplier: 0.8 });
  await house.gateway.control("POST", "/api/token", { name: "theirs", group: "partners" });
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

describe("the page of groups", () => {
  test("makes one by keyboard, changes it and deletes it after asking", async () => {
    await using opened = await house.open({ path: "/console/groups" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "New group" }).press("Enter");
    const form = page.getByRole("dialog", { name: "New group" });
    await form.getByLabel("Name").fill("vip customers");
    await form.getByLabel("Multiplier").fill("cheap");
    await page.keyboard.press("Enter");
    await form.getByText("A number such as 1 or 0.8.").waitFor();
    await form.getByLabel("Multiplier").fill("0.75");
    await form.getByLabel("Requests per minute").fill("60");
    await page.keyboard.press("Enter");
    await page.getByText("vip customers was saved").waitFor();
    await page.getByRole("button", { name: "vip customers" }).click();
    const drawer = page.getByRole("dialog", { name: "vip customers" });
    await drawer.getByText("× 0.75").waitFor();
    await drawer.getByText("No channel serves this group").waitFor();
    await drawer.getByRole("button", { name: "Edit" }).click();
    const change = page.getByRole("dialog", { name: "vip customers" }).last();
    await change.getByLabel("Requests per minute").fill("");
    await change.getByRole("button", { name: "Save" }).click();
    await page.getByLabel("Requests per minute").waitFor({ state: "detached" });
    await drawer.getByRole("button", { name: "Delete" }).click();
    const ask = page.getByRole("dialog", { name: "Delete vip customers?" });
    await ask.getByRole("button", { name: "Delete" }).click();
    await page.getByText("vip customers was deleted").waitFor();
    expect(faults).toEqual([]);
  });

  test("shows who is in it, refuses to delete what is used, and locks what is declared", async () => {
    await using opened = await house.open({ path: "/console/groups/partners" });
    const { page, faults } = opened;
    const drawer = page.getByRole("dialog", { name: "partners" });
    await drawer.getByRole("link", { name: "theirs" }).waitFor();
    await drawer.getByRole("button", { name: "Delete" }).click();
    const ask = page.getByRole("dialog", { name: "Delete partners?" });
    await ask.getByRole("button", { name: "Delete" }).click();
    await ask.getByRole("alert").getByText("Already in use").waitFor();
    await page.goto("/console/groups/filed");
    const filed = page.getByRole("dialog", { name: "filed" });
    await filed.getByText("Declared in sluice.yaml").waitFor();
    expect(await filed.getByRole("button", { name: "Delete" }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("is not there for members, and says what failed", async () => {
    await using member = await house.open({ as: "ann", path: "/console/groups" });
    expect(await member.page.getByRole("button", { name: "New group" }).count()).toBe(0);
    await using opened = await house.open({ path: "/console/keys" });
    const { page } = opened;
    await page.route("**/api/group?*", async (route) => {
      const json = { success: false, message: "no", code: "overloaded", param: null };
      await route.fulfill({ json });
    });
    await page.goto("/console/groups");
    await page.getByRole("alert").getByText("too busy").waitFor();
  });
});
