// An import from another gateway in a real browser: uploaded, planned, run and read.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { browserMsMax, type Page } from "../../../harness/chromium.ts";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../../harness/e2e/console.ts";
import { goTo } from "../../../harness/e2e/walk.ts";
import { Folder } from "../../../harness/folder.ts";
import { LineageDatabase } from "../../../import/lineage-database.ts";

setDefaultTimeout(60_000);

const widths = [1280, 390] as const;
const textFile = { name: "old.db", mimeType: "text/plain", buffer: Buffer.from("no database") };
const room = new Folder();
let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole('sandbox: "off"\n');
  for (const width of widths) makeSource(width);
}, browserMsMax);

afterAll(async () => {
  await house?.[Symbol.asyncDispose]();
  room[Symbol.dispose]();
});

function fileFor(width: number): string {
  return join(room.path, `old-${width}.db`);
}

function makeSource(width: number): void {
  using database = new LineageDatabase(fileFor(width), "new-api");
  database.add("users", { id: 1, username: `alice-${width}`, password: "", quota: 500_001 });
  database.add("users", { id: 2, username: `debtor-${width}`, password: "", quota: -77 });
  database.add("channels", { type: 15, key: "k", name: `baidu-${width}`, models: "ernie" });
  database.option("RegisterEnabled", "false");
}

test.each(widths)("a source is uploaded, planned, imported and told of at %d px", async (width) => {
  const visit = { path: "/console/operations", width, bypassesPolicy: true };
  await using opened = await house.open(visit);
  const { page, faults } = opened;
  const card = page.getByRole("region", { name: "Import from another gateway" });
  await card.getByRole("button", { name: "Dry run" }).click();
  const form = page.getByRole("dialog", { name: "Import from another gateway" });
  await form.getByRole("button", { name: "Dry run" }).click();
  const refusal = form.locator(".fault");
  await refusal.getByText("there is nothing to read yet").waitFor();
  await form.getByLabel("SQLite database").setInputFiles(textFile);
  await refusal.waitFor({ state: "detached" });
  await form.getByRole("button", { name: "Dry run" }).click();
  await refusal.getByText("is no SQLite database").waitFor();
  await form.getByLabel("PostgreSQL or MySQL address").fill("postgres://a:b@c/d");
  await refusal.waitFor({ state: "detached" });
  await form.getByLabel("PostgreSQL or MySQL address").fill("");
  await form.getByLabel("SQLite database").setInputFiles(fileFor(width));
  await form.getByLabel("Source name").fill(`old-${width}`);
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole("button", { name: "Dry run" }).click();
  const plan = page.getByRole("region", { name: "Dry run of new-api" });
  await plan.getByText("The totals match exactly.").waitFor();
  await plan.getByText("Not imported: debts").waitFor();
  await plan.getByText(`channel baidu-${width}`).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await sidewaysOf(page)).toBe(0);
  await card.getByRole("button", { name: "Import now" }).click();
  const sure = page.getByRole("dialog", { name: "Import now" });
  await sure.getByRole("button", { name: "Import now" }).click();
  const made = page.getByRole("region", { name: "Import from new-api" });
  await made.getByText("Credited, per the ledger").waitFor();
  await made.getByText("Done").waitFor();
  const coming = page.waitForEvent("download");
  await made.getByRole("button", { name: "Download the report" }).click();
  const report = await Bun.file(await (await coming).path()).json();
  expect(report).toMatchObject({ dry_run: false, money: { granted_micros: 1_000_002 } });
  expect(await axeFindings(page)).toEqual([]);
  expect(await sidewaysOf(page)).toBe(0);
  expect(await card.getByRole("button", { name: "Delete the upload" }).count()).toBe(0);
  expect(faults.filter((fault) => !fault.includes("status of 40"))).toEqual([]);
});

const liteLlmFile = (text: string) => ({
  name: "config.yaml",
  mimeType: "text/yaml",
  buffer: Buffer.from(text),
});
const deployments = `model_list:
  - model_name: quick
    litellm_params: { model: openai/quick-1, api_key: os.environ/QUICK_KEY }
  - model_name: own
    litellm_params: { model: hosted_vllm/own-1, api_base: http://10.0.0.5/v1 }
router_settings: { fallbacks: [{ quick: [own] }] }
`;

test("LiteLLM's file is planned in words of the page, and what cannot be read says so", async () => {
  await using opened = await house.open({ path: "/console/operations", width: 390 });
  const { page, faults } = opened;
  const card = page.getByRole("region", { name: "Import from another gateway" });
  const form = page.getByRole("dialog", { name: "Import from another gateway" });
  const planned = page.getByRole("region", { name: "Dry run of LiteLLM" });
  const ask = async (fill: () => Promise<void>) => {
    await card.getByRole("button", { name: "Dry run" }).click();
    await form.getByLabel("Program").selectOption({ label: "LiteLLM" });
    await fill();
    await form.getByRole("button", { name: "Dry run" }).click();
    await form.waitFor({ state: "detached" });
  };
  await ask(async () => {
    const broken = "model_list: [\n  - { api_key: key-of-a-vendor";
    await form.getByLabel("config.yaml").setInputFiles(liteLlmFile(broken));
  });
  await planned.getByText("the source is no YAML").waitFor();
  expect(await planned.innerText()).not.toContain("key-of-a-vendor");
  await ask(async () => {
    await form.getByText("config.yaml is uploaded").waitFor();
    await form.getByLabel("config.yaml").setInputFiles(liteLlmFile("general_settings: {}"));
  });
  await planned.getByText("model_list is not in the file").waitFor();
  await ask(async () => {
    await form.getByLabel("config.yaml").setInputFiles(liteLlmFile(deployments));
    await form.getByLabel("PostgreSQL or MySQL address").fill("postgres://a:b@127.0.0.1:1/c");
  });
  await planned.getByText("the database cannot be opened").waitFor();
  await ask(async () => {
    await form.getByLabel("Variables used in the file").fill("OTHER_KEY=key-of-a-vendor");
  });
  await planned.getByText("needs QUICK_KEY of the environment, which was not given").waitFor();
  await planned.getByText("fallbacks does not come: a virtual model").waitFor();
  await planned.getByText("where those are allowed").waitFor();
  expect(await sidewaysOf(page)).toBe(0);
  await card.getByRole("button", { name: "Import now" }).click();
  const sure = page.getByRole("dialog", { name: "Import now" });
  await sure.getByRole("button", { name: "Import now" }).click();
  const made = page.getByRole("region", { name: "Import from LiteLLM" });
  await made.getByText("Credited, per the ledger").waitFor();
  expect(faults).toEqual([]);
});

/** A dry run of the file, up to the question whether to import. */
async function plan(page: Page) {
  const card = page.getByRole("region", { name: "Import from another gateway" });
  const submit = card.getByRole("button", { name: "Import now" });
  const again = card.getByText("repeat the dry run here");
  await card.getByRole("button", { name: "Dry run" }).click();
  const form = page.getByRole("dialog", { name: "Import from another gateway" });
  await form.getByLabel("SQLite database").setInputFiles(fileFor(1280));
  await form.getByRole("button", { name: "Dry run" }).click();
  await submit.click();
  await page.getByRole("dialog", { name: "Import now" }).waitFor();
  return { submit, again };
}

/** To another page and back, as links lead there. */
async function leaveAndReturn(page: Page) {
  await goTo(page, "/console/keys");
  await goTo(page, "/console/operations");
}

test("an open question outlives a visit to another page, and begins its own dry run alone", async () => {
  await using opened = await house.open({ path: "/console/operations" });
  const { page, faults } = opened;
  const { submit, again } = await plan(page);
  await leaveAndReturn(page);
  await submit.waitFor();
  const body = { program: "new-api", source: "another", dry_run: true };
  await house.gateway.control("POST", "/api/import/run", body);
  await leaveAndReturn(page);
  await again.waitFor();
  expect(await submit.count()).toBe(0);
  expect(faults).toEqual([]);
});

test("an open question is forgotten with a sign-out", async () => {
  await using opened = await house.open({ path: "/console/operations", isAlone: true });
  const { page, faults } = opened;
  const { submit, again } = await plan(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("sign out");
  await page.keyboard.press("Enter");
  await page.getByLabel("Username").fill("root");
  await page.getByLabel("Password").fill(house.passwordOf("root"));
  await page.keyboard.press("Enter");
  await again.waitFor();
  expect(await submit.count()).toBe(0);
  expect(faults).toEqual([]);
});
