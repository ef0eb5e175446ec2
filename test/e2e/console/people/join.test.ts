// The link of an invitation into an organisation, for whoever has no account yet.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { newCompany, type Company } from "../../../harness/accounts/organisation.ts";
import { browserMsMax } from "../../../harness/chromium.ts";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

const houses = {} as Record<"open" | "invitation", { house: ConsoleHouse; acme: Company }>;

beforeAll(async () => {
  for (const registration of ["open", "invitation"] as const) {
    const house = await openConsole(`accounts: { registration: ${registration} }\n`);
    houses[registration] = { house, acme: await newCompany(house.gateway, "acme") };
  }
}, browserMsMax);

afterAll(async () => {
  for (const { house } of Object.values(houses)) await house[Symbol.asyncDispose]();
});

/** The plain page that stands before an address with a fragment has no icon. */
function consoleFaults(faults: readonly string[]): string[] {
  return faults.filter((fault) => !fault.includes("404"));
}

async function newLink({ people, as }: Company, role: string): Promise<string> {
  const body = { role };
  const { code } = await people.owner.ask<{ code: string }>("POST", `/api/invitation?${as}`, body);
  return `/#join=${encodeURIComponent(code)}`;
}

test("where registration is open it leads into the organisation by a new account, and names what it offers", async () => {
  const { house, acme } = houses.open;
  const path = await newLink(acme, "viewer");
  await using opened = await house.open({ as: null, path, isAlone: true });
  const { page, faults } = opened;
  await page.getByText("Sign in or create an account to join it.").waitFor();
  await page.getByRole("button", { name: "Create an account" }).click();
  expect(await page.getByLabel("Invitation").count()).toBe(0);
  await page.getByLabel("Username").fill("newcomer");
  await page.getByLabel("Password").fill("a long password");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "An invitation" });
  await dialog.getByText("acme-owner invites you into the organisation acme, as viewer.").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Join", exact: true }).click();
  await page.getByRole("button", { name: "Acting for acme" }).waitFor();
  expect(consoleFaults(faults)).toEqual([]);
});

test.each([{ width: 1440 }, { width: 390 }])(
  "where registration needs a code of the gateway it says so: %o",
  async (look) => {
    const { house, acme } = houses.invitation;
    const path = await newLink(acme, "member");
    await using opened = await house.open({ ...look, as: null, path, isAlone: true });
    const { page, faults } = opened;
    await page.getByText("needs an invitation code of this gateway as well").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
    expect(consoleFaults(faults)).toEqual([]);
  },
);

test("a code that brings nobody in says so before it is taken", async () => {
  const { house } = houses.open;
  await house.addMember("bob");
  await using opened = await house.open({ as: "bob", path: "/#join=inv-nothing", isAlone: true });
  const dialog = opened.page.getByRole("dialog", { name: "An invitation" });
  await dialog.getByRole("alert").waitFor();
  expect(await dialog.getByText("invites you").count()).toBe(0);
});
