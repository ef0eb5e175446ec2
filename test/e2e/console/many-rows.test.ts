// Lists of more rows than one page of the API has: counts, choices and warnings hold all of them.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { openConsole, type ConsoleHouse } from "../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

const rows = 101;
const numbers = Array.from({ length: rows }, (_, at) => String(at).padStart(3, "0"));

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole('sandbox: "off"\nlog: { level: error }\n');
  const { gateway } = house;
  await house.addMember("ann");
  // The first of each is in the last place of the lists, which have the newest or highest first.
  for (const number of numbers) {
    await gateway.control("POST", "/api/group", { name: `group ${number}` });
    await gateway.control("POST", "/api/channel", {
      name: `channel ${number}`,
      type: "openai",
      base_url: "https://vendor.test/v1",
      key: "sk-none",
      models: number === "100" ? ["m", "without-price"] : ["m"],
      groups: ["default", "group 100"],
      priority: 100 - Number(number),
    });
    const quota_micros = number === "000" ? 0 : 1_000_000;
    await gateway.control("POST", "/api/token", {
      name: `key ${number}`,
      account: "ann",
      quota_micros,
    });
    await gateway.control("POST", "/api/access-token", { name: `token ${number}` });
  }
  await gateway.control("POST", "/api/price", { model: "m", call_micros: 1_000_000 });
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

test("groups count every channel, and people are put into any of them", async () => {
  await using groups = await house.open({ path: "/console/groups?q=group%20100" });
  await groups.page.getByRole("cell", { name: "101", exact: true }).waitFor();
  await using people = await house.open({ path: "/console/people" });
  const { page } = people;
  await page.getByRole("button", { name: "New account" }).click();
  const choice = page.getByRole("dialog").getByLabel("Group", { exact: true });
  await choice.locator("option", { hasText: "group 100" }).waitFor({ state: "attached" });
  expect([...groups.faults, ...people.faults]).toEqual([]);
});

test("a model without a price is told of, whichever channel serves it", async () => {
  await using opened = await house.open({ path: "/console/prices" });
  await opened.page.getByRole("button", { name: "without-price" }).waitFor();
  expect(opened.faults).toEqual([]);
});

test("the overview names the key that is spent, also where it is the oldest", async () => {
  await using opened = await house.open({ as: "ann", path: "/" });
  await opened.page.getByRole("link", { name: "key 000" }).waitFor();
  expect(opened.faults).toEqual([]);
});

test("an account shows every access token, so that each can be revoked", async () => {
  await using opened = await house.open({ path: "/console/account" });
  for (const number of ["000", "100"])
    await opened.page.getByText(`token ${number}`, { exact: true }).waitFor();
  expect(opened.faults).toEqual([]);
});

test("a capture finds each key by its name and each channel among its choices", async () => {
  await using opened = await house.open({ path: "/console/requests" });
  const { page, faults } = opened;
  await page.getByRole("button", { name: "Capture" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Channel").selectOption({ label: "channel 100" });
  await form.getByLabel("Key name begins with").fill("key 000");
  const key = form.getByLabel("Key", { exact: true });
  await key.locator("option", { hasText: "key 000" }).waitFor({ state: "attached" });
  expect(await key.locator("option").count()).toBe(2);
  await form.getByLabel("Key name begins with").fill("");
  await key.locator("option", { hasText: "key 100" }).waitFor({ state: "attached" });
  expect(faults).toEqual([]);
});
