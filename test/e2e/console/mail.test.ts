// Every link that a letter has, followed as its reader follows it: in a real browser, from asking
// to being in. The links are those of the letters themselves.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { password } from "../../harness/browser.ts";
import { browserMsMax, type Page } from "../../harness/chromium.ts";
import { axeFindings } from "../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";
import { whoIsAt } from "../../harness/e2e/page.ts";
import { enrolApp } from "../../harness/factors/sign-in.ts";
import { Browser } from "../../harness/browser.ts";
import { linkIn, type ReadMail } from "../../harness/mail/read-mail.ts";
import { Mailbox, mailPassword, mailUser } from "../../harness/notices/mailbox.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await Mailbox.open();
  const { port } = mailbox;
  const access = { user: mailUser, password: mailPassword };
  const smtp = { host: "127.0.0.1", port, tls: "none", ...access, from: "sluice@gate.example" };
  const config = {
    sign_in: { link: "on" },
    accounts: { registration: "invitation" },
    mail: { smtp },
  };
  house = await openConsole(JSON.stringify(config));
  for (const name of ["ann", "bob", "cleo"]) await house.addMember(name);
}, browserMsMax);

afterAll(async () => {
  await house?.[Symbol.asyncDispose]();
  await mailbox[Symbol.asyncDispose]();
});

const boxOf = (name: string) => `${name}@box.example`;

async function isIn(page: Page, username: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: /Overview|概览/ }).waitFor();
  expect(await whoIsAt(page)).toBe(username);
  expect(new URL(page.url()).hash).toBe("");
}

/** Sets and proves an address past the pages, for tests that are about another link. */
async function giveAddress(name: string): Promise<Browser> {
  const at = await new Browser(house.gateway.url).signIn(name);
  await at.ask("POST", "/api/user/self/email", { email: boxOf(name), password });
  const token = linkIn(await mailbox.to(boxOf(name))).split("=")[1];
  await at.ask("POST", "/api/user/email/verify", { token });
  return at;
}

/** Asks for a letter at the door. */
async function askAtDoor(page: Page, button: string, who: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("textbox", { name: "Username or e-mail address" }).fill(who);
  await page.getByRole("button", { name: "Send email" }).click();
  await page.getByRole("status").getByText("If the account exists").waitFor();
}

const digitsIn = ({ text }: ReadMail) => /^\d{6}$/m.exec(text)?.[0] ?? "";

describe("the link of a letter", () => {
  test("proves the address that somebody set on the page of their account", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/account" });
    const { page } = opened;
    await page.getByRole("textbox", { name: "E-mail address" }).fill(boxOf("ann"));
    await page.getByRole("button", { name: "Add address" }).click();
    await page.getByLabel("Confirm it's you").fill(password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Pending confirmation").waitFor();
    const url = linkIn(await mailbox.to(boxOf("ann")));
    await using reader = await house.open({ as: null, path: url });
    await reader.page.getByRole("button", { name: "Confirm the address" }).click();
    await reader.page.getByText("The e-mail address is confirmed").waitFor();
    expect(new URL(reader.page.url()).hash).toBe("");
    await page.reload();
    await page.getByRole("button", { name: "Change address" }).waitFor();
    expect(await page.getByText("Pending confirmation").count()).toBe(0);
  });

  test("sets a new password, with the second factor where there is one, and lets in once", async () => {
    const at = await giveAddress("bob");
    const { app } = await enrolApp(at);
    await using opened = await house.open({ as: null, isAlone: true });
    await askAtDoor(opened.page, "Forgot your password?", boxOf("bob"));
    const url = linkIn(await mailbox.to(boxOf("bob"), 2));
    await using reader = await house.open({ as: null, path: url, isAlone: true });
    const { page } = reader;
    await page.getByLabel("New password").fill("a new long password");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByLabel("Code").fill(app.next());
    await page.getByRole("button", { name: "Continue" }).click();
    await isIn(page, "bob");
    await using late = await house.open({ as: null, path: url, isAlone: true });
    await late.page.getByLabel("New password").fill("yet another password");
    await late.page.getByRole("button", { name: "Set the password" }).click();
    await late.page.getByRole("alert").getByText("This link no longer works").waitFor();
  });

  test("signs in where it was asked for, and by its digits anywhere else", async () => {
    await giveAddress("cleo");
    await using asking = await house.open({ as: null, isAlone: true });
    await askAtDoor(asking.page, "Email me a sign-in link", "cleo");
    const first = await mailbox.about(boxOf("cleo"), "Sign in to");
    await using other = await house.open({ as: null, path: linkIn(first), isAlone: true });
    await other.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await other.page.getByLabel("Code from the e-mail").fill(digitsIn(first));
    await other.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await isIn(other.page, "cleo");
    await asking.page.getByRole("button", { name: "Back" }).click();
    await askAtDoor(asking.page, "Email me a sign-in link", "cleo");
    await asking.page.goto(linkIn(await mailbox.about(boxOf("cleo"), "Sign in to", 2)));
    await asking.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await isIn(asking.page, "cleo");
  });

  test("of an invitation leads to a form with its code", async () => {
    await using root = await house.open({ path: "/console/codes" });
    await root.page.getByRole("button", { name: "New invitation" }).click();
    await root.page.getByRole("textbox", { name: "E-mail address" }).fill(boxOf("dan"));
    await root.page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    const url = linkIn(await mailbox.to(boxOf("dan")));
    await using reader = await house.open({ as: null, path: url, isAlone: true });
    const { page } = reader;
    await page.getByLabel("Username").fill("dan");
    await page.getByLabel("Password").fill("a long password");
    await page.getByRole("button", { name: "Create an account" }).click();
    await isIn(page, "dan");
  });

  test("into an organisation waits for whoever signs in, and is taken by a button", async () => {
    const { gateway } = house;
    const { id } = await gateway.control<{ id: string }>("POST", "/api/organisation", {
      name: "acme",
    });
    await using root = await house.open({
      path: `/console/organisation?tab=invitations&as=${id}`,
    });
    const invite = async (name: string) => {
      await root.page.getByRole("button", { name: "Invite member" }).click();
      const form = root.page.getByRole("dialog", { name: "Invite member" });
      await form.getByRole("textbox", { name: "E-mail address" }).fill(boxOf(name));
      await form.getByRole("button", { name: "Create" }).click();
      const made = root.page.getByRole("dialog", { name: "New invitation" });
      await made.getByText("/#join=").waitFor();
      await made.getByRole("button").last().click();
      return linkIn(await mailbox.about(boxOf(name), "An invitation into acme"));
    };
    await using ann = await house.open({ as: "ann", path: await invite("ann") });
    await joinAt(ann.page);
    await house.addMember("eve");
    await using eve = await house.open({ as: null, path: await invite("eve"), isAlone: true });
    await eve.page.getByText("You are invited into an organisation").waitFor();
    await eve.page.getByLabel("Username").fill("eve");
    await eve.page.getByLabel("Password").fill(password);
    await eve.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await joinAt(eve.page);
    // Boxes of the tests above may be full.
    await house.addMember("fay");
    await using again = await house.open({ as: "fay", path: await invite("fay") });
    const ask = again.page.getByRole("dialog", { name: "An invitation" });
    await ask.getByRole("button", { name: "Cancel" }).click();
    await again.page.reload();
    await again.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(await ask.count()).toBe(0);
  });
});

async function joinAt(page: Page): Promise<void> {
  expect(new URL(page.url()).hash).toBe("");
  const ask = page.getByRole("dialog", { name: "An invitation" });
  await ask.getByRole("button", { name: "Join", exact: true }).click();
  await page.getByRole("button", { name: "Acting for acme" }).waitFor();
}

test("pages of letters have no fault of access, fit a phone, and are in both languages", async () => {
  const paths = [
    "/?letter=reset",
    "/?letter=mail",
    "/#reset=a",
    "/#email=a",
    "/#mail=a",
    "/?register=1",
  ];
  for (const language of ["en", "zh"] as const) {
    for (const path of [...paths, "/console/account"]) {
      const as = path === "/console/account" ? "ann" : null;
      const visit = { as, path, language, bypassesPolicy: true, width: 390 } as const;
      await using opened = await house.open(visit);
      expect([path, await axeFindings(opened.page)]).toEqual([path, []]);
      expect([path, await sidewaysOf(opened.page)]).toEqual([path, 0]);
    }
  }
});
