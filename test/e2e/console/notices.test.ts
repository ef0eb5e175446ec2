// The list of notices in the console, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { NoticeView } from "../../../src/admin/contract.ts";
import { browserMsMax } from "../../harness/chromium.ts";
import { answerWith } from "../../harness/e2e/answers.ts";
import { axeFindings } from "../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole();
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

const path = "/console/settings?view=notices";
const at = 1_790_000_000;
const arrived = {
  destination: "ops",
  attempts: 1,
  delivered_at: at,
  next_attempt_at: null,
  error: null,
};
const failed = { ...arrived, destination: "", delivered_at: null, error: "the hook answered 500" };
const items: NoticeView[] = [
  {
    id: "ntc_1",
    kind: "disk_full",
    text: "The disk has 1 % left.",
    details: {},
    at,
    ended_at: null,
    deliveries: [arrived, failed],
  },
  {
    id: "ntc_2",
    kind: "low_balance",
    text: "ann has $0.10 left.",
    details: {},
    at,
    ended_at: at,
    deliveries: [],
  },
];

describe("the list of notices", () => {
  test("says that nothing has needed a person yet, beside the settings", async () => {
    await using opened = await house.open({ path: "/console/settings" });
    const { page, faults } = opened;
    await page.getByRole("link", { name: "Notices", exact: true }).click();
    await page.getByRole("heading", { name: "Nothing has needed a person" }).waitFor();
    expect(page.url()).toEndWith(path);
    expect(faults).toEqual([]);
  });

  test.each([1440, 390] as const)("has what lasts and what arrived, at %p", async (width) => {
    await using opened = await house.open({ path: "/console/account", width });
    const { page, faults } = opened;
    const listed = { items, total: items.length, page: 1, page_size: 50 };
    await answerWith(page, "/api/notice?*", listed);
    await page.goto(path);
    const [lasting, ended] = ["The disk has 1 % left.", "ann has $0.10 left."].map((text) =>
      page.getByRole("row").filter({ hasText: text }),
    );
    await lasting?.getByText("Disk nearly full").waitFor();
    await lasting?.getByText("Ongoing").waitFor();
    await lasting?.getByText(/^ops: arrived /).waitFor();
    await lasting?.getByText("the account's address: not delivered").waitFor();
    await lasting?.getByText("the hook answered 500").waitFor();
    await ended?.getByText(/^Ended /).waitFor();
    expect(await sidewaysOf(page)).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
