// JSON of a settings file with the places of its values. Comments and trailing commas are allowed:
// some agents read files that have them.
import type { Json, JsonObject } from "../../core/json.ts";
import { PartError } from "./parts.ts";

interface Member {
  name: string;
  start: number;
  value: Node;
  /** SettingPath of the comma behind it. */
  comma: number | null;
}

export interface Node {
  start: number;
  end: number;
  value: Json;
  /** Null for what is no object. */
  members: Member[] | null;
}

const space = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const text = /"(?:[^"\\\n]|\\.)*"/y;
const scalar = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

export function readNodes(source: string): Node {
  const reader = new Reader(source);
  const node = reader.value();
  reader.skip();
  if (reader.at < source.length) throw notJson();
  return node;
}

class Reader {
  at = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  skip(): void {
    this.#take(space);
  }

  value(): Node {
    this.skip();
    const start = this.at;
    const sign = this.#source[start];
    if (sign === "{") return this.#object(start);
    if (sign === "[") return this.#array(start);
    const word = this.#take(sign === '"' ? text : scalar);
    return { start, end: this.at, value: parseWord(word), members: null };
  }

  #object(start: number): Node {
    this.at++;
    const members: Member[] = [];
    while (!this.#isAt("}")) {
      if (members.length > 0 && members.at(-1)?.comma === null) throw notJson();
      const nameStart = this.at;
      const name = String(parseWord(this.#take(text)));
      if (!this.#isAt(":")) throw notJson();
      const value = this.value();
      const comma = this.#isAt(",") ? this.at - 1 : null;
      members.push({ name, start: nameStart, value, comma });
    }
    const entries = members.map((member) => [member.name, member.value.value] as const);
    const value: JsonObject = Object.fromEntries(entries);
    return { start, end: this.at, value, members };
  }

  #array(start: number): Node {
    this.at++;
    const value: Json[] = [];
    let isOpen = true;
    while (!this.#isAt("]")) {
      if (!isOpen) throw notJson();
      value.push(this.value().value);
      isOpen = this.#isAt(",");
    }
    return { start, end: this.at, value, members: null };
  }

  /** Whether this is the next sign, which is passed then. */
  #isAt(sign: string): boolean {
    this.skip();
    if (this.#source[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const word = pattern.exec(this.#source)?.[0];
    if (word === undefined) throw notJson();
    this.at += word.length;
    return word;
  }
}

function parseWord(word: string): Json {
  try {
    const value: Json = JSON.parse(word);
    return value;
  } catch {
    throw notJson();
  }
}

function notJson(): PartError {
  return new PartError("it is not JSON");
}
