// Assets and webhooks in the console, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { changeItems } from "../../harness/e2e/answers.ts";
import type { ConsoleHouse } from "../../harness/e2e/console.ts";
import { png } from "../../harness/media-samples.ts";
import { endedTask, keyOf, openWork, videoModel, type WorkHouse } from "../../harness/e2e/work.ts";
import { beyondEdge } from "../../harness/e2e/widths.ts";
import { prompt } from "../../harness/videos.ts";

setDefaultTimeout(60_000);

const dayMs = 86_400_000;

let work: WorkHouse;
let house: ConsoleHouse;
let told: string;

beforeAll(async () => {
  work = await openWork();
  ({ house } = work);
  await house.addMember("ann", 1e9);
  await house.addMember("bob");
  const key = await keyOf(house, "ann");
  const webhook_url = `${work.receiverUrl}/told`;
  told = await endedTask(house, key, { model: videoModel, prompt, webhook_url });
}, browserMsMax);

afterAll(() => work?.[Symbol.asyncDispose]());

describe("the page of assets", () => {
  test("registers one by its address, names it for requests, and deletes it", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/assets" });
    const { page, faults } = opened;
    await page.getByRole("heading", { name: "No assets yet" }).waitFor();
    await page.getByRole("button", { name: "Add asset" }).first().click();
    const form = page.getByRole("dialog", { name: "Add an asset" });
    await form.getByRole("button", { name: "URL" }).click();
    await form.getByLabel("URL").fill("http://10.0.0.1/cat.png");
    await form.getByRole("button", { name: "Add asset" }).click();
    await form.getByRole("alert").or(form.locator("[aria-invalid=true]")).first().waitFor();
    await form.getByLabel("URL").fill(`${work.receiverUrl}/cat.png`);
    await form.getByLabel("Name").fill("cat");
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog", { name: "cat" });
    await drawer.getByText("Ready").waitFor();
    expect(await drawer.locator("code").textContent()).toStartWith("asset://");
    await drawer.getByRole("button", { name: "Delete" }).click();
    const ask = page.getByRole("dialog", { name: "Delete cat?" });
    await ask.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No assets yet" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("uploads a file, says why one is refused, and shows it", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/assets?new=1" });
    const { page, faults } = opened;
    const form = page.getByRole("dialog", { name: "Add an asset" });
    const file = (width: number, height: number) => ({
      name: "<b>fox</b>.png",
      mimeType: "image/png",
      buffer: Buffer.from(png(width, height)),
    });
    await form.getByLabel("File").setInputFiles(file(64, 48));
    await form.getByRole("button", { name: "Upload" }).click();
    await form.getByText("300 to 6000 pixels").first().waitFor();
    await form.getByLabel("File").setInputFiles(file(640, 480));
    await form.getByRole("button", { name: "Upload" }).click();
    const drawer = page.getByRole("dialog", { name: "<b>fox</b>.png" });
    await drawer.getByText("Ready").waitFor();
    await drawer.getByRole("img", { name: "<b>fox</b>.png" }).waitFor({ state: "attached" });
    await drawer.getByRole("button", { name: "Delete" }).click();
    const ask = page.getByRole("dialog", { name: "Delete <b>fox</b>.png?" });
    await ask.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No assets yet" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("shows an admin everyone's, and has no such choice for a member", async () => {
    await using member = await house.open({ as: "ann", path: "/console/assets?new=1" });
    const form = member.page.getByRole("dialog", { name: "Add an asset" });
    await form.getByRole("button", { name: "URL" }).click();
    await form.getByLabel("URL").fill(`${work.receiverUrl}/cat.png`);
    await form.getByLabel("Name").fill("dog");
    await form.getByRole("button", { name: "Add asset" }).click();
    await member.page.getByRole("dialog", { name: "dog" }).waitFor();
    expect(await member.page.getByText("Everyone's").count()).toBe(0);
    await using root = await house.open({ path: "/console/assets" });
    await root.page.getByRole("heading", { name: "No assets yet" }).waitFor();
    await root.page.getByRole("button", { name: "Everyone's" }).click();
    await root.page.getByRole("row", { name: "dog" }).getByText("ann").waitFor();
    expect([...member.faults, ...root.faults]).toEqual([]);
  });
});

describe("the page of webhooks", () => {
  test("shows a delivery with its tries, and sends it again", async () => {
    await using opened = await house.open({ as: "ann", path: `/console/webhooks?task=${told}` });
    const { page, faults } = opened;
    await page.getByText("Delivered 204").waitFor();
    await page.getByRole("button", { name: "video.completed" }).press("Enter");
    const drawer = page.getByRole("dialog", { name: "video.completed" });
    const tries = drawer.getByRole("table", { name: "Attempts" }).getByRole("row");
    await tries.nth(1).waitFor();
    expect(await tries.count()).toBe(2);
    expect(await drawer.getByRole("region", { name: "Body" }).textContent()).toContain(told);
    await drawer.getByRole("button", { name: "Resend" }).click();
    await tries.nth(2).waitFor();
    await using root = await house.open({ path: "/console/account" });
    const url = "https://hooks.example.com/of/the/studio";
    await changeItems(root.page, "/api/webhook?*", { account: "somebody.with-a-name", url });
    await root.page.goto("/console/webhooks");
    await root.page.getByText("Delivered 204").first().waitFor();
    expect(await beyondEdge(root.page, 1024)).toEqual([]);
    expect([...faults, ...root.faults]).toEqual([]);
  });

  test("names the day of what was sent on another one", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/webhooks", isAlone: true });
    const { page, faults } = opened;
    const row = page.getByRole("row", { name: "video.completed" });
    await row.getByText(/^\d\d:\d\d:\d\d$/).waitFor();
    await page.clock.setFixedTime(Date.now() + 9 * dayMs);
    await page.reload();
    await row.getByText(/^[A-Z][a-z]{2} \d+ \d\d:\d\d$/).waitFor();
    expect(faults).toEqual([]);
  });

  test("tries a receiver with a signed call, and says what it answered", async () => {
    await using opened = await house.open({ as: "bob", path: "/console/webhooks" });
    const { page, faults } = opened;
    await page.getByRole("heading", { name: "No callbacks yet" }).waitFor();
    await page.getByRole("button", { name: "Send a test" }).click();
    const form = page.getByRole("dialog", { name: "Send a test" });
    await form.getByLabel("URL").fill(`${work.receiverUrl}/broken`);
    await page.keyboard.press("Enter");
    await form.getByText("500", { exact: true }).waitFor();
    await form.getByText("webhook-signature").waitFor();
    await form.getByLabel("URL").fill("http://10.0.0.1/");
    await form.getByRole("button", { name: "Send", exact: true }).click();
    await form.locator("[aria-invalid=true]").waitFor();
    expect(faults).toEqual([]);
  });

  test("shows the secret only when asked, and makes a new one", async () => {
    await using opened = await house.open({ as: "bob", path: "/console/webhooks" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Signing secret" }).click();
    const dialog = page.getByRole("dialog", { name: "Signing secret" });
    await dialog.getByRole("button", { name: "New secret" }).waitFor();
    expect(await page.content()).not.toContain("whsec_");
    await dialog.getByRole("button", { name: "Show secret" }).click();
    const before = await dialog.locator("code").textContent();
    expect(before).toStartWith("whsec_");
    await dialog.getByRole("button", { name: "New secret" }).click();
    const ask = page.getByRole("dialog", { name: "Generate a new secret?" });
    await ask.getByRole("button", { name: "New secret" }).click();
    const code = dialog.locator("code").filter({ hasNotText: before ?? "" });
    expect(await code.textContent()).toStartWith("whsec_");
    await dialog.getByText("For one day").first().waitFor();
    expect(faults).toEqual([]);
  });

  test("says what failed with its code, and tries again", async () => {
    await using opened = await house.open({ path: "/console/account" });
    const { page } = opened;
    let isFailing = true;
    await page.route(/\/api\/(?:webhook|asset)\?/, async (route) => {
      if (!isFailing) return await route.continue();
      const json = { success: false, message: "no", code: "overloaded", param: null };
      await route.fulfill({ json });
    });
    for (const name of ["Assets", "Webhooks"]) {
      isFailing = true;
      await page.goto(`/console/${name.toLowerCase()}`);
      const alert = page.getByRole("alert");
      await alert.getByText("too busy").waitFor();
      isFailing = false;
      await alert.getByRole("button", { name: "Try again" }).click();
      await alert.waitFor({ state: "detached" });
    }
  });
});
