// The console in a real browser: one gateway and one browser for a file of tests, pages for whoever
// is signed in, and everything that must never happen on any of them written down.
import { password } from "../browser.ts";
import { needBrowser, type Browser, type Page } from "../chromium.ts";
import { startGateway, type Gateway } from "../gateway.ts";

const rootPassword = "root password for tests";

export interface Visit {
  /** "root", nobody, or the name of someone whom `addMember` has made. */
  as?: string | null;
  path?: string;
  theme?: "light" | "dark";
  language?: "en" | "zh";
  width?: 1440 | 390;
  /** For the scan alone: a checker's own script is not the console's. */
  bypassesPolicy?: boolean;
}

export interface ConsolePage extends AsyncDisposable {
  page: Page;
  /** Errors of scripts, breaches of the policy and requests to elsewhere, in sentences. */
  faults: string[];
}

/** As much of a page as the functions need that run inside it. */
declare const document: {
  addEventListener(name: string, listen: (event: { blockedURI: string }) => void): void;
  documentElement: { scrollWidth: number; clientWidth: number };
};
declare const console: { error(text: string): void };
declare const localStorage: { setItem(name: string, text: string): void };

export class ConsoleHouse implements AsyncDisposable {
  readonly gateway: Gateway;
  readonly #browser: Browser;

  constructor(gateway: Gateway, browser: Browser) {
    this.gateway = gateway;
    this.#browser = browser;
  }

  async addMember(username: string, micros = 5_000_000): Promise<void> {
    await this.gateway.control("POST", "/api/user", { username, password, quota_micros: micros });
  }

  /** Opens an address as someone, and waits until its page stands. */
  async open(visit: Visit = {}): Promise<ConsolePage> {
    const { as = "root", path = "/", theme = "light", language = "en", width = 1440 } = visit;
    const context = await this.#browser.newContext({
      baseURL: this.gateway.url,
      viewport: { width, height: width === 390 ? 844 : 900 },
      bypassCSP: visit.bypassesPolicy ?? false,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    if (as !== null) await this.#signIn(context.request, as);
    const page = await context.newPage();
    const faults = this.#watch(page);
    await page.addInitScript(prepare, { theme, language });
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    return { page, faults, [Symbol.asyncDispose]: () => context.close() };
  }

  async #signIn(request: Page["request"], username: string): Promise<void> {
    const secret = username === "root" ? rootPassword : password;
    const answer = await request.post("/api/user/login", {
      data: { username, password: secret },
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
    await this.#browser.close();
    await this.gateway[Symbol.asyncDispose]();
  }
}

export async function openConsole(config = ""): Promise<ConsoleHouse> {
  const browser = await needBrowser();
  return new ConsoleHouse(await startGateway({ config }), browser);
}

function prepare({ theme, language }: { theme: string; language: string }): void {
  localStorage.setItem("sluice.theme", theme);
  localStorage.setItem("sluice.language", language);
  document.addEventListener("securitypolicyviolation", ({ blockedURI }) =>
    console.error(`a breach of the policy: ${blockedURI}`),
  );
}

/** How far the page can be moved sideways, in pixels. */
export async function sidewaysOf(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}
