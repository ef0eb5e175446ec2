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
