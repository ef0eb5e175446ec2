// Tabs of one address of the console, used again by whoever visits next: a new tab has a process of
// its own, which takes five times the work of loading a page in one that is there.
import type { Browser, BrowserContext, Page } from "../chromium.ts";
import { plainPath } from "./page.ts";

/** Part of a page that is needed by the functions that run inside it. */
declare const localStorage: { clear(): void };
declare const sessionStorage: { clear(): void };
declare const indexedDB: { deleteDatabase(name: string): void };

/** The one page of a context, so that everyone has cookies and storage of their own. */
interface Tab {
  context: BrowserContext;
  page: Page;
  bypassesPolicy: boolean;
}

/** Those that tests listen to. */
const heard = ["console", "pageerror", "request", "requestfailed", "response"] as const;

export class Tabs {
  readonly #browser: Browser;
  readonly #url: string;
  #idle: Tab[] = [];

  constructor(browser: Browser, url: string) {
    this.#browser = browser;
    this.#url = url;
  }

  get isOpen(): boolean {
    return this.#browser.isConnected();
  }

  /** One in which nobody is signed in and nothing is kept, but for files that it has loaded. */
  async take(bypassesPolicy: boolean): Promise<Tab> {
    const found = this.#idle.find((tab) => tab.bypassesPolicy === bypassesPolicy);
    if (!found) return await this.#new(bypassesPolicy);
    this.#idle.splice(this.#idle.indexOf(found), 1);
    await found.page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
      indexedDB.deleteDatabase("sluice");
    });
    await found.context.clearCookies();
    return found;
  }

  /** A document of its own, also where no more than the fragment differs from the one before. */
  async load({ page }: Tab, path: string): Promise<void> {
    if (path.includes("#")) await page.goto(plainPath);
    await page.goto(path);
  }

  /**
   * Its page stands until the next one takes its place: what is loaded by way of another takes
   * nearly twice the work.
   */
  async giveBack(tab: Tab): Promise<void> {
    const { context, page } = tab;
    for (const event of heard) page.removeAllListeners(event);
    if (page.isClosed() || !page.url().startsWith(this.#url)) return await context.close();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.mouse.move(0, 0);
    this.#idle.push(tab);
  }

  /** Before the gateway ends: a page that is left alone asks on and on. */
  async rest(): Promise<void> {
    const tabs = this.#idle;
    this.#idle = [];
    for (const tab of tabs) {
      const isThere = await tab.page.goto(plainPath).catch(() => null);
      if (isThere) this.#idle.push(tab);
      else await tab.context.close();
    }
  }

  async #new(bypassesPolicy: boolean): Promise<Tab> {
    const context = await this.#browser.newContext({
      baseURL: this.#url,
      bypassCSP: bypassesPolicy,
      permissions: ["clipboard-read", "clipboard-write"],
      // Nothing is waited for that only moves.
      reducedMotion: "reduce",
    });
    return { context, page: await context.newPage(), bypassesPolicy };
  }
}

const byUrl = new Map<string, Tabs>();

/** All who visit this address share them, also where another gateway has it by then. */
export function tabsOf(browser: Browser, url: string): Tabs {
  const known = byUrl.get(url);
  if (known?.isOpen) return known;
  const tabs = new Tabs(browser, url);
  byUrl.set(url, tabs);
  return tabs;
}
