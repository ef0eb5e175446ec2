// A walk over every page of the console, from one to the next as a link leads there, so that its
// code and whatever a test has put into the page are loaded once.
import type { Page } from "../chromium.ts";
import { listedPages } from "./page-list.ts";

/** The part of a page that the functions need that run inside it. */
declare const document: { querySelector(selector: string): object | null };
declare const history: { pushState(data: null, unused: string, address: string): void };
declare class PopStateEvent extends Event {}
declare function dispatchEvent(event: Event): boolean;
declare function requestAnimationFrame(run: () => void): void;

/** Views of pages besides those at their own address. */
const moreOf: Readonly<Record<string, readonly string[]>> = {
  playground: ["?kind=image", "?kind=video", "?view=code"],
  keys: ["?new=1"],
  usage: ["?compare=1", "?from=2026-01-01&to=2026-01-08"],
  media: ["?view=list"],
  assets: ["?new=1"],
  channels: ["?view=route&model=chatA", "?view=convert", "?new=1"],
  prices: ["?view=sync", "?view=file"],
  groups: ["?new=1"],
  people: ["?new=1"],
  roles: ["?new=1"],
  codes: ["?kind=credit", "?new=1"],
  ledger: ["?account=ann", "?part=holds", "?part=proof", "?part=statement&account=ann"],
  announcements: ["?new=1"],
  settings: ["?view=notices"],
  start: ["?step=vendor", "?step=key", "?step=call"],
};

const pollMs = 50;
/** On one core beside others a page takes a hundred times as long as alone. */
const settleMs = 120_000;

/** Every address of the pages that are for one of these. */
export function addressesFor(whoms: readonly string[]): string[] {
  return listedPages()
    .filter(({ whom }) => whoms.includes(whom))
    .flatMap(({ name }) => ["", ...(moreOf[name] ?? [])].map((more) => `/console/${name}${more}`));
}

export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate(async (path) => {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
    // Until it is drawn: the page before it was settled too.
    await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }, address);
  await settle(page);
}

/** Until what the page asked for is there; what hangs is named, with what it shows. */
export async function settle(page: Page): Promise<void> {
  // Asked at every frame, which is playwright's way, a page that waits draws itself all the time.
  const patience = { polling: pollMs, timeout: settleMs };
  await page.waitForFunction(isSettled, undefined, patience).catch(async (error: unknown) => {
    const shown = await page.locator("body").innerText();
    throw new Error(`${page.url()} did not settle:\n${shown}`, { cause: error });
  });
}

/** Runs in the page. */
function isSettled(): boolean {
  return (
    document.querySelector("h1") !== null &&
    document.querySelector(".skeleton, [aria-busy=true]") === null &&
    document.querySelector(".body > :not(.notice, .notices), form") !== null
  );
}

/** Details that a list has opened: beside it, or in its place. */
export function openedIn(page: Page) {
  return page.getByRole("dialog").or(page.locator("main .model-cards"));
}

/** Opens the first thing of a list, where there is one that opens. */
export async function openFirst(page: Page): Promise<boolean> {
  const first = page.locator("main .opens, button.shot").first();
  if ((await first.count()) === 0) return false;
  await first.click();
  await openedIn(page).first().waitFor();
  await settle(page);
  return true;
}
