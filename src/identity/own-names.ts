// Model names of a key's own: what each stands for is known before anything else looks at the
// model, so that whoever may name models for a key gains nothing that the key may not have.

interface Pattern {
  /** Texts before, between and behind the stars. */
  parts: readonly string[];
  model: string;
}

export class OwnNames {
  readonly #exact = new Map<string, string>();
  /** Those that say most come first. */
  readonly #patterns: readonly Pattern[];

  constructor(mapping: Readonly<Record<string, string>>) {
    const patterns: Pattern[] = [];
    for (const [name, model] of Object.entries(mapping)) {
      const parts = name.split("*");
      if (parts.length === 1) this.#exact.set(name, model);
      else patterns.push({ parts, model });
    }
    this.#patterns = patterns.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  }

  /** The public name, which is the name itself where it is none of the key's own. */
  resolve(name: string): string {
    const exact = this.#exact.get(name);
    if (exact !== undefined) return exact;
    return this.#patterns.find((pattern) => matches(pattern, name))?.model ?? name;
  }
}

function lengthOf({ parts }: Pattern): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function matches({ parts }: Pattern, name: string): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop() ?? "";
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const place = name.indexOf(part, at);
    if (place === -1) return false;
    at = place + part.length;
  }
  return at + last.length <= name.length;
}
