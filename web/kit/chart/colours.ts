// Colours that stay with a name: whichever range or order it is drawn in, as far as five go.

const coloured = 5;
const kept = new Map<string, number>();

/** A colour for each name, none twice where there are at most five. */
export function coloursOf(names: readonly string[]): ReadonlyMap<string, string> {
  const free = new Set(Array.from({ length: coloured }, (_, number) => number));
  const taken = new Map<string, number>();
  const take = (name: string, wanted: number) => {
    const [first = wanted] = free;
    const number = free.has(wanted) ? wanted : first;
    free.delete(number);
    taken.set(name, number);
    if (!kept.has(name)) kept.set(name, number);
  };
  // Known ones choose first; new ones by their own letters, whatever their rank.
  for (const name of names) {
    const known = kept.get(name);
    if (known !== undefined) take(name, known);
  }
  for (const name of names.toSorted()) if (!taken.has(name)) take(name, numberOf(name));
  return new Map([...taken].map(([name, number]) => [name, `var(--series-${number + 1})`]));
}

function numberOf(name: string): number {
  let number = 0;
  for (const letter of name) number = (number * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return number % coloured;
}
