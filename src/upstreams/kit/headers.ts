// Headers of client and channel: their names differ by case alone, and one of them must win.

export function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of Object.keys(headers)) found[name.toLowerCase()] = headers[name] ?? "";
  return found;
}
