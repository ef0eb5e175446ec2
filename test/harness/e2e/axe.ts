// Findings of axe on a page as it stands: everything of WCAG 2.2 AA, and its best practices.
import type { Page } from "../chromium.ts";
import { settle } from "./walk.ts";

interface AxeResult {
  violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
}

declare const axe: { run(options: object): Promise<AxeResult> };

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const source = await Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

/**
 * In sentences; the page must have been opened with `bypassesPolicy`. What a list looks like while
 * it is asked for again is looked at a second time.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  const findings = await scan(page);
  if (findings.length === 0) return [];
  await settle(page);
  return await scan(page);
}

async function scan(page: Page): Promise<string[]> {
  // It is large, and stays as long as its document does.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
  const { violations } = await page.evaluate((run) => axe.run(run), {
    runOnly: { type: "tag", values: tags },
    resultTypes: ["violations"],
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
}

/**
 * For walks over pages that several people see alike. What axe looks at is the markup and its look,
 * not who reads it: where it has found nothing in what is drawn around a page and nothing in the
 * page, it is not asked about the two of them again.
 */
export class Scans {
  readonly #clean = new Set<string>();

  async findings(page: Page, look: string): Promise<string[]> {
    const before = await markupOf(page, look);
    if (before.every((part) => this.#clean.has(part))) return [];
    const findings = await axeFindings(page);
    // Markup that has changed meanwhile may have been scanned or not.
    const after = new Set(await markupOf(page, look));
    if (findings.length === 0)
      for (const part of before) if (after.has(part)) this.#clean.add(part);
    return findings;
  }
}

interface Part {
  outerHTML: string;
  value: string;
  checked?: boolean;
  cloneNode(isDeep: true): Part;
  remove(): void;
  removeAttribute(name: string): void;
  querySelectorAll(selector: string): Iterable<Part>;
}
/** The part of a page that the function needs that runs inside it. */
declare const document: { body: Part };

/** Markup of what surrounds a page, and of the page, without numbers that count or tell time. */
async function markupOf(page: Page, look: string): Promise<string[]> {
  const parts = await page.evaluate(() => {
    const inner = [...document.body.querySelectorAll("main, :not(main) dialog")];
    const outer = document.body.cloneNode(true);
    for (const part of outer.querySelectorAll("main, dialog")) part.remove();
    for (const part of outer.querySelectorAll("[aria-current]"))
      part.removeAttribute("aria-current");
    const filled = inner
      .flatMap((part) => [...part.querySelectorAll("input, select, textarea")])
      .map(({ value, checked }) => `${value !== ""}${checked}`);
    return [outer.outerHTML, inner.map(({ outerHTML }) => outerHTML).join("") + filled.join()];
  });
  return parts.map((part) => `${look} ${withoutNumbers(part)}`);
}

/** Sizes and classes stay; ids that the page makes itself go by their order. */
function withoutNumbers(html: string): string {
  const ids = new Map<string, number>();
  return html
    .replaceAll(/\bP\d+-\d+/g, (id) => {
      if (!ids.has(id)) ids.set(id, ids.size);
      return `id-${ids.get(id)}`;
    })
    .replaceAll(/(?<=>)[^<]+|\b(?:title|aria-label|href|datetime)="[^"]*"/g, (text) =>
      text.replaceAll(/\d+/g, "0"),
    );
}
