// The ledger, the settings and the status in the console, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax, type Page } from "../../harness/chromium.ts";
import { answerWith, refuse } from "../../harness/e2e/answers.ts";
import { axeFindings } from "../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole('sandbox: "on"\n');
  await house.addMember("ann");
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

const balance = {
  account: "ann",
  unlimited: false,
  granted_micros: 5_000_000,
  available_micros: 4_999_000,
  held_micros: 300,
  spent_micros: 700,
  adds_up: true,
  grants: { count: 1, micros: 5_000_000 },
  posts: { count: 2, micros: 700 },
  voids: { count: 0, micros: 0 },
  holds: { count: 1, micros: 300 },
};
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
const setting = {
  name: "server.port",
  value: 8080,
  default: 3000,
  source: "file",
  variable: "PORT",
  description: "Port to listen on.",
  live: false,
  pending: 9090,
};
const settings = {
  file: "sluice.yaml",
  loaded_at: 1_700_000_000,
  items: [setting, { ...setting, name: "sandbox", value: "on", source: "default", pending: null }],
};

/** The books, as a gateway tells them that has something to tell. */
async function withBooks(page: Page): Promise<void> {
  await answerWith(page, "/api/user/*/balance", balance);
  const holds = { items: [hold], total: 1, page: 1, page_size: 50, micros: 300 };
  await answerWith(page, "/api/hold?*", holds);
  await answerWith(page, "/api/ledger/verify", verdict);
  await answerWith(page, "/api/setting", settings);
  await answerWith(page, "/api/setting/reload", settings);
}

describe("the pages of the books and of the gateway", () => {
  test("show how an account adds up, and each term opens its lines", async () => {
    await using opened = await house.open({ path: "/console/account" });
    const { page, faults } = opened;
    await withBooks(page);
    await page.goto("/console/ledger?account=ann");
    await page.getByRole("cell", { name: "starting quota" }).waitFor();
    await page.getByRole("cell", { name: "+$5.000000" }).waitFor();
    await page.getByText("adds up", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Granted: $5.000000" }).click();
    await page.waitForURL("**/ledger?account=ann&kind=grant");
    await page
      .getByRole("button", { name: /\d\d:\d\d:\d\d/ })
      .first()
      .press("Enter");
    await page.getByRole("dialog", { name: "credit" }).getByText("starting quota").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Held: $0.000300" }).click();
    await page.getByRole("cell", { name: "1 min 12 s" }).waitFor();
    await page.getByText("$0.000300 held in all").waitFor();
    expect(faults).toEqual([]);
  });

  test("show a member only their own, without what is the operator's", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/account" });
    const { page, faults } = opened;
    await answerWith(page, "/api/user/self/balance", balance);
    await page.goto("/console/ledger");
    await page.getByRole("cell", { name: "starting quota" }).waitFor();
    await page.getByRole("link", { name: "Spent: $0.000700" }).waitFor();
    expect(await page.getByRole("tab").count()).toBe(0);
    expect(await page.getByRole("columnheader", { name: "Possible loss" }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("verify the books, and name the rows that break a law", async () => {
    await using opened = await house.open({ path: "/console/account" });
    const { page, faults } = opened;
    await withBooks(page);
    await page.goto("/console/ledger");
    await page.getByRole("tab", { name: "Verification" }).click();
    const asked = page.waitForRequest((request) => request.method() === "POST");
    await page.getByRole("button", { name: "Verify now" }).click();
    expect((await asked).url()).toEndWith("/api/ledger/verify");
    await page.getByText("The books do not agree").waitFor();
    await page.getByText("req_twice").waitFor();
    expect(faults).toEqual([]);
  });

  test("say of each setting what it is, whence it comes, and what waits", async () => {
    await using opened = await house.open({ path: "/console/account" });
    const { page, faults } = opened;
    await withBooks(page);
    await page.goto("/console/settings");
    await page.getByText("1 setting waits for a restart.").waitFor();
    await page.getByLabel("Search names and descriptions").fill("server.p");
    await page.getByRole("cell", { name: "sandbox" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "server.port" }).click();
    const drawer = page.getByRole("dialog", { name: "server.port" });
    await drawer.getByText("The file says 9090 by now").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Reload the file" }).click();
    await page.getByText("The file was read again").waitFor();
    expect(faults).toEqual([]);
  });

  test("say whether the gateway works, to a member without the machine's figures", async () => {
    await using root = await house.open({ path: "/console/status" });
    await root.page.getByText("The gateway takes requests").waitFor();
    await root.page.getByText("Free disk").waitFor();
    await using member = await house.open({ as: "ann", path: "/console/status" });
    await member.page.getByText("The gateway takes requests").waitFor();
    expect(await member.page.getByText("Free disk").count()).toBe(0);
    const failing = await refuse(member.page, "/api/status");
    await member.page.reload();
    await member.page.getByRole("alert").getByText("too busy").waitFor();
    failing.stop();
    await member.page.getByRole("button", { name: "Try again" }).click();
    await member.page.getByText("The gateway takes requests").waitFor();
    expect([...root.faults, ...member.faults]).toEqual([]);
  });

  test.each([
    { theme: "light", language: "en", width: 1440 },
    { theme: "dark", language: "zh", width: 390 },
  ] as const)("are clean for axe and never scroll sideways (%o)", async (look) => {
    const path = "/console/account";
    await using opened = await house.open({ ...look, path, bypassesPolicy: true });
    const { page, faults } = opened;
    await withBooks(page);
    const parts = ["ledger?account=ann", "ledger?part=holds", "ledger?part=proof", "settings"];
    for (const part of parts) {
      await page.goto(`/console/${part}`);
      await page.getByRole("table").first().waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await sidewaysOf(page)).toBe(0);
    }
    await page.goto("/console/status");
    await page.getByRole("img").first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
