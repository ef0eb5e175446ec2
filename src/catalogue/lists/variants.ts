// Variants of a model that cost something else than the one that the list takes for it.

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

/** Versions that the list prices as an earlier one, with the vendor's own price. */
const versions = [
  {
    named: /titan-embed-text-v2/,
    id: "amazon.titan-embed-text-v2:0",
    name: "Titan Text Embeddings V2",
    context_window: 8192,
    prices: { input_mtok: 0.02 },
  },
];

/** Null where the list's own row holds. */
export function rowOfVersion(name: string) {
  return versions.find(({ named }) => named.test(name)) ?? null;
}

/** The name says a variant of which the row that was found knows nothing. */
export function isOtherVariant(name: string, row: { id: string; name?: string }): boolean {
  const listed = new Set([...wordsOf(row.id), ...wordsOf(row.name ?? "")]);
  return wordsOf(name).some((word) => dearer.has(word) && !listed.has(word));
}

function wordsOf(name: string): string[] {
  return name.toLowerCase().split(/[^a-z]+/);
}
