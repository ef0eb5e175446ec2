// Laws of every page of the console, whichever it is: text of others is text, axe finds nothing,
// and nothing moves sideways. Run `npm run test:console` in every look and for every role.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax, type Page } from "../../../harness/chromium.ts";
import { Scans } from "../../../harness/e2e/axe.ts";
import { sidewaysOf, type Visit } from "../../../harness/e2e/console.ts";
import { hostile, markup, models, openFull, type FullHouse } from "../../../harness/e2e/full.ts";
import { everyLook, twoLooks } from "../../../harness/e2e/looks.ts";
import { whomsOf } from "../../../harness/e2e/page-list.ts";
import { addressesFor, goTo, openFirst, settle } from "../../../harness/e2e/walk.ts";
import { beyondEdge } from "../../../harness/e2e/widths.ts";

setDefaultTimeout(600_000);

let full: FullHouse;

beforeAll(async () => {
  full = await openFull();
}, browserMsMax);

afterAll(() => full?.[Symbol.asyncDispose]());

const isLong = process.env["SLUICE_TEST_LOOKS"] === "all";
const whoms = {
  root: whomsOf("root"),
  opal: whomsOf("admin"),
  support: whomsOf("support"),
  billing: whomsOf("billing"),
  "read-only": whomsOf("read-only"),
  ann: whomsOf("user"),
  bob: whomsOf("user"),
  visitor: whomsOf(null),
} as const;
type Person = keyof typeof whoms;

async function open(who: Person, visit: Visit = {}) {
  const [first = "/"] = addressesFor(whoms[who]);
  return await full.house.open({ ...visit, as: who === "visitor" ? null : who, path: first });
}

type Look = (where: string) => Promise<void>;

/** Visits everything that is for this person and is chosen, and what each list opens. */
async function walk(
  page: Page,
  who: Person,
  look: Look,
  isChosen: (address: string) => boolean = () => true,
): Promise<void> {
  const addresses = addressesFor(whoms[who]);
  const own = who === "visitor" ? [...addresses, "/"] : addresses;
  for (const address of own.filter(isChosen)) {
    await goTo(page, address);
    await look(address);
    if (!address.includes("?") && (await openFirst(page))) await look(`${address}, opened`);
  }
}

describe("every page of the console", () => {
  const looks = isLong ? everyLook : twoLooks;
  const people = isLong
    ? (Object.keys(whoms) as Person[])
    : (["root", "support", "billing", "read-only"] as const);
  const scans = new Scans();
  /** Its place among all decides, so that an address is scanned in the same look for everybody. */
  const all = addressesFor(whoms.root);
  const isOfLook = (address: string, part: number) =>
    isLong || (all.indexOf(address) + 1) % looks.length === part;
  const cases = people.flatMap((who) => looks.map((look, part) => ({ who, look, part })));

  test.each(cases)(
    "is clean for axe, never scrolls sideways and makes no text markup (%o)",
    async (one) => {
      const { who, look: looked, part } = one;
      await using opened = await open(who, { ...looked, bypassesPolicy: true });
      const { page, faults } = opened;
      const findings: string[] = [];
      const look = async (where: string) => {
        // A scan is dear: where there are two looks, each page is scanned in one of them.
        const isScanned = isOfLook(where.split(", ")[0] ?? "", part);
        const scanned = isScanned ? await scans.findings(page, Object.values(looked).join()) : [];
        for (const finding of scanned) findings.push(`${where}: ${finding}`);
        const marked = await page.locator(markup).count();
        if (marked > 0) findings.push(`${where}: has text of others as markup`);
        if (/\bNaN\b/.test(await page.innerText("body"))) findings.push(`${where}: shows NaN`);
        const pixels = await sidewaysOf(page);
        if (pixels > 0) findings.push(`${where}: moves sideways by ${pixels} px`);
        if (looked.width > 1024)
          for (const list of await beyondEdge(page, 1024)) findings.push(`${where}: ${list}`);
      };
      // Pages of staff are root's with less on them, and root sees each in both looks.
      await walk(page, who, look, (address) => who === "root" || isOfLook(address, part));
      expect(findings).toEqual([]);
      expect(faults).toEqual([]);
    },
  );
});

/** Places of the words that were fed; what is opened by its first line has a third. */
const places: readonly [path: string, words: readonly string[], opens?: true][] = [
  ["/", ["unknown", "site", "title"]],
  ["/console/requests", ["good", "bad"]],
  ["/console/requests?model=chatA", ["title"], true],
  ["/console/live", ["endless"]],
  ["/console/usage", ["good"]],
  ["/console/media", ["prompt"], true],
  ["/console/assets", ["asset"], true],
  ["/console/models?q=%3C", ["good", "bad"]],
  ["/console/models?q=%3C", ["bad"], true],
  ["/console/channels", ["good"], true],
  ["/console/channels?view=route", ["site"]],
  ["/console/prices?q=%3C", ["good"], true],
  ["/console/codes", ["note"]],
  ["/console/ledger?account=ann", ["reason"]],
  ["/console/audit?action=user.credit", ["reason"], true],
  ["/console/announcements", ["title", "text"], true],
  ["/console/settings?q=site", ["site", "notice"]],
  ["/console/status", ["good"]],
  ["/console/account", ["agent"]],
];

describe("text of others", () => {
  test("stands on each page as it was written", async () => {
    await using opened = await open("root");
    const { page, faults } = opened;
    using _running = await full.askEndlessly();
    const missing: string[] = [];
    for (const [path, words, opens] of places) {
      await goTo(page, path);
      if (opens) await openFirst(page);
      for (const word of words) {
        const shown = page.getByText(hostile(word)).filter({ visible: true }).first();
        await shown.waitFor({ timeout: 5000 }).catch(() => missing.push(`${path} ${word}`));
      }
    }
    expect(missing).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("is text on what a visitor sees, and in what a member does", async () => {
    for (const who of ["visitor", "ann"] as const) {
      await using opened = await open(who);
      const { page, faults } = opened;
      await walk(page, who, async (where) => {
        expect([where, await page.locator(markup).count()]).toEqual([where, 0]);
      });
      expect(faults).toEqual([]);
    }
  });

  test("is text in a question and its answer, in a vendor's refusal and its list of models", async () => {
    const address = (model: string) => `/console/playground?model=${encodeURIComponent(model)}`;
    await using opened = await full.house.open({ as: "ann", path: address(models.good) });
    const { page, faults } = opened;
    for (const [model, word] of [
      [models.good, "answer"],
      [models.bad, "vendor"],
    ] as const) {
      await goTo(page, address(model));
      await page.getByLabel(/^Ask something/).fill(hostile("asked here"));
      await page.keyboard.press("Enter");
      await page.getByText(hostile("asked here")).first().waitFor();
      await page.getByText(hostile(word)).first().waitFor();
      expect(await page.locator(markup).count()).toBe(0);
    }
    await page.getByRole("button", { name: "Response", exact: true }).click();
    await settle(page);
    expect(await page.locator(markup).count()).toBe(0);
    // A refusal is an error of the browser's own log.
    expect(faults.filter((fault) => !fault.includes("status of 400"))).toEqual([]);
  });
});
