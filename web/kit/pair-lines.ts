// Pairs of names as they are typed, one a line.

export function writeLines(between: string) {
  return (values: Record<string, string | number>): string =>
    Object.entries(values)
      .map(([name, value]) => name + between + value)
      .join("\n");
}

export function readLines(between: string) {
  return (text: string): Record<string, string> => {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return Object.fromEntries(
      lines.map((line) => {
        const at = line.indexOf(between);
        const end = at === -1 ? line.length : at;
        return [line.slice(0, end).trim(), line.slice(end + between.length).trim()];
      }),
    );
  };
}

/** The same with counts; what is no number is left to the gateway to refuse. */
export function readCounts(between: string) {
  return (text: string): Record<string, number> =>
    Object.fromEntries(
      Object.entries(readLines(between)(text)).map(([name, value]) => [name, Number(value)]),
    );
}
