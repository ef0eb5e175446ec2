// The links that sign someone in once, followed as their readers follow them: in a real browser,
// from where each is printed or shown.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Browser, password } from "../../harness/browser.ts";
import { browserMsMax, needBrowser, type Page } from "../../harness/chromium.ts";
import { runCommand } from "../../harness/command.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";
import { whoIsAt } from "../../harness/e2e/page.ts";
import { enrolApp } from "../../harness/factors/sign-in.ts";
import { startGateway } from "../../harness/gateway.ts";

setDefaultTimeout(60_000);

/** Part of a page that is needed by the functions that run inside it. */
declare const location: { href: string };

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole();
  for (const name of ["ann", "bob", "tom"]) await house.addMember(name);
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

const terminalColumns = 80;
const lostWords = "This link no longer works";

async function linkOf(username: string): Promise<string> {
  const { id } = await house.accountOf(username);
  const { url } = await house.gateway.control<{ url: string }>("POST", `/api/user/${id}/link`);
  return url;
}

/** Until the start of whoever it is, and that nothing of the link is left. */
async function isIn(page: Page, username: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: /Overview|概览/ }).waitFor();
  expect(await whoIsAt(page)).toBe(username);
  expect(new URL(page.url()).hash).toBe("");
}

/** Note the page's address each time that it asks for something. */
function noteWhere(): void {
  const askedAt: string[] = [];
  const send = globalThis.fetch;
  const noting = (...input: Parameters<typeof fetch>) => {
    askedAt.push(location.href);
    return send(...input);
  };
  Reflect.set(globalThis, "askedAt", askedAt);
  Reflect.set(globalThis, "fetch", noting);
}

describe("the sign-in link", () => {
  test("of a first start fits into a line of the terminal and lets root in, once", async () => {
    const environment = { SLUICE_ROOT_PASSWORD: "" };
    await using gateway = await startGateway({ environment, needsPublicUrl: true });
    const lines = gateway.output.split("\n");
    const printed = lines.find((line) => line.includes("#link=")) ?? "";
    expect(printed.length).toBeLessThanOrEqual(terminalColumns);
    const context = await (await needBrowser()).newContext();
    const page = await context.newPage();
    await page.goto(printed.trim());
    await isIn(page, "root");
    await context.clearCookies();
    await page.goto("about:blank");
    await page.goto(printed.trim());
    await page.getByRole("alert").getByText(lostWords).waitFor();
    await context.close();
  });

  test("of the command line lets its person in", async () => {
    const { out, code } = await runCommand({ folder: house.gateway.folder }, "user", "link", "ann");
    expect(code).toBe(0);
    expect(out.trim().length).toBeLessThanOrEqual(terminalColumns);
    await using opened = await house.open({ as: null, path: out.trim() });
    await isIn(opened.page, "ann");
    expect(opened.faults.filter((fault) => !fault.includes("401"))).toEqual([]);
  });

  test("of the page of people lets its person in", async () => {
    const { id } = await house.accountOf("ann");
    await using root = await house.open({ path: `/console/people/${id}` });
    await root.page.getByRole("button", { name: "Actions for" }).last().click();
    await root.page.getByRole("menuitem", { name: "Create sign-in link" }).click();
    await root.page.getByRole("button", { name: "Create sign-in link" }).click();
    const shown = root.page.getByRole("dialog", { name: "Sign-in link for ann" }).locator("code");
    await using opened = await house.open({ as: null, path: (await shown.textContent()) ?? "" });
    await isIn(opened.page, "ann");
  });

  test("is out of the address before anything is asked", async () => {
    const url = await linkOf("ann");
    await using opened = await house.open({ as: null, isAlone: true });
    const { page } = opened;
    await page.addInitScript(noteWhere);
    await page.goto("about:blank");
    await page.goto(url);
    await isIn(page, "ann");
    const asked = await page.evaluate(() => Reflect.get(globalThis, "askedAt") as string[]);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((address) => address.includes("link="))).toEqual([]);
    await page.goBack();
    expect(page.url()).not.toContain("link=");
  });

  test("works where it is pasted into a page that is open already", async () => {
    await using opened = await house.open({ as: null });
    await opened.page.goto(await linkOf("bob"));
    await isIn(opened.page, "bob");
  });

  test("asks for the second factor, in whichever language", async () => {
    const browser = new Browser(house.gateway.url);
    await browser.ask("POST", "/api/user/login", { username: "tom", password });
    const { recovery } = await enrolApp(browser);
    await using opened = await house.open({ as: null, path: await linkOf("tom") });
    const { page } = opened;
    await page.getByRole("heading", { level: 1, name: "Two-factor authentication" }).waitFor();
    expect(await whoIsAt(page)).toBeNull();
    // The half that is done stays done when the page is drawn anew.
    await page.getByRole("button", { name: "Language" }).click();
    await page.getByRole("menuitem", { name: "简体中文" }).click();
    await page.getByLabel("验证码").fill(recovery[0] ?? "");
    await page.keyboard.press("Enter");
    await isIn(page, "tom");
  });

  test("asks one who is signed in as somebody else, and stays out where that is not meant", async () => {
    const [first, second] = [await linkOf("bob"), await linkOf("bob")];
    await using opened = await house.open({ as: "ann", path: first, isAlone: true });
    const { page } = opened;
    await page.getByText("You are signed in as ann.").waitFor();
    expect(page.url()).not.toContain("link=");
    await page.getByRole("button", { name: "Stay signed in as ann" }).click();
    await isIn(page, "ann");
    await page.goto(second);
    await page.getByRole("button", { name: "Use link" }).click();
    await page.getByRole("link", { name: "bob" }).waitFor();
    await isIn(page, "bob");
    // It was not used, so it is still good.
    await using other = await house.open({ as: null, path: first });
    await isIn(other.page, "bob");
    await page.goto(first);
    await page.getByRole("button", { name: "Use link" }).click();
    await page.getByRole("alert").getByText(lostWords).waitFor();
    await page.getByRole("button", { name: "Stay signed in as bob" }).click();
    await isIn(page, "bob");
  });

  const looks = [
    { language: "en", words: lostWords, name: "Username", secret: "Password" },
    { language: "zh", words: "此链接已失效", name: "用户名", secret: "密码" },
  ] as const;
  test.each(looks)("that is over says so, and lets one in by password (%o)", async (look) => {
    const url = await linkOf("ann");
    await using used = await house.open({ as: null, path: url });
    await isIn(used.page, "ann");
    const { language, words, name, secret } = look;
    await using opened = await house.open({ as: null, path: url, language, width: 390 });
    const { page } = opened;
    await page.getByRole("alert").getByText(words).waitFor();
    expect(page.url()).not.toContain("link=");
    expect(await sidewaysOf(page)).toBe(0);
    await page.getByLabel(name).fill("ann");
    await page.getByLabel(secret, { exact: true }).fill(password);
    await page.keyboard.press("Enter");
    await isIn(page, "ann");
  });

  test("is tried again where the gateway was away, and is not lost", async () => {
    const url = await linkOf("ann");
    await using opened = await house.open({ as: null });
    const { page } = opened;
    let isAway = true;
    await page.route("**/api/user/login/link", async (route) =>
      isAway ? await route.abort() : await route.continue(),
    );
    await page.goto(url);
    await page.getByRole("alert").getByText("The gateway is not responding").waitFor();
    isAway = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await isIn(page, "ann");
  });
});

describe("the invitation", () => {
  test("is shown with a link that fills it in", async () => {
    await using invited = await openConsole("accounts: { registration: invitation }\n");
    await using root = await invited.open({ path: "/console/codes?new=1" });
    await root.page.getByRole("button", { name: "Create", exact: true }).click();
    const link = root.page.getByRole("dialog").locator("code").filter({ hasText: "invitation=" });
    const url = (await link.textContent()) ?? "";
    await using opened = await invited.open({ as: null, path: url });
    const { page } = opened;
    await page.getByLabel("Username").fill("eve");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create an account" }).click();
    await isIn(page, "eve");
  });
});
