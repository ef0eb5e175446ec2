// Comma-separated values as RFC 4180 has them, for people who open them in a spreadsheet.

export type CsvCell = string | number | boolean | null | undefined;

/**
 * Openings that a spreadsheet would take for a formula, shown as text: they may come from anybody.
 */
const opensFormula = /^[=+\-@\t\r]/;
const needsQuotes = /[",\r\n]/;

export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell !== "string") return String(cell);
  const text = opensFormula.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
