// Cuts a source text into code, literals and comments, so that a law about code is not fooled by a
// string that mentions it. Positions are kept: `code` is as long as the text it came from.

export interface Piece {
  start: number;
  text: string;
}

export interface Lexed {
  /** The text with comments and the insides of literals blanked out. */
  code: string;
  /** Strings and templates without their quotes; a template's expressions are cut out. */
  literals: Piece[];
  /** Regular expressions without their slashes. */
  patterns: Piece[];
  comments: Piece[];
}

const wordsBeforeRegex = new Set(
  "return typeof case in of delete void throw new instanceof else do yield await".split(" "),
);

export function lex(text: string): Lexed {
  return new Lexer(text).read();
}

class Lexer {
  readonly #text: string;
  readonly #chars: string[];
  readonly #literals: Piece[] = [];
  readonly #patterns: Piece[] = [];
  readonly #comments: Piece[] = [];
  #at = 0;
  /** The last word or sign of code, which tells a division from a regular expression. */
  #last = "";

  constructor(text: string) {
    this.#text = text;
    this.#chars = text.split("");
  }

  read(): Lexed {
    if (this.#text.startsWith("#!")) this.#comment(this.#endOfLine());
    this.#code(false);
    return {
      code: this.#chars.join(""),
      literals: this.#literals,
      patterns: this.#patterns,
      comments: this.#comments,
    };
  }

  /** Reads code to the end, or to the brace that closes a template's expression. */
  #code(isInTemplate: boolean): void {
    let depth = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (char === "}" && isInTemplate && depth === 0) return;
      if (char === "{") depth++;
      if (char === "}") depth--;
      this.#step(char);
    }
  }

  #step(char: string): void {
    if (this.#text.startsWith("//", this.#at)) this.#comment(this.#endOfLine());
    else if (this.#text.startsWith("/*", this.#at)) this.#comment(this.#endOfBlock());
    else if (char === '"' || (char === "'" && !this.#isApostrophe())) this.#string(char);
    else if (char === "`") this.#template();
    else if (char === "/" && this.#canStartRegex()) this.#regex();
    else if (/[\w$]/.test(char)) this.#word();
    else {
      if (!/\s/.test(char)) this.#last = char;
      this.#at++;
    }
  }

  /** Text between tags is not quoted, and its words may hold an apostrophe. */
  #isApostrophe(): boolean {
    return /\w/.test(this.#text.charAt(this.#at - 1));
  }

  #comment(end: number): void {
    this.#comments.push({ start: this.#at, text: this.#text.slice(this.#at, end) });
    this.#blank(this.#at, end);
    this.#at = end;
  }

  #string(quote: string): void {
    const start = this.#at + 1;
    let end = start;
    while (end < this.#text.length && !(quote + "\n").includes(this.#text.charAt(end))) {
      end += this.#text[end] === "\\" ? 2 : 1;
    }
    this.#literals.push({ start, text: this.#text.slice(start, end) });
    this.#blank(start, end);
    this.#at = end + 1;
    this.#last = "literal";
  }

  #template(): void {
    const start = ++this.#at;
    const piece: Piece = { start, text: "" };
    this.#literals.push(piece);
    while (this.#at < this.#text.length && this.#text[this.#at] !== "`") {
      if (this.#text.startsWith("${", this.#at)) {
        this.#at += 2;
        this.#last = "{";
        this.#code(true);
        this.#at++;
        piece.text += " ";
      } else {
        const length = this.#text[this.#at] === "\\" ? 2 : 1;
        piece.text += this.#text.slice(this.#at, this.#at + length);
        this.#blank(this.#at, this.#at + length);
        this.#at += length;
      }
    }
    this.#at++;
    this.#last = "literal";
  }

  #regex(): void {
    const end = this.#endOfRegex();
    if (end === null) {
      this.#last = "/";
      this.#at++;
      return;
    }
    this.#patterns.push({ start: this.#at + 1, text: this.#text.slice(this.#at + 1, end) });
    this.#blank(this.#at + 1, end);
    this.#at = end + 1;
    this.#last = "literal";
  }

  #endOfRegex(): number | null {
    let isInClass = false;
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      const char = this.#text[at];
      if (char === "\n") return null;
      if (char === "\\") at++;
      else if (char === "[") isInClass = true;
      else if (char === "]") isInClass = false;
      else if (char === "/" && !isInClass) return at;
    }
    return null;
  }

  /** A closing bracket, a word or a literal before the slash makes it a division. */
  #canStartRegex(): boolean {
    if (wordsBeforeRegex.has(this.#last)) return true;
    // The slash of a closing tag stands right behind its bracket.
    if (this.#text[this.#at - 1] === "<") return false;
    return this.#last === "" || "(,=:[!&|?{;+-*%~^<>".includes(this.#last);
  }

  #word(): void {
    const [word = ""] = /^[\w$]+/.exec(this.#text.slice(this.#at, this.#at + 200)) ?? [];
    this.#last = word;
    this.#at += word.length;
  }

  #endOfLine(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end === -1 ? this.#text.length : end;
  }

  #endOfBlock(): number {
    const end = this.#text.indexOf("*/", this.#at + 2);
    return end === -1 ? this.#text.length : end + 2;
  }

  #blank(start: number, end: number): void {
    for (let at = start; at < end && at < this.#chars.length; at++) {
      if (this.#chars[at] !== "\n") this.#chars[at] = " ";
    }
  }
}
