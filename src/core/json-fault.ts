// The place at which a text stops being JSON, for people: the platform's parser does not say. Only
// what was refused already comes here.

interface Fault {
  at: number;
  expected: string;
}

/** Limit of the search: nobody finds a fault further on by counting. */
const bytesMax = 1024 * 1024;
const depthMax = 100;

/** A sentence that says where it is and what was expected there. */
export function describeJsonFault(bytes: Uint8Array): string {
  const foreign = findForeignByte(bytes);
  if (foreign !== null) return `The body is not valid UTF-8 at byte ${foreign}.`;
  const isCut = bytes.length > bytesMax;
  const text = lenient.decode(isCut ? bytes.subarray(0, bytesMax) : bytes);
  const fault = new JsonReader(text).findFault();
  if (!fault || (isCut && fault.at >= text.length - 1)) return "The body is not valid JSON.";
  const before = text.slice(0, fault.at);
  const lines = before.split("\n");
  const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
  const byte = Buffer.byteLength(before);
  const where = fault.at >= text.length ? "the end of the body" : nameOf(text, fault.at);
  const seen = `${fault.expected} was expected, and ${where} was found`;
  return `The body is not valid JSON: at ${place} (byte ${byte}) ${seen}.`;
}

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** The first byte that is no part of a character; null where all are. */
function findForeignByte(bytes: Uint8Array): number | null {
  const part = bytes.subarray(0, bytesMax);
  const again = Buffer.from(lenient.decode(part));
  const at = part.findIndex((byte, index) => byte !== again[index]);
  // A character that only the cut has broken is none.
  return at === -1 || (part.length < bytes.length && at >= part.length - 4) ? null : at;
}

function nameOf(text: string, at: number): string {
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(sign)
    ? JSON.stringify(sign)
    : `the character U+${sign.codePointAt(0)?.toString(16).padStart(4, "0")}`;
}

const value = "a value";
const literals = ["true", "false", "null"];
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  findFault(): Fault | null {
    const fault = this.#value(0);
    if (fault) return fault;
    this.#skip();
    return this.#at < this.#text.length ? this.#fault("the end of the body") : null;
  }

  #fault(expected: string): Fault {
    return { at: this.#at, expected };
  }

  #skip(): void {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at++;
  }

  #take(sign: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #value(depth: number): Fault | null {
    if (depth > depthMax) return this.#fault(value);
    if (this.#take("{")) return this.#object(depth);
    if (this.#take("[")) return this.#list(depth);
    if (this.#take('"')) return this.#string();
    const literal = literals.find((word) => this.#text.startsWith(word, this.#at));
    number.lastIndex = this.#at;
    const taken = literal ?? number.exec(this.#text)?.[0];
    if (taken === undefined) return this.#fault(value);
    this.#at += taken.length;
    return null;
  }

  #object(depth: number): Fault | null {
    if (this.#take("}")) return null;
    do {
      if (!this.#take('"')) return this.#fault("a name in double quotes");
      const named = this.#string();
      if (named) return named;
      if (!this.#take(":")) return this.#fault('":"');
      const fault = this.#value(depth + 1);
      if (fault) return fault;
    } while (this.#take(","));
    return this.#take("}") ? null : this.#fault('"," or "}"');
  }

  #list(depth: number): Fault | null {
    if (this.#take("]")) return null;
    do {
      const fault = this.#value(depth + 1);
      if (fault) return fault;
    } while (this.#take(","));
    return this.#take("]") ? null : this.#fault('"," or "]"');
  }

  /** Behind its opening quote. */
  #string(): Fault | null {
    for (;;) {
      const sign = this.#text[this.#at];
      if (sign === undefined) return this.#fault("a closing quote");
      if (sign < " ") return this.#fault("an escape such as \\n");
      this.#at++;
      if (sign === '"') return null;
      if (sign === "\\" && !this.#escape()) return this.#fault('one of "\\/bfnrtu behind a \\');
    }
  }

  #escape(): boolean {
    const [escape] =
      /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(this.#text.slice(this.#at, this.#at + 5)) ?? [];
    this.#at += escape?.length ?? 0;
    return escape !== undefined;
  }
}
