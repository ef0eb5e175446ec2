// Variants of a model that cost more than the plain one, which the list takes for it.

const dearer: ReadonlySet<string> = new Set([
  "fast",
  "search",
  "audio",
  "realtime",
  "tts",
  "image",
  "research",
  "pro",
  "priority",
]);

/** The name says a variant of which the row that was found knows nothing. */
export function isOtherVariant(name: string, row: { id: string; name?: string }): boolean {
  const listed = new Set([...wordsOf(row.id), ...wordsOf(row.name ?? "")]);
  return wordsOf(name).some((word) => dearer.has(word) && !listed.has(word));
}

function wordsOf(name: string): string[] {
  return name.toLowerCase().split(/[^a-z]+/);
}
