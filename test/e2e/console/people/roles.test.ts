// Views of each role, held against the API itself: what a role's menu leaves out is refused to its
// session, and what it shows asks for nothing that is refused.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Browser } from "../../../harness/browser.ts";
import { browserMsMax, type Page } from "../../../harness/chromium.ts";
import { openConsole, type ConsoleHouse } from "../../../harness/e2e/console.ts";
import { listedPages, whomsOf } from "../../../harness/e2e/page-list.ts";
import { addressesFor, goTo } from "../../../harness/e2e/walk.ts";

setDefaultTimeout(120_000);

const everyWhom = whomsOf("root");
const staff = ["support", "billing", "read-only"] as const;
let house: ConsoleHouse;
/** Requests of each page to the API when root opens it. */
let asks: Map<string, Set<string>>;

beforeAll(async () => {
  house = await openConsole("site: { shows_models: true, shows_status: true }\n");
  for (const name of ["ann", "bob", "opal"]) await house.addMember(name);
  await house.promote("opal", "admin");
  for (const role of staff) {
    await house.addMember(role);
    await house.promote(role, role);
  }
  const later = {
    title: "later",
    text: "secret yet",
    starts_at: Math.floor(Date.now() / 1e3) + 1e5,
  };
  await house.gateway.control("POST", "/api/announcement", later);
  await using opened = await house.open({ path: "/console/account" });
  ({ asks } = await walk(opened.page));
  expect(opened.faults).toEqual([]);
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

interface Walked {
  /** Requests by the page's name. */
  asks: Map<string, Set<string>>;
  refused: string[];
  /** The pages that were there. */
  shown: Set<string>;
}

/** Opens every page, and writes down what each asks for and is refused. */
async function walk(page: Page): Promise<Walked> {
  const walked: Walked = { asks: new Map(), refused: [], shown: new Set() };
  let name = "account";
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() !== "GET" || !pathname.startsWith("/api/")) return;
    const paths = walked.asks.get(name) ?? new Set();
    walked.asks.set(name, paths.add(pathname + search));
  });
  page.on("response", async (response) => {
    if (!(response.headers()["content-type"] ?? "").includes("json")) return;
    const answer = (await response.json().catch(() => null)) as { success?: boolean } | null;
    if (answer?.success === false) walked.refused.push(new URL(response.url()).pathname);
  });
  const absent = page
    .getByRole("heading", { level: 1 })
    .filter({ hasText: /^(?:Page not found|Sign in)/ });
  for (const address of addressesFor(everyWhom)) {
    name = /^\/console\/([a-z-]+)/.exec(address)?.[1] ?? "";
    await goTo(page, address);
    if ((await absent.count()) === 0) walked.shown.add(name);
  }
  return walked;
}

const asksOf = (names: Iterable<string>) =>
  new Set(Array.from(names).flatMap((name) => Array.from(asks.get(name) ?? [])));

function isEmptyList(data: unknown): boolean {
  return (data as { items: unknown[] }).items.length === 0;
}

describe.each([
  { role: "an operator", who: "opal", whoms: whomsOf("admin") },
  ...staff.map((who) => ({ role: who, who, whoms: whomsOf(who) })),
  { role: "a member", who: "bob", whoms: whomsOf("user") },
  { role: "a visitor", who: null, whoms: whomsOf(null) },
])("the console of $role", ({ who, whoms }) => {
  test("has the pages of its role alone, and asks for nothing that the API refuses", async () => {
    await using opened = await house.open({ as: who, path: "/console/models" });
    const { page, faults } = opened;
    const { shown, refused } = await walk(page);
    const own = listedPages().filter(({ whom }) => whoms.includes(whom));
    expect(shown).toEqual(new Set(own.map(({ name }) => name)));
    expect(refused).toEqual([]);
    await goTo(page, "/console/models");
    const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    const hrefs = await links.evaluateAll((all) =>
      all.map((link) => (link as { href: string }).href),
    );
    const names = hrefs.map((href) => /\/console\/([a-z-]+)$/.exec(href)?.[1] ?? "overview");
    // The start leads a visitor to the sign-in.
    expect(names.filter((name) => name !== "overview" && !shown.has(name))).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("leaves out just what the API refuses to its session", async () => {
    const browser = new Browser(house.gateway.url);
    if (who !== null) await browser.signIn(who, house.passwordOf(who));
    const isOwn = ({ whom }: { whom: string }) => whoms.includes(whom);
    const own = listedPages().filter(isOwn);
    // A page for those who change something may well ask for what others read.
    const others = listedPages().filter((one) => !isOwn(one) && !one.whom.endsWith(".write"));
    const known = asksOf(own.map(({ name }) => name));
    const answered: string[] = [];
    for (const { name } of others) {
      const paths = Array.from(asks.get(name) ?? []).filter((path) => !known.has(path));
      expect([name, paths.length > 0]).toEqual([name, true]);
      for (const path of paths) {
        const { success, data } = await browser.call("GET", path);
        // Announcements are everyone's; what is not yet to be read is not among them.
        const isShared = success && path.startsWith("/api/announcement?") && isEmptyList(data);
        // Use is told by channel to whoever sees use, and channels to others.
        const isUse = path.startsWith("/api/series?") && whoms.includes("usage.read");
        if (success && !isShared && !isUse) answered.push(`${name}: ${path}`);
      }
    }
    expect(answered).toEqual([]);
  });
});
