// Betas of Anthropic's wire at places that know some of them, and refuse a request for any other.
/** Names that clouds have for the like. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["advanced-tool-use-2025-11-20", "tool-search-tool-2025-10-19"],
]);

interface SplitBetas {
  sent: string[];
  others: string[];
}

/** The header's list, by what the place takes. */
export function splitBetas(header: string, known: ReadonlySet<string>): SplitBetas {
  const names = header.split(",").map((beta) => beta.trim());
  const betas = names.filter((beta) => beta !== "").map((beta) => aliases.get(beta) ?? beta);
  return {
    sent: [...new Set(betas.filter((beta) => known.has(beta)))],
    others: betas.filter((beta) => !known.has(beta)),
  };
}
