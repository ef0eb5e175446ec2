// The ledger, the settings and the status in the console, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax, type Page } from "../../../harness/chromium.ts";
import { answerWith, refuse } from "../../../harness/e2e/answers.ts";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

/** The part of a page that the functions need that run inside it. */
declare function getComputedStyle(of: object): { color: string };

const config = 'sandbox: "on"\n';
let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole(config);
  await house.addMember("ann");
  const { gateway } = house;
  const input = { name: "laptop", account: "ann" };
  const { key } = await gateway.control<{ key: string }>("POST", "/api/token", input);
  const messages = [{ role: "user", content: "hello" }];
  const reply = await gateway.post("/v1/chat/completions", { model: "chatA", messages }, key);
  expect(reply.status).toBe(200);
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

const hold = {
  id: "req_held",
  kind: "request",
  account: "ann",
  key_id: "key_1",
  group: "default",
  model: "chatA",
  micros: 300,
  price: "",
  created_at: 1_700_000_000,
  age_seconds: 72,
};
const verdict = {
  ok: false,
  at: 1_700_000_000,
  took_ms: 12,
  rows: { accounts: 2, keys: 1, holds: 1, entries: 3 },
  invariants: [
    { name: "a limited account is never overdrawn", holds: true, violations: [] },
    { name: "a closed hold is not open", holds: false, violations: [{ id: "req_twice" }] },
  ],
};
/** Answers of a gateway at work, and of one whose books are broken. */
async function withTrouble(page: Page): Promise<void> {
  const holds = { items: [hold], total: 1, page: 1, page_size: 50, micros: 300 };
  await answerWith(page, "/api/hold?*", holds);
  await answerWith(page, "/api/ledger/verify", verdict);
}

describe("the pages of the books and of the gateway", () => {
  test("show the lines of some days, both of them included", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/ledger" });
    const { page, faults } = opened;
    const lines = page.getByRole("cell", { name: "starting quota" });
    await lines.waitFor();
    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel("From day").fill(today);
    await page.getByLabel("To day").fill(today);
    await lines.waitFor();
    const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
    expect(new URL(page.url()).search).toBe(`?from=${today}&to=${tomorrow}`);
    await page.getByLabel("From day").fill("2020-01-01");
    await page.getByLabel("To day").fill("2020-01-31");
    await lines.waitFor({ state: "detached" });
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("print the statement of a month, whose sums are the account's", async () => {
    for (const width of [1440, 390] as const) {
      const path = "/console/ledger?part=statement";
      await using opened = await house.open({ as: "ann", path, width, theme: "dark" });
      const { page, faults } = opened;
      const paper = page.getByRole("article", { name: /^Statement of ann, / });
      await paper.waitFor();
      const { closing_micros: left } = await house.gateway.control<{ closing_micros: number }>(
        "GET",
        "/api/statement?account=ann",
      );
      const closing = paper.getByRole("row").filter({ hasText: "Closing balance" });
      expect(await closing.textContent()).toContain(`$${(left / 1e6).toFixed(6)}`);
      await paper.getByRole("row").filter({ hasText: "chatA" }).getByText("laptop").waitFor();
      expect(await sidewaysOf(page)).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      await page.emulateMedia({ media: "print" });
      for (const gone of [page.getByRole("tablist"), page.getByRole("navigation").first()])
        expect(await gone.isVisible()).toBe(false);
      expect(await page.getByRole("button").filter({ visible: true }).count()).toBe(0);
      await closing.waitFor();
      const ink = await page.locator("body").evaluate((body) => getComputedStyle(body).color);
      expect(ink).toBe("rgb(20, 25, 31)");
      await page.emulateMedia({ media: null });
      expect(faults).toEqual([]);
    }
  });

  test("ask an operator whose statement, and show it of a month before", async () => {
    await using opened = await house.open({ path: "/console/ledger?part=statement" });
    const { page, faults } = opened;
    await page.getByText("Whose statement?").waitFor();
    await page.getByLabel("Username (exact)").fill("ann");
    await page.getByRole("article", { name: /^Statement of ann, / }).waitFor();
    await page.getByLabel("Month").selectOption({ index: 3 });
    await page.getByText("No charges in this month").waitFor();
    expect(page.url()).toMatch(/month=\d{4}-\d\d/);
    expect(faults).toEqual([]);
  });

  test("offer the command that takes a backup where none is known", async () => {
    await using opened = await house.open({ path: "/console/status" });
    const { page, faults } = opened;
    await page.getByText("sluice backup sluice.tar.gz").waitFor();
    expect(faults).toEqual([]);
  });

  test("show how an account adds up, and each term opens its lines", async () => {
    await using opened = await house.open({ path: "/console/ledger?account=ann" });
    const { page, faults } = opened;
    await page.getByText("balanced", { exact: true }).waitFor();
    await page.getByRole("cell", { name: "starting quota" }).waitFor();
    await page.getByRole("link", { name: /^Spent: / }).click();
    await page.waitForURL("**/ledger?account=ann&kind=post");
    await page.getByRole("cell", { name: "starting quota" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "chatA", exact: true }).press("Enter");
    const drawer = page.getByRole("dialog", { name: "charge" });
    await drawer.getByText("chatA").waitFor();
    await drawer.getByRole("link", { name: "laptop", exact: true }).waitFor();
    await drawer.getByRole("link", { name: "Open the request" }).waitFor();
    await page.keyboard.press("Escape");
    const file = await page.request.get("/api/ledger.csv?account=ann");
    expect(await file.text()).toContain("starting quota");
    await page.getByRole("link", { name: "Held: $0.000000" }).click();
    await page.getByRole("heading", { name: "No holds" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("show what is held by its age", async () => {
    await using opened = await house.open({ path: "/console/account" });
    const { page, faults } = opened;
    await withTrouble(page);
    await page.goto("/console/ledger?part=holds");
    await page.getByRole("cell", { name: "1 min 12 s" }).waitFor();
    await page.getByText("$0.000300 held in total").waitFor();
    expect(faults).toEqual([]);
  });

  test("show a member only their own, without what is the operator's", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/ledger" });
    const { page, faults } = opened;
    await page.getByRole("cell", { name: "starting quota" }).waitFor();
    await page.getByRole("link", { name: "Granted: $5.000000" }).waitFor();
    expect(await page.getByRole("tab").allTextContents()).toEqual(["Entries", "Statement"]);
    expect(await page.getByRole("columnheader", { name: "Possible loss" }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("verify the books, and name the rows that break a law", async () => {
    await using opened = await house.open({ path: "/console/ledger" });
    const { page, faults } = opened;
    await page.getByRole("tab", { name: "Verification" }).click();
    await page.getByRole("button", { name: "Verify now" }).click();
    await page.getByText("The ledger reconciles").waitFor();
    await withTrouble(page);
    await page.reload();
    await page.getByText("The ledger does not reconcile").waitFor();
    await page.getByText("req_twice").waitFor();
    // A verdict from before the start has its time alone: Status and Ledger say the same.
    const status = await house.gateway.control<{ process: object }>("GET", "/api/status");
    const process = { ...status.process, last_verify: { at: 1_700_000_000, ok: true } };
    await answerWith(page, "/api/status", { ...status, process });
    await answerWith(page, "/api/ledger/verify", null);
    await page.reload();
    await page.getByText("The ledger reconciled on Nov 14, 2023").waitFor();
    expect(faults).toEqual([]);
  });

  test("say on every page that the books are broken, to those who run it alone", async () => {
    await using opened = await house.open({ path: "/console/account" });
    const { page, faults } = opened;
    await withTrouble(page);
    const status = await house.gateway.control<{ process: object }>("GET", "/api/status");
    const last_verify = { at: 1_700_000_000, ok: false };
    await answerWith(page, "/api/status", {
      ...status,
      process: { ...status.process, last_verify },
    });
    await page.goto("/console/groups");
    const bar = page.getByRole("alert").filter({ hasText: "balances may be wrong" });
    await bar.getByRole("link", { name: "Show details" }).click();
    await page.getByText("req_twice").waitFor();
    await bar.waitFor();
    expect(faults).toEqual([]);
  });

  test("say of each setting what it is, whence it comes, and what waits", async () => {
    await using opened = await house.open({ path: "/console/settings" });
    const { page, faults } = opened;
    await page.getByLabel("Source").selectOption({ label: "All settings" });
    await page.getByRole("button", { name: "sandbox", exact: true }).waitFor();
    await page.getByLabel("Search names and descriptions").fill("drain_sec");
    await page.getByRole("cell", { name: "sandbox" }).waitFor({ state: "detached" });
    const text = `${config}server: { drain_seconds: 61 }\n`;
    await Bun.write(`${house.gateway.folder}/sluice.yaml`, text);
    await page.getByRole("button", { name: "Reload the file" }).click();
    await page.getByText("1 setting requires a restart.").waitFor();
    await page.getByRole("button", { name: "server.drain_seconds" }).click();
    const drawer = page.getByRole("dialog", { name: "server.drain_seconds" });
    await drawer.getByText("61 is set.").waitFor();
    expect(faults).toEqual([]);
  });

  test("say whether the gateway works, to a member without the machine's figures", async () => {
    await using root = await house.open({ path: "/console/status" });
    await root.page.getByText("All systems operational").waitFor();
    await root.page.getByText("Free disk").waitFor();
    await using member = await house.open({ as: "ann", path: "/console/status" });
    await member.page.getByText("All systems operational").waitFor();
    expect(await member.page.getByText("Free disk").count()).toBe(0);
    const failing = await refuse(member.page, "/api/status");
    await member.page.reload();
    await member.page.getByRole("alert").getByText("too busy").waitFor();
    failing.stop();
    await member.page.getByRole("button", { name: "Try again" }).click();
    await member.page.getByText("All systems operational").waitFor();
    expect([...root.faults, ...member.faults]).toEqual([]);
  });
});
