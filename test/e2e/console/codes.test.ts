// Invitations, codes for credit, announcements and the audit trail, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { refuse } from "../../harness/e2e/answers.ts";
import { openConsole, type ConsoleHouse } from "../../harness/e2e/console.ts";
import { whoIsAt } from "../../harness/e2e/page.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole();
  await house.addMember("ann");
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

describe("what operators hand out and write down", () => {
  test("makes an invitation that is shown once, and takes it back", async () => {
    await using opened = await house.open({ path: "/console/codes" });
    const { page, faults } = opened;
    await page.getByRole("heading", { name: "No invitations" }).waitFor();
    await page.getByRole("button", { name: "New invitation" }).click();
    const form = page.getByRole("dialog", { name: "New invitation" });
    await form.getByLabel("Note").fill("for the team");
    await page.keyboard.press("Enter");
    const shown = page.getByRole("dialog", { name: "New invitation" });
    const secret = (await shown.locator("code").first().textContent()) ?? "";
    await shown.getByRole("button", { name: "I have saved it" }).click();
    await page.getByRole("cell", { name: "0 of 1" }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("button", { name: "Actions for for the team" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("heading", { name: "No invitations" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("says that registration is off where invitations are made and used, and turns it on", async () => {
    await using root = await house.open({ path: "/console/codes" });
    const { page, faults } = root;
    await page.getByRole("button", { name: "New invitation" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    const made = page.getByRole("dialog");
    await made.getByText("Registration is off").waitFor();
    const link = (await made.locator("code").last().textContent()) ?? "";
    await using invited = await house.open({ as: null, path: new URL(link).search, isAlone: true });
    const { page: door } = invited;
    await door.getByRole("alert").getByText("Registration is off").waitFor();
    expect(await door.getByLabel("Username").count()).toBe(0);
    await made.getByRole("button", { name: "Allow registration by invitation" }).click();
    await made.getByText("Registration is off").waitFor({ state: "detached" });
    await door.goto(link);
    await door.getByLabel("Username").fill("ida");
    await door.getByLabel("Password").fill("a password of eight");
    await door.getByRole("button", { name: "Create an account" }).click();
    await door.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(await whoIsAt(door)).toBe("ida");
    expect([...faults, ...invited.faults]).toEqual([]);
  });

  test("makes many codes at once, with a file of them that is made in the browser", async () => {
    await using opened = await house.open({ path: "/console/codes?kind=credit" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "New codes" }).click();
    const form = page.getByRole("dialog", { name: "New codes" });
    await form.getByLabel("Name").fill("spring");
    await form.getByLabel("Amount").fill("0.5");
    await form.getByLabel("Quantity").fill("100");
    await form.getByRole("button", { name: "Create" }).click();
    const shown = page.getByRole("dialog", { name: "100 new codes" });
    const secrets = ((await shown.locator("code").textContent()) ?? "").split("\n");
    expect(secrets).toHaveLength(100);
    const coming = page.waitForEvent("download");
    await shown.getByRole("link", { name: "As CSV" }).click();
    const text = await new Response(await Bun.file(await (await coming).path()).text()).text();
    const lines = text.trim().split("\r\n");
    expect(lines).toHaveLength(101);
    expect(lines[1]).toBe(`spring,${secrets[0]},500000`);
    await shown.getByRole("button", { name: "I have saved it" }).click();
    await page.getByText("Page 1 of 2").waitFor();
    expect(faults).toEqual([]);
  });

  test("announces something that members then read, and removes it", async () => {
    await using opened = await house.open({ path: "/console/announcements" });
    const { page, faults } = opened;
    await page.getByRole("heading", { name: "No announcements" }).waitFor();
    await page.getByRole("button", { name: "New announcement" }).click();
    const form = page.getByRole("dialog", { name: "New announcement" });
    await form.getByLabel("Title").fill("Maintenance");
    await form.getByLabel("Text").fill("<b>On Sunday</b>");
    await form.getByRole("button", { name: "New announcement" }).click();
    await page.getByRole("button", { name: "Maintenance", exact: true }).waitFor();
    await using member = await house.open({ as: "ann", path: "/console/keys" });
    await member.page.getByText("<b>On Sunday</b>").waitFor();
    await page.getByRole("button", { name: "Actions for Maintenance" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No announcements" }).waitFor();
    expect([...faults, ...member.faults]).toEqual([]);
  });

  test("takes the start and the end of an announcement out again", async () => {
    const fields = { title: "Sale", text: "All of May.", starts_at: 1, ends_at: 2_000_000_000 };
    await house.gateway.control("POST", "/api/announcement", fields);
    await using opened = await house.open({ path: "/console/announcements" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Sale", exact: true }).click();
    const form = page.getByRole("dialog", { name: "Sale" });
    await form.getByLabel("Starts").fill("");
    await form.getByLabel("Ends").fill("");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Sale was published").waitFor();
    const { items } = await house.gateway.control<{ items: object[] }>(
      "GET",
      "/api/announcement?all=true",
    );
    expect(items).toMatchObject([{ title: "Sale", starts_at: null, ends_at: null }]);
    expect(faults).toEqual([]);
  });

  test("shows who did what, walks it by keys, and fails in words", async () => {
    await using opened = await house.open({ path: "/console/account" });
    const { page } = opened;
    const failing = await refuse(page, "/api/audit?*");
    await page.goto("/console/audit?action=user.create");
    await page.getByRole("alert").getByText("too busy").waitFor();
    failing.stop();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("cell", { name: "user.create" }).first().waitFor();
    await page.getByRole("button", { name: "Remove filter Action: user.create" }).click();
    // The one row of before had no next one to walk to.
    await page.getByRole("row").nth(2).waitFor();
    await page.getByRole("row").nth(1).getByRole("button").press("Enter");
    const drawer = page.getByRole("dialog");
    await drawer.waitFor();
    const first = page.url();
    await page.keyboard.press("j");
    await page.waitForURL((url) => url.href !== first);
    await drawer.getByRole("link", { name: "All entries of this action" }).click();
    await page.getByRole("button", { name: /^Remove filter Action/ }).click();
    await page.getByRole("combobox", { name: "Target" }).selectOption("user");
    await page.getByRole("combobox", { name: "Time" }).selectOption({ label: "Last 7 days" });
    await page.getByRole("cell", { name: "account ann acc_" }).first().waitFor();
    expect(await page.getByRole("combobox", { name: "Time" }).inputValue()).toBe("604800");
    const file = await page.request.get("/api/audit.csv");
    expect(await file.text()).toContain("user.create");
    await using member = await house.open({ as: "ann", path: "/console/audit" });
    await member.page.getByRole("heading", { name: "Page not found" }).first().waitFor();
  });
});
