// Videos and images in the console, in a real browser: seen, played, enlarged, stopped and deleted.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import type { ConsoleHouse } from "../../harness/e2e/console.ts";
import {
  endedTask,
  imageModel,
  keyOf,
  openWork,
  videoModel,
  type WorkHouse,
} from "../../harness/e2e/work.ts";
import { create, idOf, prompt } from "../../harness/videos.ts";

setDefaultTimeout(60_000);

const dayMs = 86_400_000;

let work: WorkHouse;
let house: ConsoleHouse;
let key: string;
let video: string;
let pictures: string;
let failed: string;

beforeAll(async () => {
  work = await openWork();
  ({ house } = work);
  await house.addMember("ann", 1e9);
  await house.addMember("bob");
  key = await keyOf(house, "ann");
  const webhook_url = `${work.receiverUrl}/told`;
  video = await endedTask(house, key, { model: videoModel, prompt, webhook_url });
  pictures = await endedTask(house, key, { model: imageModel, prompt: "A fox in the snow" });
  const failing = `${prompt} sandbox:fail`;
  failed = await endedTask(house, key, { model: videoModel, prompt: failing });
}, browserMsMax);

afterAll(() => work?.[Symbol.asyncDispose]());

describe("the page of videos and images", () => {
  test("shows a gallery whose video can be played and whose pictures can be enlarged", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/media" });
    const { page, faults } = opened;
    const gallery = page.getByRole("list", { name: "Videos and images" });
    await gallery.getByRole("listitem").nth(2).waitFor();
    expect(await gallery.getByText("Completed").count()).toBe(2);
    expect(await gallery.getByText("Failed").count()).toBe(1);
    await gallery.locator("video[preload=metadata][src]").waitFor();
    await page.goto(`/console/media/${video}`);
    const drawer = page.getByRole("dialog");
    await drawer.getByText("A fox in the snow").waitFor();
    const player = drawer.locator("video");
    await player.evaluate(async (element: never) => {
      const { readyState, addEventListener } = element as EventTarget & { readyState: number };
      if (readyState >= 1) return;
      await new Promise((resolve) => addEventListener.call(element, "loadedmetadata", resolve));
    });
    await drawer.getByRole("link", { name: "video.completed" }).waitFor();
    await drawer.getByRole("link", { name: "key of ann", exact: true }).waitFor();
    await drawer.getByRole("link", { name: "Download" }).waitFor();
    await page.goto(`/console/media/${pictures}`);
    await drawer.getByRole("button", { name: "Enlarge image 1" }).press("Enter");
    const large = page.getByRole("dialog", { name: "Image 1 of 1" });
    await large.getByRole("img", { name: "Image 1 of 1" }).waitFor();
    await page.keyboard.press("Escape");
    await large.waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  test("asks for the same once more, with every parameter, in the playground", async () => {
    const body = { model: videoModel, prompt, seconds: 5, seed: 77, metadata: { style: "calm" } };
    const made = await endedTask(house, key, body);
    await using opened = await house.open({ as: "ann", path: `/console/media/${made}` });
    const { page, faults } = opened;
    await page.getByRole("dialog").getByRole("link", { name: "Regenerate" }).click();
    await page.waitForURL((url) => url.searchParams.get("model") === videoModel);
    expect(page.url()).toContain("kind=video");
    expect(await page.getByLabel("Describe it.").inputValue()).toBe(prompt);
    const more = await page.getByLabel("Additional parameters (JSON)").inputValue();
    expect(await page.getByLabel("Seconds").inputValue()).toBe("5");
    expect(await page.getByLabel("Seed").inputValue()).toBe("77");
    expect(JSON.parse(more)).toEqual({ metadata: { style: "calm" } });
    expect(faults).toEqual([]);
  });

  test("says why one failed, and deletes it after asking", async () => {
    await using opened = await house.open({ as: "ann", path: `/console/media/${failed}` });
    const { page, faults } = opened;
    const drawer = page.getByRole("dialog").first();
    await drawer.getByText("$0.00").first().waitFor();
    await drawer.getByRole("button", { name: "Delete" }).click();
    const ask = page.getByRole("dialog", { name: "Delete this task?" });
    await ask.getByText("are removed").waitFor();
    await ask.getByRole("button", { name: "Delete" }).click();
    await page.getByText("The task was deleted").waitFor();
    const gallery = page.getByRole("list", { name: "Videos and images" });
    await gallery.getByText("Failed").waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  // Its vendor stops no more than what waits, which it does for a tenth of its time.
  const waitingPrompt = "A fox in the snow sandbox:seconds=3000";

  test("stops one that runs, and its money is back", async () => {
    const id = idOf(
      await create(house.gateway, { model: videoModel, prompt: waitingPrompt }, { key }),
    );
    await using opened = await house.open({ as: "ann", path: `/console/media/${id}` });
    const { page, faults } = opened;
    const drawer = page.getByRole("dialog").first();
    await drawer.getByText(/Queued|In progress/).waitFor();
    await drawer.getByRole("button", { name: "Stop" }).click();
    const ask = page.getByRole("dialog", { name: "Stop this task?" });
    await ask.getByRole("button", { name: "Stop" }).click();
    await drawer.getByText("cancelled", { exact: true }).waitFor();
    await page.getByText("The task was stopped").waitFor();
    const task = await house.gateway.control<{ micros: number }>("GET", `/api/task/${id}`);
    expect(task.micros).toBe(0);
    expect(faults).toEqual([]);
  });

  test("names the day of what was made on another one, in the gallery and in the list", async () => {
    await using opened = await house.open({ path: "/console/media", isAlone: true });
    const { page, faults } = opened;
    const made = page.getByRole("main").getByText(/^[A-Z][a-z]{2} \d+ \d\d:\d\d$/);
    await page
      .getByText(/^\d\d:\d\d:\d\d$/)
      .first()
      .waitFor();
    expect(await made.count()).toBe(0);
    await page.clock.setFixedTime(Date.now() + 9 * dayMs);
    await page.reload();
    await made.first().waitFor();
    await page.goto("/console/media?view=list");
    await page.getByRole("table", { name: "Videos and images" }).waitFor();
    await made.first().waitFor();
    expect(faults).toEqual([]);
  });

  test("shows an operator where each ran, and a member only their own", async () => {
    await using root = await house.open({ path: "/console/media?view=list" });
    const table = root.page.getByRole("table", { name: "Videos and images" });
    await table.getByRole("columnheader", { name: "Channel" }).waitFor();
    await table.getByRole("cell", { name: "ann" }).first().waitFor();
    await using member = await house.open({ as: "bob", path: "/console/media" });
    await member.page.getByRole("heading", { name: "No videos or images yet" }).waitFor();
    expect([...root.faults, ...member.faults]).toEqual([]);
  });

  test("says what failed with its code, and tries again", async () => {
    await using opened = await house.open({ path: "/console/account" });
    const { page } = opened;
    let isFailing = true;
    await page.route("**/api/task?*", async (route) => {
      if (!isFailing) return await route.continue();
      const json = { success: false, message: "no", code: "overloaded", param: null };
      await route.fulfill({ json });
    });
    await page.goto("/console/media");
    const alert = page.getByRole("alert");
    await alert.getByText("too busy").waitFor();
    isFailing = false;
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("list", { name: "Videos and images" }).waitFor();
  });
});
