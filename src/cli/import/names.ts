// Names from elsewhere, spelt in ASCII as in every run before; whoever is second gets a number.

const nameLengthMax = 64;

interface Spelling {
  /** Characters that may not stand in it. */
  foreign: RegExp;
  /** Characters that may not stand at its ends. */
  ends: RegExp;
}

export const usernames: Spelling = { foreign: /[^A-Za-z0-9._@-]+/g, ends: /^-+|-+$/g };
export const entityNames: Spelling = { foreign: /[^A-Za-z0-9._ -]+/g, ends: /^[ -]+|[ -]+$/g };

/** `otherwise` is for a name of which nothing is left. */
export function respell(text: string, { foreign, ends }: Spelling, otherwise: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").replace(foreign, "-");
  const isGood = plain === text && text.trim() === text && text.length <= nameLengthMax;
  if (isGood && text !== "") return text;
  const spelt = plain.replace(ends, "").slice(0, nameLengthMax);
  return spelt.replace(ends, "") || otherwise;
}

/** Capitals do not tell two names apart. */
export class TakenNames {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...taken].map((name) => name.toLowerCase()));
  }

  take(wanted: string): string {
    for (let number = 1; ; number++) {
      const tail = number === 1 ? "" : `-${number}`;
      const name = wanted.slice(0, nameLengthMax - tail.length) + tail;
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }
}
