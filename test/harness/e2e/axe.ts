// What axe finds on a page as it stands: everything of WCAG 2.2 AA, and its best practices.
import type { Page } from "../chromium.ts";

interface AxeResult {
  violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
}

declare const axe: { run(options: object): Promise<AxeResult> };

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const source = await Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

/** In sentences; the page must have been opened with `bypassesPolicy`. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const { violations } = await page.evaluate((run) => axe.run(run), {
    runOnly: { type: "tag", values: tags },
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
}
