// What holds of every page of the console, whichever it is: text of others is text, and nobody is
// shown what the API would refuse them.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax, type Page } from "../../harness/chromium.ts";
import type { ConsoleHouse } from "../../harness/e2e/console.ts";
import { listedPages } from "../../harness/e2e/page-list.ts";
import { endedTask, keyOf, openWork, videoModel, type WorkHouse } from "../../harness/e2e/work.ts";
import { Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(240_000);

/** Were it ever markup, there would be a picture that cannot be had. */
const hostile = "<img src=x onerror=alert(1)>";
const markup = "img[src='x'], script:not([src]), [onerror]";
const pages = listedPages();

let work: WorkHouse;
let house: ConsoleHouse;
let taskId: string;
const vendor = new Vendor((_request, reply) => {
  reply.json({ error: { message: hostile, type: hostile, code: hostile } }, 400);
});

beforeAll(async () => {
  work = await openWork("sandbox: on");
  ({ house } = work);
  await house.addMember("ann", 1e9);
  await house.addMember("bob");
  const key = await keyOf(house, "ann");
  taskId = await endedTask(house, key, {
    model: videoModel,
    prompt: `${hostile} sandbox:seconds=0`,
    webhook_url: `${work.receiverUrl}/${encodeURIComponent(hostile)}`,
  });
  await feed(key);
}, browserMsMax);

afterAll(async () => {
  await work?.[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

/** Wherever the API may take words of others; what it refuses is shown nowhere. */
async function feed(key: string): Promise<void> {
  const { gateway } = house;
  const model = "hostile-model";
  const rows: [path: string, body: object][] = [
    ["/api/token", { name: hostile }],
    ["/api/asset", { name: hostile, kind: "image", url: `${work.receiverUrl}/${hostile}.png` }],
    ["/api/announcement", { title: hostile, content: hostile, text: hostile }],
    ["/api/announcement", { text: hostile }],
    ["/api/group", { name: hostile, multiplier: 1 }],
    ["/api/user", { username: hostile, password: "correct horse battery" }],
    ["/api/redemption", { name: hostile, micros: 1000, count: 1 }],
    ["/api/invitation", { note: hostile, name: hostile }],
    ["/api/price", { model: hostile, input: 1, output: 1 }],
    [
      "/api/channel",
      {
        name: hostile,
        type: "openai",
        base_url: `${vendor.url}/v1`,
        key: "sk-hostile",
        models: [model, "gpt-4o-mini"],
        priority: 100,
        allow_private: true,
      },
    ],
  ];
  for (const [path, body] of rows) await gateway.controlEnvelope("POST", path, body);
  const messages = [{ role: "user", content: hostile }];
  for (const one of ["gpt-4o-mini", hostile]) {
    await gateway.post("/v1/chat/completions", { model: one, messages }, key);
  }
}

/** Until what the page asked for is there. */
async function settle(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator(".body > :not(.notice, .notices)").first().waitFor({ state: "attached" });
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
}

describe("hostile text", () => {
  test("is text on every page, and in what each list opens", async () => {
    await using opened = await house.open({ path: "/console/account" });
    const { page, faults } = opened;
    for (const { name } of pages) {
      await page.goto(`/console/${name}`);
      await settle(page);
      expect([name, await page.locator(markup).count()]).toEqual([name, 0]);
      const first = page.locator("main .opens, .body .opens, button.shot").first();
      if ((await first.count()) > 0) {
        await first.click();
        await settle(page);
        expect([name, await page.locator(markup).count()]).toEqual([name, 0]);
      }
    }
    expect(faults).toEqual([]);
  });

  test("of a prompt, an asset and a callback is shown as it is", async () => {
    await using opened = await house.open({ path: `/console/media/${taskId}` });
    const { page, faults } = opened;
    await page.getByRole("region", { name: "Prompt" }).getByText(hostile).waitFor();
    await page.goto("/console/assets");
    await page.getByRole("button", { name: hostile, exact: true }).click();
    await page.getByRole("dialog", { name: hostile }).getByText(".png").first().waitFor();
    await page.goto("/console/webhooks");
    await page.getByText("/%3Cimg").first().waitFor();
    expect(await page.locator(markup).count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

/** Every answer of the control API that refused something while pages were open. */
function refusalsOn(page: Page): string[] {
  const refusals: string[] = [];
  page.on("response", async (response) => {
    const path = new URL(response.url()).pathname;
    if (!path.startsWith("/api/") || path === "/api/live") return;
    const type = response.headers()["content-type"] ?? "";
    if (!type.includes("json")) return;
    const answer = (await response.json().catch(() => null)) as { success?: boolean } | null;
    if (answer?.success === false) refusals.push(path);
  });
  return refusals;
}

describe("a page of the console", () => {
  test("asks nothing for a member that the API refuses, and is not there if it is for others", async () => {
    await using opened = await house.open({ as: "bob", path: "/console/account" });
    const { page, faults } = opened;
    const refusals = refusalsOn(page);
    const hidden: string[] = [];
    for (const { name } of pages) {
      await page.goto(`/console/${name}`);
      await settle(page);
      const title = await page.getByRole("heading", { level: 1 }).textContent();
      if (title === "There is nothing here") hidden.push(name);
      expect([name, await page.getByRole("alert").count()]).toEqual([name, 0]);
    }
    const isForOthers = ({ role }: { role: string }) => role === "admin" || role === "root";
    expect(hidden).toEqual(pages.filter(isForOthers).map(({ name }) => name));
    expect(refusals).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("leads a visitor to the sign-in, but for those that are for everyone", async () => {
    await using opened = await house.open({ as: null, path: "/console/account" });
    const { page, faults } = opened;
    const refusals = refusalsOn(page);
    for (const { name, role } of pages) {
      await page.goto(`/console/${name}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      const asks = await page.getByLabel("Password", { exact: true }).count();
      expect([name, asks > 0]).toEqual([name, role !== "visitor"]);
    }
    // Who is signed in is how a page learns that nobody is.
    expect(refusals.filter((path) => path !== "/api/user/self")).toEqual([]);
    expect(faults).toEqual([]);
  });
});
