// npm run shots: pictures of the console for docs/console.md and the README, of the demo's month.
// They are for people to look at, and are compared with nothing.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDemo, type DemoHouse } from "../demo/house.ts";
import { monthOf } from "../demo/size.ts";
import { goOn } from "../demo/everyday.ts";
import { closeBrowser, type Page } from "../harness/chromium.ts";
import type { Visit } from "../harness/e2e/console.ts";
import { settle } from "../harness/e2e/walk.ts";
import { missingFonts } from "./fonts.ts";

const pictures = join(import.meta.dir, "..", "..", "docs", "console");
/** Real time in which the day goes on, so that channels have a state and something runs. */
const trafficMs = 30_000;

interface Shot extends Visit {
  name: string;
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

async function take({ house }: DemoHouse, { name, act, ...visit }: Shot): Promise<void> {
  await using opened = await house.open(visit);
  await settle(opened.page);
  if (name !== "overview") await dismissAll(opened.page);
  await act?.(opened.page);
  await opened.page.screenshot({ path: join(pictures, `${name}.png`) });
  process.stdout.write(`${name}.png\n`);
}

async function shotsOf({ client }: DemoHouse): Promise<Shot[]> {
  const retried = "/api/log?attempts_min=2&outcome=ok&model=claude-sonnet-4-5&page_size=1";
  const { items } = await client.control<{ items: { id: string }[] }>("GET", retried);
  const models = "claude-sonnet-4-5,gpt-5,gemini-2.5-pro";
  return [
    { name: "overview", path: "/?range=30d", act: dismissSteps },
    { name: "trace", path: `/console/requests/${items[0]?.id ?? ""}` },
    {
      name: "playground",
      path: `/console/playground?model=${models}`,
      theme: "dark",
      act: compare,
    },
    { name: "usage", path: "/console/usage?range=30d" },
    { name: "channels", path: "/console/channels" },
    { name: "media", path: "/console/media" },
    { name: "ledger", path: "/console/ledger?account=wei.chen", theme: "dark" },
    { name: "phone", path: "/", as: "wei.chen", width: 390 },
  ];
}

/** First steps are for a gateway that is new. */
async function dismissSteps(page: Page): Promise<void> {
  const steps = page.locator(".card", { has: page.locator(".checklist") });
  await steps.getByRole("button", { name: "Dismiss" }).click();
  await steps.waitFor({ state: "detached" });
}

async function dismissAll(page: Page): Promise<void> {
  const all = page.getByRole("button", { name: "Dismiss" });
  for (let left = await all.count(); left > 0; left--) await all.first().click();
}

async function compare(page: Page): Promise<void> {
  await page.getByLabel(/^Ask something/).fill("How does a canal lock lift a ferry? 简单说明。");
  await page.keyboard.press("Enter");
  await page
    .getByText(/^\$0\.00\d{4}$/)
    .nth(2)
    .waitFor();
}
