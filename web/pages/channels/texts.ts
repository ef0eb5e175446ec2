// Pairs and objects of a channel, as they are typed.

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

/** Text that is no object stays text, for the gateway to refuse. */
export function readObject(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
