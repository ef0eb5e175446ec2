// Virtual models in the console, in a real browser: made, looked into, changed and deleted, also on
// a telephone.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { openConsole, type ConsoleHouse } from "../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole("models:\n  - {name: filed, members: [{model: chatA}]}\n");
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

describe("the page of virtual models", () => {
  test("makes one, names the line that is wrong, changes it and deletes it", async () => {
    await using opened = await house.open({ path: "/console/virtual" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "New virtual model" }).click();
    const form = page.getByRole("dialog", { name: "New virtual model" });
    await form.getByLabel("Name").fill("best");
    await form.getByLabel("Members").fill("chatA weight=9\nnothing-serves-it");
    await form.getByRole("button", { name: "New virtual model" }).click();
    await form.getByText("names nothing that a channel serves").first().waitFor();
    await form.getByLabel("Members").fill("chatA weight=9\nchatB when=refused");
    await form.getByRole("button", { name: "New virtual model" }).click();
    await page.getByText("best was saved").waitFor();
    await page.getByRole("button", { name: "best" }).click();
    const drawer = page.getByRole("dialog", { name: "best" });
    await drawer.getByText("chatB when=refused").waitFor();
    await drawer.getByRole("button", { name: "Delete" }).click();
    const ask = page.getByRole("dialog", { name: "Delete best?" });
    await ask.getByRole("button", { name: "Delete" }).click();
    await page.getByText("best was deleted").waitFor();
    // The refusal that was asked for is the only one.
    expect(faults.filter((fault) => !fault.includes("400"))).toEqual([]);
  });

  test("shows a weighted set by its shares, and a chain in its order", async () => {
    const members = [
      { model: "chatA", weight: 90 },
      { model: "chatB", weight: 30 },
    ];
    await house.gateway.control("POST", "/api/virtual-model", { name: "trial", members });
    const chain = { name: "chain", members: [{ model: "chatA" }, { model: "chatB" }] };
    await house.gateway.control("POST", "/api/virtual-model", chain);
    await using opened = await house.open({ path: "/console/virtual" });
    const { page, faults } = opened;
    await page.getByText("chatA 75.0 % · chatB 25.0 %").waitFor();
    await page.getByText("chatA → chatB").waitFor();
    await page.getByRole("button", { name: "trial" }).click();
    const set = page.getByRole("dialog", { name: "trial" });
    await set.getByRole("heading", { name: "First member, by weight" }).waitFor();
    const second = set.getByRole("listitem").filter({ hasText: "chatB weight=30" });
    await second.getByText("25.0 %").waitFor();
    expect(await set.getByText("Then, in order").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("fits a telephone, and locks what is declared", async () => {
    await using opened = await house.open({ path: "/console/virtual/filed" });
    const { page, faults } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    const filed = page.getByRole("dialog", { name: "filed" });
    await filed.getByText("Declared in sluice.yaml").waitFor();
    expect(await filed.getByRole("button", { name: "Edit" }).count()).toBe(0);
    const overflow = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    expect(await page.evaluate(overflow)).toBe(false);
    expect(faults).toEqual([]);
  });
});
