// Lines of CSV (RFC 4180) that a spreadsheet shows as what they are.

/** What a spreadsheet would take for a formula is told to be text by a leading apostrophe. */
const isFormula = /^[=+\-@\t\r]/;
const needsQuotes = /[",\r\n]/;

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = isFormula.test(value) ? `'${value}` : value;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
