import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { blocksOf, type Block } from "./blocks.ts";
import { plainText, safeHref, spansOf, type Span } from "./spans.ts";

function shape(block: Block): unknown {
  switch (block.kind) {
    case "list":
      return [block.start ?? "-", ...block.items.map((one) => one.map(shape))];
    case "quote":
      return [">", ...block.blocks.map(shape)];
    case "table":
      return ["|", block.head, ...block.rows];
    case "code":
      return [`\`${block.language}`, block.text];
    case "heading":
      return [`#${block.level}`, block.text];
    case "rule":
      return "---";
    case "paragraph":
      return block.text;
  }
}

const shapes = (text: string) => blocksOf(text).map(shape);

describe("blocks", () => {
  test("are paragraphs, headings, rules, quotes and code, also code that has not ended", () => {
    const text =
      "# One #\nsaid\nmore\n\n---\n> quoted\n> ## in\n\n~~~js\nlet a;\n\n~~~\n```py\nx = 1";
    expect(shapes(text)).toEqual([
      ["#1", "One"],
      "said\nmore",
      "---",
      [">", "quoted", ["#2", "in"]],
      ["`js", "let a;\n"],
      ["`py", "x = 1"],
    ]);
  });

  test("are lists, one in another, with numbers, gaps, and code within them", () => {
    const text = "- a\n  - b\n\n    more\n- c\n\n3. x\n   ```\n   y\n   ```\n4) z\n\nafter";
    expect(shapes(text)).toEqual([
      ["-", ["a", ["-", ["b", "more"]]], ["c"]],
      [3, ["x", ["`", "y"]], ["z"]],
      "after",
    ]);
  });

  test("are tables where the line below the head says so", () => {
    const text = "| a | b |\n|:--|--:|\n| 1 | x \\| y |\n| 2 |\nend\n\na | b\nc";
    expect(shapes(text)).toEqual([["|", ["a", "b"], ["1", "x | y"], ["2", ""]], "end", "a | b\nc"]);
  });
});

const marks = { strong: "B", em: "I", del: "D" } as const;

function drawn(spans: readonly Span[]): string {
  return spans
    .map((span) => {
      if (span.kind === "text") return span.text;
      if (span.kind === "code") return `{${span.text}}`;
      if (span.kind === "break") return "/";
      if (span.kind === "image") return `IMG(${span.alt})`;
      if (span.kind === "link") return `A(${span.href} ${drawn(span.spans)})`;
      return `${marks[span.kind]}(${drawn(span.spans)})`;
    })
    .join("");
}

describe("spans", () => {
  test.each([
    ["**a** and *b* and ***c***", "B(a) and I(b) and B(I(c))"],
    ["snake_case_name and _it_ and ~~no~~", "snake_case_name and I(it) and D(no)"],
    ["2 * 3 * 4, **open, `co*de*`, ``a ` b``", "2 * 3 * 4, **open, {co*de*}, {a ` b}"],
    ["\\*kept\\* and \\q", "*kept* and \\q"],
    ["[a **b**](https://x.test/a_(b) 'hint')!", "A(https://x.test/a_(b) a B(b))!"],
    [
      "see https://x.test/a, <https://y.test>",
      "see A(https://x.test/a https://x.test/a), A(https://y.test/ https://y.test)",
    ],
    ["![a](data:image/png;base64,AAAA)", "IMG(a)"],
    ["![a](https://x.test/a.png)", "A(https://x.test/a.png a)"],
    [
      "[a](javascript:alert(1)) [b](/console/people) [c](data:text/html,x)",
      "[a](javascript:alert(1)) [b](/console/people) [c](data:text/html,x)",
    ],
    ["![a](data:image/svg+xml;base64,AAAA)", "![a](data:image/svg+xml;base64,AAAA)"],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["[**a](https://x.test) b**", "A(https://x.test/ **a) b**"],
    ["[[x](https://in.test)](https://out.test)", "A(https://out.test/ x)"],
  ])("of %p", (text, wanted) => {
    expect(drawn(spansOf(text))).toBe(wanted);
  });

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "\u0000javascript:alert(1)",
    " vbscript:x",
    "data:text/html,<script>",
    "//elsewhere.test",
    "/console/people",
    "blob:https://x.test/1",
    "file:///etc/passwd",
  ])("lead nowhere by %p", (href) => {
    expect(safeHref(href)).toBeNull();
  });
});

/** Texts in which everything that could mean something stands close together. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "<script>",
        "</script>",
        "<style>",
        "<img src=x onerror=alert(1)>",
        "javascript:",
        "JAVASCRIPT:",
        "java\tscript:",
        "data:text/html,",
        "data:image/svg+xml;base64,",
        "https://x.test",
        "](",
        "[",
        "]",
        "![",
        "(",
        ")",
        "<",
        ">",
        "*",
        "**",
        "_",
        "~~",
        "`",
        "```",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "  ",
        "> ",
        "# ",
        "|",
        "|--|",
        "---",
        "\\",
        "&#106;",
        "&colon;",
        "\u202e",
        "a",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

function spansIn(block: Block): Span[] {
  const flat = (spans: readonly Span[]): Span[] =>
    spans.flatMap((span) => ("spans" in span ? [span, ...flat(span.spans)] : [span]));
  const read = (text: string) => flat(spansOf(text));
  switch (block.kind) {
    case "list":
      return block.items.flat().flatMap(spansIn);
    case "quote":
      return block.blocks.flatMap(spansIn);
    case "table":
      return [...block.head, ...block.rows.flat()].flatMap(read);
    case "paragraph":
    case "heading":
      return read(block.text);
    default:
      return [];
  }
}

test("no text makes a link but to the web or to mail, a picture but of bytes, or a link in a link", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const span of blocksOf(text).flatMap(spansIn)) {
        if (span.kind === "link") {
          expect(["http:", "https:", "mailto:"]).toContain(new URL(span.href).protocol);
          expect(JSON.stringify(span.spans)).not.toContain('"kind":"link"');
        }
        if (span.kind === "image")
          expect(span.src).toMatch(/^data:image\/(?:png|jpeg|webp|gif);base64,/);
      }
    }),
    { numRuns: 3000, seed: 1 },
  );
});

test("no letter of a text is lost but its marks", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (text) => {
      const kept = (one: string) => one.replaceAll(/[^\p{L}\p{N}]/gu, "");
      expect(kept(plainText(spansOf(text)))).toBe(kept(text));
    }),
    { numRuns: 2000, seed: 2 },
  );
});

test.each([
  "[",
  "](",
  "*a ",
  "**",
  "`",
  "` `` ",
  "~ ",
  "> ",
  "- a\n",
  "\n",
  "|",
  "# #",
  "- \n\n",
  "~~~",
  "<http",
  "![a](",
  "1. ",
])("a long run of %p is read in a moment", (piece) => {
  const text = piece.repeat(100_000 / piece.length);
  // Work, not time: others may have the core meanwhile.
  const before = process.cpuUsage();
  for (const block of blocksOf(text)) spansIn(block);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2000);
});
