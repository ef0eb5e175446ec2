// Reads the types that vendors publish with their clients, as far as request bodies need them:
// interfaces, classes, aliases and namespaces. Whatever else a declaration file has is passed over.

/** A value that a field takes: a primitive, a literal, another type, a list, a map or a choice. */
export type Shape =
  | "string"
  | "number"
  | "boolean"
  | "anything"
  | "null"
  | { literal: string | number | boolean }
  | { type: string }
  | { list: Shape }
  | { map: Shape }
  | { oneOf: Shape[] };

export interface Field {
  shape: Shape;
  isOptional: boolean;
}

export interface DeclaredType {
  /** The types whose fields it has as well. */
  bases: string[];
  fields: Record<string, Field>;
  /** Shape that an alias stands for. */
  alias?: Shape;
}

export type Declared = Map<string, DeclaredType>;

const tokenPattern =
  /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[\w$]+|=>|\.\.\.|[^\s]/g;

function tokensOf(text: string): string[] {
  return (text.match(tokenPattern) ?? []).filter((token) => !/^\/[/*]/.test(token));
}

export class TypeReader {
  readonly declared: Declared = new Map();
  #tokens: string[] = [];
  #at = 0;

  read(text: string): void {
    this.#tokens = tokensOf(text);
    this.#at = 0;
    while (this.#at < this.#tokens.length) this.#statement("");
  }

  get #next(): string {
    return this.#tokens[this.#at] ?? "";
  }

  #take(): string {
    return this.#tokens[this.#at++] ?? "";
  }

  #takeIf(token: string): boolean {
    if (this.#next !== token) return false;
    this.#at++;
    return true;
  }

  #statement(scope: string): void {
    while (this.#takeIf("export") || this.#takeIf("declare") || this.#takeIf("abstract")) {
      // Words that change nothing here.
    }
    const word = this.#take();
    if (word === "interface" || word === "class") this.#interface(scope);
    else if (word === "type" && /^\w/.test(this.#next)) this.#alias(scope);
    else if (word === "namespace") this.#namespace(scope);
    else if (word === "enum") this.#enumeration(scope);
    else if (word === "{") this.#skip("{", "}");
  }

  #namespace(scope: string): void {
    const inner = `${scope}${this.#take()}.`;
    if (!this.#takeIf("{")) return;
    while (this.#next !== "}" && this.#next !== "") this.#statement(inner);
    this.#take();
  }

  #enumeration(scope: string): void {
    const name = scope + this.#take();
    this.#take();
    const oneOf: Shape[] = [];
    while (this.#next !== "}" && this.#next !== "") {
      if (this.#takeIf("=")) oneOf.push({ literal: this.#take().slice(1, -1) });
      else this.#take();
    }
    this.#take();
    this.declared.set(name, { bases: [], fields: {}, alias: { oneOf } });
  }

  #interface(scope: string): void {
    const name = scope + this.#take();
    if (this.#takeIf("<")) this.#skip("<", ">");
    const bases: string[] = [];
    while (this.#next !== "{" && this.#next !== "") {
      const token = this.#take();
      if (token === "<") this.#skip("<", ">");
      else if (/^\w/.test(token) && token !== "extends" && token !== "implements") {
        bases.push(scope + this.#path(token));
      }
    }
    this.#take();
    this.declared.set(name, { bases, fields: this.#fields(name) });
  }

  /** A dotted name, whose first word has been taken. */
  #path(first: string): string {
    let path = first;
    while (this.#takeIf(".")) path += `.${this.#take()}`;
    return path;
  }

  #alias(scope: string): void {
    const name = scope + this.#take();
    if (this.#takeIf("<")) this.#skip("<", ">");
    if (!this.#takeIf("=")) return;
    this.declared.set(name, { bases: [], fields: {}, alias: this.#shape(name) });
    this.#takeIf(";");
  }

  #fields(owner: string): Record<string, Field> {
    const fields: Record<string, Field> = {};
    while (this.#next !== "}" && this.#next !== "") {
      while (/^(?:readonly|private|static|protected|get|set)$/.test(this.#next)) this.#take();
      const name = this.#take().replace(/^["']|["']$/g, "");
      if (name === ";" || name === ",") continue;
      if (name === "[") {
        this.#skip("[", "]");
        if (this.#takeIf(":")) fields["*"] = { shape: this.#shape(owner), isOptional: true };
        continue;
      }
      const isOptional = this.#takeIf("?");
      if (this.#takeIf("(")) this.#method();
      else if (this.#takeIf(":")) {
        fields[name] = { shape: this.#shape(`${owner}#${name}`), isOptional };
      }
    }
    this.#take();
    return fields;
  }

  #method(): void {
    this.#skip("(", ")");
    while (this.#next !== ";" && this.#next !== "}" && this.#next !== "") {
      if (this.#take() === "{") this.#skip("{", "}");
    }
  }

  /** Past the end of what was opened. */
  #skip(open: string, close: string): void {
    for (let depth = 1; depth > 0 && this.#at < this.#tokens.length;) {
      const token = this.#take();
      if (token === open) depth++;
      if (token === close) depth--;
    }
  }

  #shape(owner: string): Shape {
    this.#takeIf("|");
    const oneOf = [this.#both(owner)];
    while (this.#takeIf("|")) oneOf.push(this.#both(owner));
    const [only] = oneOf;
    return oneOf.length === 1 && only !== undefined ? only : { oneOf };
  }

  /** An intersection counts as a choice of its sides: all their fields are places. */
  #both(owner: string): Shape {
    const sides = [this.#single(owner)];
    while (this.#takeIf("&")) sides.push(this.#single(owner));
    const [only] = sides;
    return sides.length === 1 && only !== undefined ? only : { oneOf: sides };
  }

  #single(owner: string): Shape {
    let shape = this.#atom(owner);
    while (this.#next === "[") {
      this.#take();
      if (this.#takeIf("]")) shape = { list: shape };
      else this.#skip("[", "]");
    }
    return shape;
  }

  #atom(owner: string): Shape {
    const token = this.#take();
    if (token === "(") {
      const shape = this.#shape(owner);
      this.#takeIf(")");
      if (this.#takeIf("=>")) this.#shape(owner);
      return shape;
    }
    if (token === "{") {
      const name = `${owner}#`;
      this.declared.set(name, { bases: [], fields: this.#fields(name) });
      return { type: name };
    }
    if (/^["']/.test(token)) return { literal: token.slice(1, -1) };
    if (/^\d/.test(token)) return { literal: Number(token) };
    if (token === "true" || token === "false") return { literal: token === "true" };
    if (token === "string" || token === "number" || token === "boolean") return token;
    if (!/^[A-Za-z_$]/.test(token)) return "anything";
    return this.#reference(this.#path(token), owner);
  }

  #reference(name: string, owner: string): Shape {
    const inside = this.#takeIf("<") ? this.#arguments(owner) : [];
    const [first = "anything", second = "anything"] = inside;
    if (name === "Array" || name === "Iterable" || name === "ReadonlyArray") return { list: first };
    if (name === "Record") return { map: second };
    if (/^(?:Partial|Omit|Pick|Readonly|Required)$/.test(name)) return first;
    if (/^(?:null|undefined|never|void)$/.test(name)) return "null";
    if (/^(?:unknown|object|keyof|typeof)$/.test(name)) return "anything";
    return { type: name };
  }

  #arguments(owner: string): Shape[] {
    const shapes = [this.#shape(owner)];
    while (this.#takeIf(",")) shapes.push(this.#shape(owner));
    this.#takeIf(">");
    return shapes;
  }
}
