// Widths of windows at which lists have to have all of their columns in sight.
import type { Page } from "../chromium.ts";

interface Box {
  scrollWidth: number;
  clientWidth: number;
  querySelector(selector: string): { getAttribute(name: string): string | null } | null;
}
/** The part of a page that the function needs that runs inside it. */
declare const document: {
  querySelector(selector: string): object | null;
  querySelectorAll(selector: string): Iterable<Box>;
};
declare const innerWidth: number;

/** Distances by which lists are wider than their place at a width, by their names. */
export async function beyondEdge(page: Page, width: number): Promise<string[]> {
  // To draw a page anew twice takes as long as to open it.
  const hasList = await page.evaluate(() => document.querySelector(".scrolls > .table") !== null);
  if (!hasList) return [];
  const before = page.viewportSize();
  await page.setViewportSize({ width, height: 900 });
  const found = await page.evaluate(() =>
    [...document.querySelectorAll(".scrolls:has(> .table)")].flatMap((box) => {
      const pixels = box.scrollWidth - box.clientWidth;
      const name = box.querySelector("table")?.getAttribute("aria-label") ?? "a table";
      return pixels > 0 ? [`${name} by ${pixels} px at ${innerWidth}`] : [];
    }),
  );
  if (before) await page.setViewportSize(before);
  return found;
}
