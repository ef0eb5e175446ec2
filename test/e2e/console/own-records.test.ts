// Records of oneself in the console, in a real browser: taken along as a file, and deleted.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole();
  for (const name of ["ann", "bob"]) await house.addMember(name);
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

test("the account page has all that is kept of oneself as a file", async () => {
  await using opened = await house.open({ as: "ann", path: "/console/account" });
  const { page, faults } = opened;
  const begun = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export my data" }).click();
  const file = await begun;
  expect(file.suggestedFilename()).toBe("account.json");
  const text = await Bun.file(await file.path()).text();
  expect(JSON.parse(text)).toMatchObject({ data: { account: { username: "ann" } } });
  expect(faults).toEqual([]);
});

test.each([1440, 390] as const)(
  "a low balance is warned of from one's own amount on (%d)",
  async (width) => {
    await using opened = await house.open({ as: "ann", path: "/console/account", width });
    const { page, faults } = opened;
    const card = page.getByRole("region", { name: "Low-balance notice" });
    const bar = page.getByText("Your balance is low: $5.00.");
    await card.getByLabel("Webhook").fill("ftp://example.org");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("must be an http or https address").first().waitFor();
    await card.getByLabel("Webhook").fill("");
    await card.getByLabel("Warn below").fill("7.5");
    await card.getByRole("button", { name: "Save" }).click();
    await bar.waitFor();
    expect(await sidewaysOf(page)).toBe(0);
    await card.getByLabel("Warn below").fill("");
    await card.getByRole("button", { name: "Save" }).click();
    await bar.waitFor({ state: "detached" });
    // A refusal is an error of the browser's own log.
    expect(faults.filter((fault) => !fault.includes("status of 400"))).toEqual([]);
  },
);

test.each([
  { who: "ann", language: "en", width: 1440, erase: "Delete my account", goOn: "Continue" },
  { who: "bob", language: "zh", width: 390, erase: "删除我的账户", goOn: "继续" },
] as const)("$who is deleted by themselves alone, in $language at $width", async (look) => {
  const { who, language, width, erase, goOn } = look;
  const visit = { as: who, path: "/console/account", language, width, isAlone: true } as const;
  await using opened = await house.open(visit);
  const { page, faults } = opened;
  await page.getByRole("button", { name: erase }).click();
  const ask = page.getByRole("dialog", { name: erase });
  expect(await sidewaysOf(page)).toBe(0);
  await ask.locator("input").fill("not the password");
  await ask.getByRole("button", { name: goOn }).click();
  await ask.getByRole("alert").waitFor();
  await ask.locator("input").fill(house.passwordOf(who));
  await ask.getByRole("button", { name: goOn }).click();
  await page.locator("input[autocomplete~=username]").waitFor();
  const path = `/api/user?q=${who}`;
  const { total } = await house.gateway.control<{ total: number }>("GET", path);
  expect(total).toBe(0);
  expect(faults).toEqual([]);
});
