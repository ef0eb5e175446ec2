// The page with the matrix, and how the numbers are read back from it.
import { join } from "node:path";
import packageFile from "../../package.json";
import { hasPlace, type Cell } from "./measure.ts";
import { kinds, type Kind } from "./facts.ts";

export const pagePath = join(import.meta.dir, "..", "..", "docs", "fidelity.md");

const readerNames = [
  "openai",
  "@anthropic-ai/sdk",
  "@google/genai",
  "ai",
  "@ai-sdk/openai",
  "@ai-sdk/anthropic",
  "@ai-sdk/google",
] as const;

export function renderPage(cells: readonly Cell[]): string {
  const rows = cells.map((cell) => [
    cell.client,
    cell.upstream,
    cell.way,
    ...kinds.map((kind) => numberOf(cell, kind)),
  ]);
  const versions = readerNames.map((name) => [`\`${name}\``, packageFile.devDependencies[name]]);
  return [
    "# Fidelity",
    "",
    "What arrives of a reply, for a client of each format on an upstream of each wire. `npm run fidelity` writes this page from the recorded replies and streams in `test/golden`; `npm test` fails when a number gets worse, or when the page is not what the code does.",
    "",
    "A number is _arrived / sent_: in how many of the cases what the vendor reported of that kind came to the client, in the words that its format has for it, of all in which the vendor reported some. A dash stands where the format has no place for it, or no case has any. Where client and upstream speak the same, the answer goes on byte by byte. Ends are why an answer stopped; errors are failures in the middle of a stream, and answers that are none. What a format cannot express is in [conversion.md](conversion.md).",
    "",
    table(["client", "upstream", "way", ...kinds], rows),
    "",
    ...missedLines(cells),
    "## Read by",
    "",
    "Every converted stream is also read by the vendor's own client and by the AI SDK, in these versions:",
    "",
    table(["package", "version"], versions),
    "",
  ].join("\n");
}

function missedLines(cells: readonly Cell[]): string[] {
  const missed = cells.flatMap(({ client, upstream, way, missed: cases }) =>
    cases.map((one) => `- ${client} on ${upstream}, ${way}: ${one}`),
  );
  return missed.length === 0 ? [] : ["## Not arrived", "", ...missed, ""];
}

function numberOf({ client, counts }: Cell, kind: Kind): string {
  const { held, of } = counts[kind];
  return of === 0 || !hasPlace(client, kind) ? "-" : `${held}/${of}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, at) =>
    Math.max(3, head.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((text, at) => text.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(heads), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join(
    "\n",
  );
}

/** The numbers of a page, by client, upstream, way and kind. */
export function readPage(page: string): Map<string, { held: number; of: number }> {
  const numbers = new Map<string, { held: number; of: number }>();
  for (const line of page.split("\n")) {
    const [client = "", upstream, way, ...cells] = line.split("|").slice(1, -1).map(trimmed);
    for (const [at, kind] of kinds.entries()) {
      const [held, of] = (cells[at] ?? "").split("/").map(Number);
      if (held === undefined || of === undefined || Number.isNaN(of)) continue;
      numbers.set(`${client} ${upstream} ${way} ${kind}`, { held, of });
    }
  }
  return numbers;
}

function trimmed(text: string): string {
  return text.trim();
}
