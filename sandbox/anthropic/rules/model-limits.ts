// Limits of the vendor's models, told by their names. A name of no known family has no limits: the
// sandbox serves any.

type Family = "opus" | "sonnet" | "haiku" | "fable";
type Versions = Readonly<Partial<Record<Family, number>>>;

const all = (version: number): Versions => ({
  opus: version,
  sonnet: version,
  haiku: version,
  fable: version,
});

/** The version of each family that a trait begins with; a hundred for each major one. */
const traits = {
  hasEffort: all(405),
  hasAdaptiveThinking: all(406),
  refusesPrefill: all(406),
  hasVeryHighEffort: { opus: 407, sonnet: 500, haiku: 505, fable: 500 },
  refusesSampling: { opus: 407, sonnet: 500, haiku: 505, fable: 500 },
  refusesBudgets: { opus: 505, sonnet: 505, haiku: 505, fable: 500 },
  alwaysThinks: { opus: 505, sonnet: 505, fable: 500 },
  refusesForcedTools: { opus: 505, sonnet: 505, fable: 501 },
} as const satisfies Record<string, Versions>;

const outputMax: readonly [Versions, number][] = [
  [all(406), 128_000],
  [all(405), 64_000],
  [{ opus: 400 }, 32_000],
];

/** Null for a model of no known family. */
export function hasTrait(model: string, trait: keyof typeof traits): boolean | null {
  const known = readName(model);
  return known && isSince(traits[trait], known);
}

/** Null when no limit is known. */
export function outputTokensMax(model: string): number | null {
  const known = readName(model);
  if (!known) return null;
  const [, tokens] = outputMax.find(([versions]) => isSince(versions, known)) ?? [];
  return tokens ?? null;
}

interface Name {
  family: Family;
  version: number;
}

function isSince(versions: Versions, { family, version }: Name): boolean {
  return version >= (versions[family] ?? Number.POSITIVE_INFINITY);
}

const newOrder = /(opus|sonnet|haiku|fable)-(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/;
const oldOrder = /claude-(\d)(?:[-.](\d))?-(opus|sonnet|haiku)/;

/** Names had the version before the family once, and end with a date or without. */
function readName(model: string): Name | null {
  const [, old, oldMinor, oldFamily] = oldOrder.exec(model) ?? [];
  const [, family = oldFamily, major = old, minor = oldMinor] = newOrder.exec(model) ?? [];
  if (family === undefined || !isFamily(family)) return null;
  return { family, version: Number(major) * 100 + Number(minor ?? 0) };
}

function isFamily(text: string): text is Family {
  return text === "opus" || text === "sonnet" || text === "haiku" || text === "fable";
}
