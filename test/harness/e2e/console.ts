// The console in a real browser: one gateway for a file of tests, pages for whoever is signed in,
// and everything that must never happen on any of them written down.
import { password } from "../browser.ts";
import { needBrowser, type Browser, type BrowserContext, type Page } from "../chromium.ts";
import { startGateway, type Gateway } from "../gateway.ts";
import { tabsOf, type Tabs } from "./tabs.ts";

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

const rootPassword = "root password for tests";

export interface Visit {
  /** "root", nobody, or the name of someone whom `addMember` has made. */
  as?: string | null;
  path?: string;
  theme?: "light" | "dark";
  /** Tag of a file of web/languages, or en. */
  language?: string;
  width?: 1440 | 1280 | 390;
  /** For the scan alone: a checker's own script is not the console's. */
  bypassesPolicy?: boolean;
  /** It ends its session, or leaves something in the browser that others must not find. */
  isAlone?: boolean;
}

export interface ConsolePage extends AsyncDisposable {
  page: Page;
  /** Errors of scripts, breaches of the policy and requests to elsewhere, in sentences. */
  faults: string[];
}

/** The part of a page that the functions need that run inside it. */
declare const document: {
  addEventListener(name: string, listen: (event: { blockedURI: string }) => void): void;
  documentElement: { scrollWidth: number; clientWidth: number };
};
declare const console: { error(text: string): void };
declare const localStorage: { setItem(name: string, text: string): void };

export class ConsoleHouse implements AsyncDisposable {
  readonly gateway: Gateway;
  readonly #tabs: Tabs;
  readonly #sessions = new Map<string, Promise<Cookies>>();

  /** Passwords by name; those of tests unless the gateway was filled by others. */
  readonly passwordOf: (username: string) => string;

  constructor(gateway: Gateway, browser: Browser, passwordOf = passwordInTests) {
    this.gateway = gateway;
    this.#tabs = tabsOf(browser, gateway.url);
    this.passwordOf = passwordOf;
  }

  async addMember(username: string, micros = 5_000_000): Promise<void> {
    await this.gateway.control("POST", "/api/user", { username, password, quota_micros: micros });
  }

  async promote(username: string, role: string): Promise<void> {
    const { id } = await this.accountOf(username);
    await this.gateway.control("PATCH", `/api/user/${id}`, { role });
  }

  async accountOf(username: string): Promise<{ id: string }> {
    const path = `/api/user?q=${username}`;
    const { items } = await this.gateway.control<{ items: { id: string }[] }>("GET", path);
    const [account] = items;
    if (!account) throw new Error(`there is no ${username}`);
    return account;
  }

  /** Opens an address as someone, and waits until its page stands. */
  async open(visit: Visit = {}): Promise<ConsolePage> {
    const { as = "root", path = "/", isAlone = false, bypassesPolicy = false } = visit;
    const { theme = "light", language = "en", width = 1440 } = visit;
    const tab = await this.#tabs.take(bypassesPolicy);
    const { page } = tab;
    if (as !== null) await this.#enter(tab.context, as, isAlone);
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    const faults = this.#watch(page);
    const prepared = await page.addInitScript(prepare, { theme, language });
    const close = async () => {
      await prepared.dispose();
      await (isAlone ? tab.context.close() : this.#tabs.giveBack(tab));
    };
    await this.#tabs.load(tab, path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    // The frame alone has the same heading, and its menus close when the page comes.
    await page.locator("#content[aria-busy=true]").waitFor({ state: "detached" });
    return { page, faults, [Symbol.asyncDispose]: close };
  }

  /** A password takes long to check, so everyone signs in once. */
  async #enter(context: BrowserContext, username: string, isAlone: boolean): Promise<void> {
    if (isAlone) return await this.#signIn(context.request, username);
    const session =
      this.#sessions.get(username) ??
      this.#signIn(context.request, username).then(() => context.cookies());
    this.#sessions.set(username, session);
    await context.addCookies(await session);
  }

  async #signIn(request: Page["request"], username: string): Promise<void> {
    const answer = await request.post("/api/user/login", {
      data: { username, password: this.passwordOf(username) },
      headers: { origin: this.gateway.url },
    });
    const { success, message } = (await answer.json()) as { success: boolean; message: string };
    if (!success) throw new Error(`${username} cannot sign in: ${message}`);
  }

  #watch(page: Page): string[] {
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(`a script threw ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(`the console has ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      const isOwn = url.startsWith(this.gateway.url) || /^(?:data|blob):/.test(url);
      if (!isOwn) faults.push(`a request went to ${url}`);
    });
    return faults;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tabs.rest();
    await this.gateway[Symbol.asyncDispose]();
    freePort = new URL(this.gateway.url).port;
  }
}

function passwordInTests(username: string): string {
  return username === "root" ? rootPassword : password;
}

/** Left by the gateway before: tabs that were opened at its address serve the next one. */
let freePort = "0";

export async function openConsole(config = ""): Promise<ConsoleHouse> {
  const browser = await needBrowser();
  const port = freePort;
  freePort = "0";
  const gateway = await startGateway({ config, environment: { PORT: port } }).catch((error) => {
    if (port === "0") throw error;
    // Somebody else on this machine may have it by now.
    return startGateway({ config });
  });
  return new ConsoleHouse(gateway, browser);
}

function prepare({ theme, language }: { theme: string; language: string }): void {
  localStorage.setItem("sluice.theme", theme);
  localStorage.setItem("sluice.language", language);
  document.addEventListener("securitypolicyviolation", ({ blockedURI }) =>
    console.error(`a breach of the policy: ${blockedURI}`),
  );
}

/** Distance that the page can be moved sideways, in pixels. */
export async function sidewaysOf(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}
