// Values by model name, in which `*` stands for any characters: an exact name comes first, then the
// pattern that says most.

interface Pattern<Value> {
  /** Characters before, between and behind the stars. */
  parts: readonly string[];
  value: Value;
}

export class ModelPatterns<Value> {
  readonly #exact = new Map<string, Value>();
  readonly #patterns: readonly Pattern<Value>[];

  constructor(values: Iterable<readonly [name: string, value: Value]>) {
    const patterns: Pattern<Value>[] = [];
    for (const [name, value] of values) {
      const parts = name.split("*");
      if (parts.length === 1) this.#exact.set(name, value);
      else patterns.push({ parts, value });
    }
    this.#patterns = patterns.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  }

  find(name: string): Value | undefined {
    return this.#exact.get(name) ?? this.#patterns.find((pattern) => matches(pattern, name))?.value;
  }
}

function lengthOf({ parts }: Pattern<unknown>): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function matches({ parts }: Pattern<unknown>, name: string): boolean {
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
