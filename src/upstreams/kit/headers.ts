// Headers of client and channel: their names differ by case alone, and one of them must win.

export function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  const byName: Record<string, string> = {};
  for (const name of Object.keys(headers)) byName[name.toLowerCase()] = headers[name] ?? "";
  return byName;
}
