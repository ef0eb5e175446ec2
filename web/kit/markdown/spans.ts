// Spans of a line of Markdown: emphasis, code, links. Read in one pass with the marks that are open
// on a stack; a mark without its other half is text.

export type Span =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "break" }
  | { kind: "strong" | "em" | "del"; spans: readonly Span[] }
  | { kind: "link"; href: string; spans: readonly Span[] }
  | { kind: "image"; src: string; alt: string };

/** Longer lines than people write stay text, however many marks are in them. */
const textMax = 4_000_000;
const openMax = 16;

interface Open {
  mark: string;
  spans: Span[];
}

const kinds = { "**": "strong", __: "strong", "*": "em", _: "em", "~~": "del" } as const;
type Mark = keyof typeof kinds;

export function spansOf(text: string): readonly Span[] {
  return text.length > textMax ? [{ kind: "text", text }] : new Reader(text).read();
}

const protocols = ["http:", "https:", "mailto:"];

/** Address that a link may lead to; null where it is no whole address of the web or of mail. */
export function safeHref(text: string): string | null {
  try {
    const url = new URL(text);
    return protocols.includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

const drawn = /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/;

class Reader {
  readonly #text: string;
  #at = 0;
  readonly #open: Open[] = [{ mark: "", spans: [] }];
  /** Runs of backticks of which no second is to come. */
  readonly #lonely = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  read(): readonly Span[] {
    while (this.#at < this.#text.length) this.#step();
    while (this.#open.length > 1) this.#spill();
    return this.#top.spans;
  }

  get #top(): Open {
    return this.#open.at(-1) ?? { mark: "", spans: [] };
  }

  #step(): void {
    const letter = this.#text.charAt(this.#at);
    if (letter === "\\") return this.#escape();
    if (letter === "`") return this.#code();
    if (letter === "\n") return this.#push({ kind: "break" }, 1);
    if (letter === "*" || letter === "_" || letter === "~") return this.#emphasis(letter);
    if (letter === "[") return this.#bracket("[");
    if (letter === "!" && this.#text.charAt(this.#at + 1) === "[") return this.#bracket("![");
    if (letter === "]") return this.#close();
    if (letter === "h" || letter === "<") return this.#address();
    return this.#plain(this.#match(/[^\\`\n*_~[\]!h<]+/y)?.[0] ?? letter);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  #plain(text: string): void {
    this.#at += text.length;
    pushText(this.#top.spans, text);
  }

  #push(span: Span, length: number): void {
    this.#at += length;
    this.#top.spans.push(span);
  }

  #escape(): void {
    const next = this.#text.charAt(this.#at + 1);
    if (!/[!-/:-@[-`{-~]/.test(next)) return this.#plain("\\");
    this.#at++;
    this.#plain(next);
  }

  #code(): void {
    const run = this.#match(/`+/y)?.[0] ?? "`";
    const from = this.#at + run.length;
    const end = this.#lonely.has(run) ? -1 : this.#endOf(run, from);
    if (end === -1) {
      this.#lonely.add(run);
      return this.#plain(run);
    }
    const inner = this.#text.slice(from, end).replaceAll("\n", " ");
    const isPadded = /^ .* $/.test(inner) && inner.trim() !== "";
    const text = isPadded ? inner.slice(1, -1) : inner;
    this.#push({ kind: "code", text }, end + run.length - this.#at);
  }

  /** Next run of just as many backticks. */
  #endOf(run: string, from: number): number {
    const runs = /`+/g;
    runs.lastIndex = from;
    for (let found = runs.exec(this.#text); found; found = runs.exec(this.#text)) {
      if (found[0] === run) return found.index;
    }
    return -1;
  }

  #emphasis(letter: string): void {
    const run = this.#match(/\*+|_+|~+/y)?.[0] ?? letter;
    const [before, after] = [
      this.#text.charAt(this.#at - 1),
      this.#text.charAt(this.#at + run.length),
    ];
    const isInWord = letter === "_" && isWord(before) && isWord(after);
    const canClose = before !== "" && !/\s/.test(before) && !isInWord;
    const canOpen = after !== "" && !/\s/.test(after) && !isInWord;
    let rest = run;
    while (canClose && rest !== "") {
      const mark = this.#closable(rest);
      if (mark === null) break;
      this.#wrap(mark);
      rest = rest.slice(mark.length);
    }
    this.#at += run.length - rest.length;
    while (canOpen && rest !== "" && this.#open.length < openMax) {
      const mark = rest.length > 1 ? rest.slice(0, 2) : rest;
      if (!(mark in kinds)) break;
      this.#open.push({ mark, spans: [] });
      this.#at += mark.length;
      rest = rest.slice(mark.length);
    }
    if (rest !== "") this.#plain(rest);
  }

  /** The innermost open mark that this run is long enough for, within the same brackets. */
  #closable(run: string): Mark | null {
    for (let at = this.#open.length - 1; at > 0; at--) {
      const mark = this.#open[at]?.mark ?? "";
      if (mark.endsWith("[")) return null;
      if (isMark(mark) && run.startsWith(mark)) return mark;
    }
    return null;
  }

  #wrap(mark: Mark): void {
    while (this.#top.mark !== mark) this.#spill();
    const spans = this.#open.pop()?.spans ?? [];
    if (spans.length === 0) return pushText(this.#top.spans, mark + mark);
    this.#top.spans.push({ kind: kinds[mark], spans });
  }

  /** Mark without its other half, as text before what came after it. */
  #spill(): void {
    const { mark, spans } = this.#open.pop() ?? { mark: "", spans: [] };
    pushText(this.#top.spans, mark);
    for (const span of spans) {
      if (span.kind === "text") pushText(this.#top.spans, span.text);
      else this.#top.spans.push(span);
    }
  }

  #bracket(mark: string): void {
    if (this.#open.length >= openMax) return this.#plain(mark);
    this.#at += mark.length;
    this.#open.push({ mark, spans: [] });
  }

  #close(): void {
    const isOpen = this.#open.some(({ mark }) => mark.endsWith("["));
    if (!isOpen) return this.#plain("]");
    while (!this.#top.mark.endsWith("[")) this.#spill();
    this.#at++;
    const target = this.#match(
      /\(<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?: [^()\n]{0,200})?\)/y,
    );
    const { mark, spans } = this.#top;
    const span = target && spanFor(mark, target[1] ?? "", spans);
    if (!target || !span) {
      this.#spill();
      return pushText(this.#top.spans, "]");
    }
    this.#open.pop();
    this.#push(span, target[0].length);
  }

  /** An address that stands by itself, or between angle brackets. */
  #address(): void {
    const [whole, bare] = this.#match(/<(https?:\/\/[^\s<>]+)>/y) ?? [];
    const found = bare ?? this.#match(/https?:\/\/[^\s<>[\]`*"']+/y)?.[0];
    const isInLink = this.#open.some(({ mark }) => mark === "[");
    if (found === undefined || isInLink) return this.#plain(this.#text.charAt(this.#at));
    const text = bare ?? found.replace(/[.,:;!?)]+$/, "");
    const href = safeHref(text);
    if (href === null) return this.#plain(this.#text.charAt(this.#at));
    const spans: Span[] = [{ kind: "text", text }];
    this.#push({ kind: "link", href, spans }, (whole ?? text).length);
  }
}

function isMark(text: string): text is Mark {
  return text in kinds;
}

function isWord(letter: string): boolean {
  return /[\p{L}\p{N}]/u.test(letter);
}

function pushText(spans: Span[], text: string): void {
  if (text === "") return;
  const last = spans.at(-1);
  if (last?.kind === "text") last.text += text;
  else spans.push({ kind: "text", text });
}

/** Nothing where it leads nowhere that a link may lead to: then it stays as it was written. */
function spanFor(mark: string, target: string, spans: readonly Span[]): Span | null {
  if (mark === "![" && drawn.test(target)) {
    return { kind: "image", src: target, alt: plainText(spans) };
  }
  // Pictures of other hosts are not loaded: whoever has them would learn of the reader.
  const href = safeHref(target);
  if (href === null) return null;
  const shown = unlinked(spans);
  return { kind: "link", href, spans: shown.length > 0 ? shown : [{ kind: "text", text: href }] };
}

/** A link within a link is its words. */
function unlinked(spans: readonly Span[]): readonly Span[] {
  return spans.flatMap((span) => {
    if (span.kind === "link") return unlinked(span.spans);
    return "spans" in span ? [{ ...span, spans: unlinked(span.spans) }] : [span];
  });
}

export function plainText(spans: readonly Span[]): string {
  return spans
    .map((span) => {
      if ("text" in span) return span.text;
      if ("spans" in span) return plainText(span.spans);
      return span.kind === "break" ? " " : span.alt;
    })
    .join("");
}
