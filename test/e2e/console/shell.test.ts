// The frame of the console, signing in and the own account, in a real browser, also by keyboard.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { password } from "../../harness/browser.ts";
import { browserMsMax, type Locator } from "../../harness/chromium.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";
import { goTo } from "../../harness/e2e/walk.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole("accounts: { registration: invitation }\n");
  await house.addMember("ann");
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

describe("the console", () => {
  test("lets one in by keyboard alone, jumps by palette and letters, and out again", async () => {
    await using opened = await house.open({ as: null, path: "/console/account" });
    const { page, faults } = opened;
    await page.keyboard.type("ann");
    await page.keyboard.press("Tab");
    await page.keyboard.type("wrong password");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("Wrong username or password.").waitFor();
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or jump to" }).waitFor();
    await page.keyboard.type("keys");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or jump to" }).waitFor();
    await page.keyboard.type("sign out");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Sign in to Sluice" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("makes an account for someone with an invitation", async () => {
    const { code } = await house.gateway.control<{ code: string }>("POST", "/api/invitation", {});
    await using opened = await house.open({ as: null, path: `/?invitation=${code}` });
    const { page, faults } = opened;
    await page.getByLabel("Username").fill("eve");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByRole("link", { name: "eve" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("shows the text of others as text, and until it is dismissed", async () => {
    const title = "<img src=x onerror=alert(1)>";
    const body = { title, text: "<b>soon</b>" };
    const { id } = await house.gateway.control<{ id: string }>("POST", "/api/announcement", body);
    await using opened = await house.open({ as: "ann", path: "/console/keys" });
    const { page, faults } = opened;
    await page.getByText(title).waitFor();
    await page.getByText("<b>soon</b>").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    expect(await page.getByText(title).count()).toBe(0);
    await house.gateway.control("DELETE", `/api/announcement/${id}`);
    expect(faults).toEqual([]);
  });

  test.each([1440, 390])("tells an announcement in one line by its level at %p", async (width) => {
    const text = `${"The second region is slow. ".repeat(9)}It ends at noon.`;
    const body = { title: "Slow today", text, level: "warning" };
    const { id } = await house.gateway.control<{ id: string }>("POST", "/api/announcement", body);
    await using opened = await house.open({ as: "ann", path: "/console/keys", width });
    const { page, faults } = opened;
    const note = page.getByRole("note").filter({ hasText: "Slow today" });
    await note.getByRole("button", { name: "More" }).waitFor();
    expect(await note.getAttribute("class")).toContain("warn");
    const heightOf = async () => (await note.boundingBox())?.height ?? 0;
    expect(await heightOf()).toBeLessThan(56);
    await note.getByRole("button", { name: "More" }).click();
    await note.getByRole("button", { name: "Less" }).waitFor();
    expect(await heightOf()).toBeGreaterThan(56);
    expect(await sidewaysOf(page)).toBe(0);
    await house.gateway.control("DELETE", `/api/announcement/${id}`);
    expect(faults).toEqual([]);
  });

  test.each([1440, 390])(
    "tells two announcements in one line, warnings first, at %p",
    async (width) => {
      const { gateway } = house;
      const ids: string[] = [];
      for (const level of ["info", "warning"]) {
        const body = { title: `Some ${level}`, text: "It is told.", level };
        ids.push((await gateway.control<{ id: string }>("POST", "/api/announcement", body)).id);
      }
      await using opened = await house.open({ as: "ann", path: "/console/keys", width });
      const { page, faults } = opened;
      const notes = page.getByRole("note").filter({ hasText: "It is told" });
      await notes.getByRole("button", { name: "1 more" }).waitFor();
      expect(await notes.allInnerTexts()).toEqual([expect.stringContaining("Some warning")]);
      await notes.getByRole("button", { name: "1 more" }).click();
      await notes.filter({ hasText: "Some info" }).waitFor();
      await notes.getByRole("button", { name: "Dismiss" }).first().click();
      await notes.filter({ hasText: "Some warning" }).waitFor({ state: "detached" });
      expect(await notes.count()).toBe(1);
      expect(await sidewaysOf(page)).toBe(0);
      for (const id of ids) await gateway.control("DELETE", `/api/announcement/${id}`);
      expect(faults).toEqual([]);
    },
  );

  test.each([1440, 390])(
    "shows the Markdown of an announcement as elements, at %p",
    async (width) => {
      const { gateway } = house;
      const text =
        "Read **this** and [the page](https://example.com/a), not [that](javascript:alert(1)).\n\n" +
        "- one\n- `two`\n\n<img src=x onerror=alert(1)>";
      const body = { title: "New prices", text };
      const { id } = await gateway.control<{ id: string }>("POST", "/api/announcement", body);
      await using opened = await house.open({ as: "ann", path: "/console/keys", width });
      const { page, faults } = opened;
      const note = page.getByRole("note").filter({ hasText: "New prices" });
      // In its line too, of which there is more to see.
      await note.locator("strong", { hasText: "this" }).waitFor();
      expect((await note.boundingBox())?.height ?? 0).toBeLessThan(56);
      await note.getByRole("button", { name: "More" }).click();
      await note.getByRole("listitem").filter({ hasText: "two" }).locator("code").waitFor();
      const links = note.getByRole("link");
      expect(await links.count()).toBe(1);
      expect(await links.getAttribute("href")).toBe("https://example.com/a");
      expect(await note.locator("img").count()).toBe(0);
      expect(await note.innerText()).toContain("<img src=x onerror=alert(1)>");
      expect(await sidewaysOf(page)).toBe(0);
      await gateway.control("DELETE", `/api/announcement/${id}`);
      expect(faults).toEqual([]);
    },
  );

  test.each([false, true])(
    "keeps the theme's switch beside the title on a phone, whatever tools a page has (touch: %p)",
    async (isTouched) => {
      const visit = { path: "/console/codes", width: 390, isAlone: true } as const;
      await using opened = await house.open(visit);
      const { page, faults } = opened;
      const protocol = await page.context().newCDPSession(page);
      await protocol.send("Emulation.setTouchEmulationEnabled", { enabled: isTouched });
      const apart: string[] = [];
      for (const path of [
        "codes",
        "announcements",
        "usage?from=2026-01-01&to=2026-01-08",
        "keys",
      ]) {
        await goTo(page, `/console/${path}`);
        const title = await boxOf(page.getByRole("heading", { level: 1 }));
        const theme = await boxOf(page.getByRole("button", { name: "Dark theme" }));
        expect(theme.height).toBe(isTouched ? 44 : 32);
        const pixels = theme.y + theme.height / 2 - (title.y + title.height / 2);
        if (Math.abs(pixels) > 1) apart.push(`${path} by ${pixels} px`);
        for (const button of await page.locator(".top > .button:visible").all()) {
          const { x, y, width } = await boxOf(button);
          const isBeside = y < theme.y + theme.height;
          if (isBeside && x + width > theme.x) apart.push(`${path} has a button below it`);
        }
        expect(await sidewaysOf(page)).toBe(0);
      }
      expect(apart).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  test("says so where there is nothing, and where the session has ended meanwhile", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/nowhere", isAlone: true });
    const { page } = opened;
    await page.getByRole("heading", { level: 2, name: "Page not found" }).waitFor();
    await page.getByRole("link", { name: "Go to overview" }).click();
    await page.context().clearCookies();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByText("Your session expired.").waitFor();
  });
});

describe("the page of the own account", () => {
  test("sets up an authenticator app with a code to scan, and gives codes for paper", async () => {
    await house.addMember("tom");
    await using opened = await house.open({ as: "tom", path: "/console/account" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByLabel("Confirm it's you").fill(password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    await page
      .getByRole("dialog")
      .getByRole("textbox", { name: "Code" })
      .fill(await totpOf(secret));
    await page.getByRole("button", { name: "Confirm" }).click();
    const codes = page.getByRole("dialog", { name: "Recovery codes" });
    expect((await codes.locator("code").textContent())?.split("\n").length).toBeGreaterThan(4);
    await codes.getByRole("button", { name: "I have saved it" }).click();
    await page.getByText("On since").waitFor();
    expect(faults).toEqual([]);
  });
});

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (!box) throw new Error(`${part} is not in sight`);
  return box;
}

/** Code that an app would show now for this secret. */
async function totpOf(secret: string): Promise<string> {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = Array.from(secret, (one) => letters.indexOf(one).toString(2).padStart(5, "0"));
  const bytes =
    bits
      .join("")
      .match(/.{8}/g)
      ?.map((eight) => Number.parseInt(eight, 2)) ?? [];
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = new Bun.CryptoHasher("sha1", Buffer.from(bytes)).update(step).digest();
  const at = (mac[19] ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
