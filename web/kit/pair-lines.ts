// Pairs of names as they are typed, one a line.

export function writeLines(between: string) {
  return (values: Record<string, string>): string =>
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
