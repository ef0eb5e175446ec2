// People in the console, in a real browser: found, made, credited, disabled and deleted for good.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chatBody } from "../../../harness/ask.ts";
import { eventually } from "../../../harness/books.ts";
import { browserMsMax, type Locator } from "../../../harness/chromium.ts";
import { answerWith, refuse } from "../../../harness/e2e/answers.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole();
  for (const name of ["ann", "bob", "eve"]) await house.addMember(name);
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

const idOf = async (name: string) => {
  const path = `/api/user?q=${name}`;
  const { items } = await house.gateway.control<{ items: { id: string }[] }>("GET", path);
  return items[0]?.id ?? "";
};

interface Used {
  last_used_at: number | null;
}

async function lastUsedAt(path: string): Promise<number> {
  return await eventually(`the last use at ${path}`, async () => {
    const view = await house.gateway.control<Used>("GET", path);
    return view.last_used_at ?? undefined;
  });
}

/** The cell of a row below this head. */
async function cellOf(row: Locator, head: string): Promise<Locator> {
  await row.waitFor();
  const heads = await row.page().getByRole("columnheader").allInnerTexts();
  return row.getByRole("cell").nth(heads.indexOf(head));
}

describe("the page of people", () => {
  test("leads to an invitation", async () => {
    await using opened = await house.open({ path: "/console/people" });
    const { page, faults } = opened;
    await page.getByRole("link", { name: "Invite", exact: true }).click();
    await page.getByRole("dialog", { name: "New invitation" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("makes an account that can sign in, and opens it", async () => {
    await using opened = await house.open({ path: "/console/people" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "New account" }).click();
    const form = page.getByRole("dialog", { name: "New account" });
    await form.getByLabel("Username").fill("joe");
    await form.getByLabel("Password").fill("short");
    await form.getByLabel("Initial balance").fill("2");
    await page.keyboard.press("Enter");
    await form.getByText("must have 8 to").first().waitFor();
    await form.getByLabel("Password").fill("correct horse battery");
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog", { name: "joe" });
    await drawer.getByText("$2.000000").waitFor();
    expect(faults).toEqual([]);
  });

  test("books credit with its reason, and shows it in the ledger and the trail", async () => {
    await using opened = await house.open({ path: `/console/people/${await idOf("ann")}` });
    const { page, faults } = opened;
    const drawer = page.getByRole("dialog", { name: "ann" });
    await drawer.getByRole("button", { name: "Credit" }).click();
    const form = page.getByRole("dialog", { name: "Credit of ann" });
    await form.getByLabel("Amount").fill("lots");
    await form.getByLabel("Reason").fill("invoice 17");
    await form.getByRole("button", { name: "Add credit" }).last().click();
    await form.getByText("An amount in dollars").waitFor();
    await form.getByLabel("Amount").fill("1.5");
    await form.getByRole("button", { name: "Add credit" }).last().click();
    await page.getByText("ann: $1.500000 booked").waitFor();
    await drawer.getByText("$6.500000").waitFor();
    await drawer.getByRole("tab", { name: "Ledger" }).click();
    await drawer.getByText("invoice 17").waitFor();
    await drawer.getByRole("tab", { name: "Audit trail" }).click();
    await drawer.getByText("user.credit").first().waitFor();
    expect(faults).toEqual([]);
  });

  test("signs somebody out, disables with a way back, and deletes after the name", async () => {
    await using eve = await house.open({ as: "eve", path: "/console/keys" });
    await using opened = await house.open({
      path: `/console/people/${await idOf("eve")}?tab=ways`,
    });
    const { page, faults } = opened;
    const drawer = page.getByRole("dialog", { name: "eve" });
    await drawer.getByRole("button", { name: "End" }).click();
    await drawer.getByText("No active sessions.").waitFor();
    const more = drawer.getByRole("button", { name: "Actions for eve" });
    await more.click();
    await drawer.getByRole("menuitem", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("eve is enabled").waitFor();
    await more.click();
    await drawer.getByRole("menuitem", { name: "Delete permanently" }).click();
    const ask = page.getByRole("dialog", { name: "Permanently delete eve?" });
    const erase = ask.getByRole("button", { name: "Delete permanently" });
    expect(await erase.isDisabled()).toBe(true);
    await ask.getByLabel("Type eve to confirm").fill("eve");
    await erase.click();
    await page.getByText("eve was deleted").waitFor();
    await page.getByRole("button", { name: "eve", exact: true }).waitFor({ state: "detached" });
    expect([...faults, ...eve.faults]).toEqual([]);
  });

  test.each([
    {
      language: "en",
      width: 1440,
      words: ["Sign-in methods", "Remove Authenticator app", "Remove github", "Remove"],
    },
    { language: "zh", width: 390, words: ["登录方式", "移除 身份验证器", "移除 github", "移除"] },
  ] as const)("takes one way in away, after asking, in $language at $width", async (look) => {
    const { language, width } = look;
    const [tab, removeApp, removeSite, submit] = look.words;
    const id = await idOf("bob");
    await using opened = await house.open({ path: "/console/keys", language, width });
    const { page, faults } = opened;
    const gone: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "DELETE") gone.push(new URL(request.url()).pathname);
    });
    const totp = { enabled_at: 1_790_000_000 };
    const factors = { totp, passkeys: [], recovery_codes_left: 8, required: false };
    const site = { id: "idn_1", provider: "github", username: "bob", display_name: "Bob" };
    await answerWith(page, `/api/user/${id}/second-factor`, factors);
    await answerWith(page, `/api/user/${id}/second-factor/totp`, { id: "totp" });
    await answerWith(page, `/api/user/${id}/identities`, { items: [site], total: 1 });
    await answerWith(page, `/api/user/${id}/identities/idn_1`, { id: "idn_1" });
    await page.goto(`/console/people/${id}`);
    await page.getByRole("tab", { name: tab }).click();
    for (const way of [removeApp, removeSite]) {
      await page.getByRole("button", { name: way }).click();
      const ask = page.getByRole("dialog", { name: way });
      expect(await sidewaysOf(page)).toBe(0);
      await ask.getByRole("button", { name: submit, exact: true }).click();
      await ask.waitFor({ state: "detached" });
    }
    expect(gone).toEqual([
      `/api/user/${id}/second-factor/totp`,
      `/api/user/${id}/identities/idn_1`,
    ]);
    expect(faults).toEqual([]);
  });

  test("lists when somebody and a key were last used, and says so where they never were", async () => {
    const { gateway } = house;
    await house.addMember("fay");
    const key = { name: "of fay", account: "fay" };
    const made = await gateway.control<{ id: string; key: string }>("POST", "/api/token", key);
    await gateway.control("POST", "/api/token", { ...key, name: "idle" });
    await using opened = await house.open({ path: "/console/people" });
    const { page, faults } = opened;
    const lastUse = (name: string) =>
      cellOf(page.getByRole("row").filter({ hasText: name }), "Last used");
    expect(await (await lastUse("fay")).innerText()).toBe("–");
    const reply = await gateway.post("/v1/chat/completions", chatBody("chatA"), made.key);
    expect(reply.status).toBe(200);
    const usedAt = await lastUsedAt(`/api/token/${made.id}`);
    // Keys' last uses are written each minute, and people's are read from there.
    gateway.pass(60);
    expect(await lastUsedAt(`/api/user/${(await house.accountOf("fay")).id}`)).toBe(usedAt);
    for (const [path, used, never] of [
      ["people", "fay", "ann"],
      ["keys", "of fay", "idle"],
    ] as const) {
      await page.goto(`/console/${path}`);
      const told = await (await lastUse(used)).locator("[title]").getAttribute("title");
      expect([path, Date.parse(told ?? "")]).toEqual([path, usedAt * 1000]);
      expect([path, await (await lastUse(never)).innerText()]).toEqual([path, "–"]);
    }
    expect(faults).toEqual([]);
  });

  test("are called by their names in the audit trail", async () => {
    await using opened = await house.open({ path: "/console/audit?action=user.create" });
    const { page, faults } = opened;
    const entry = page.getByRole("row").filter({ hasText: "account bob" });
    expect(await (await cellOf(entry, "Actor")).innerText()).toBe("root");
    const target = await (await cellOf(entry, "Target")).innerText();
    expect(target).toBe(`account bob ${await idOf("bob")}`);
    expect(faults).toEqual([]);
  });

  test("is not there for members, and says what failed until it is tried again", async () => {
    await using member = await house.open({ as: "bob", path: "/console/people" });
    await member.page.getByRole("heading", { name: "Page not found" }).first().waitFor();
    await using opened = await house.open({ path: "/console/account" });
    const { page } = opened;
    const failing = await refuse(page, "/api/user?*");
    await page.goto("/console/people?q=nobody");
    await page.getByRole("alert").getByText("too busy").waitFor();
    failing.stop();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "No account matches" }).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("button", { name: "bob", exact: true }).waitFor();
  });
});
