// npm run shots: pictures of the console for docs/console.md and the README, of the demo's month.
// They are for people to look at, and are compared with nothing.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDemo, type DemoHouse } from "../demo/house.ts";
import { monthOf } from "../demo/size.ts";
import { goOn } from "../demo/everyday.ts";
import { closeBrowser, type Locator, type Page } from "../harness/chromium.ts";
import type { Visit } from "../harness/e2e/console.ts";
import { goTo, settle } from "../harness/e2e/walk.ts";
import { missingFonts } from "./fonts.ts";

const pictures = join(import.meta.dir, "..", "..", "docs", "console");
/** Real time in which the day goes on, so that channels have a state and something runs. */
const trafficMs = 30_000;
const loadMsMax = 60_000;

interface Shot extends Visit {
  name: string;
  path: string;
  /** Less than the whole window, where the whole would weigh much. */
  height?: number;
  /** Done on the page before its picture is taken. */
  act?(page: Page): Promise<void>;
}

const missing = await missingFonts();
if (missing !== null) process.stderr.write(`${missing} Their texts show boxes.\n`);
const folder = mkdtempSync(join(tmpdir(), "sluice-shots-"));
mkdirSync(pictures, { recursive: true });
await takeAll();
await closeBrowser();
rmSync(folder, { recursive: true, force: true });

async function takeAll(): Promise<void> {
  await using demo = await openDemo({ ...monthOf("harbour"), folder });
  const ended = new AbortController();
  const going = goOn(demo.month, demo.client, ended.signal);
  await Bun.sleep(trafficMs);
  for (const shot of await shotsOf(demo)) await take(demo, shot);
  ended.abort();
  await going;
}

async function take({ house }: DemoHouse, shot: Shot): Promise<void> {
  const { name, act, path, height, ...visit } = shot;
  await using opened = await house.open({ ...visit, path: "/" });
  const { page } = opened;
  await settle(page);
  // First steps are for a gateway that is new, and an announcement is enough in one picture.
  if (name === "overview")
    await dismiss(page.locator(".card", { has: page.locator(".checklist") }));
  else await dismiss(page.locator("main"));
  await goTo(page, path);
  await act?.(page);
  const file = join(pictures, `${name}.png`);
  await page.screenshot({ path: file, ...(height !== undefined && { clip: clipOf(height) }) });
  process.stdout.write(`${name}.png\n`);
}

function clipOf(height: number) {
  return { x: 0, y: 0, width: 1440, height };
}

async function dismiss(within: Locator): Promise<void> {
  const all = within.getByRole("button", { name: "Dismiss" });
  for (let left = await all.count(); left > 0; left--) await all.first().click();
}

async function shotsOf({ client }: DemoHouse): Promise<Shot[]> {
  const retried = "/api/log?attempts_min=3&outcome=ok&model=claude-sonnet-4-5&page_size=1";
  const { items } = await client.control<{ items: { request_id: string }[] }>("GET", retried);
  const models = "claude-sonnet-4-5,gpt-5,gemini-2.5-pro";
  return [
    { name: "overview", path: "/?range=30d" },
    { name: "trace", path: `/console/requests/${items[0]?.request_id ?? ""}`, width: 1280 },
    {
      name: "playground",
      path: `/console/playground?model=${models}`,
      theme: "dark",
      act: compare,
      height: 780,
    },
    { name: "usage", path: "/console/usage?range=30d" },
    { name: "channels", path: "/console/channels", act: isCounted },
    { name: "media", path: "/console/media", act: isLoaded, height: 344 },
    { name: "ledger", path: "/console/ledger?account=wei.chen", theme: "dark" },
    { name: "phone", path: "/?range=7d", as: "wei.chen", width: 390 },
  ];
}

async function compare(page: Page): Promise<void> {
  await page.getByLabel("Max tokens").fill("110");
  await page.getByLabel(/^Ask something/).fill("How does a canal lock lift a ferry?");
  await page.keyboard.press("Enter");
  await page
    .getByText(/^\$0\.00\d{4}$/)
    .nth(2)
    .waitFor();
}

/** The part of a page that the function needs that runs inside it. */
declare const document: {
  querySelectorAll(selector: string): Iterable<{ complete?: boolean; readyState?: number }>;
};

/** Until the attempts of the last day are there. */
async function isCounted(page: Page): Promise<void> {
  await page.locator("main svg rect[height='16']").first().waitFor();
}

/** Until the pictures are there, and the first frame of each video. */
async function isLoaded(page: Page): Promise<void> {
  const hasFrame = 2;
  await page.waitForFunction(
    (least) =>
      [...document.querySelectorAll("main img, main video")].every(
        ({ complete, readyState = 0 }) => complete === true || readyState >= least,
      ),
    hasFrame,
    { timeout: loadMsMax },
  );
}
