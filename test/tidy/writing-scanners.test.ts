// Each law is shown a file that breaks it and one that only looks as if, so that no law can go
// blind unseen. Here those of writing, size and provenance.
import { describe, expect, test } from "bun:test";
import { caught } from "./caught.ts";
import { dependencyFindings } from "./dependencies.ts";
import { firstWordFindings } from "./first-words.ts";
import { fixtureFindings } from "./fixtures.ts";
import { privateWordFindings } from "./glossary.ts";
import { emptyWordFindings, kebabFindings } from "./names.ts";
import { requirementFindings } from "./requirements.ts";
import * as sizes from "./sizes.ts";
import { show, sourceFile } from "./source.ts";
import { lockFindings, machineFindings } from "./texts.ts";
import { titleFindings } from "./titles.ts";
import { bannedWordFindings, testFindings } from "./tokens.ts";

describe("banned words", () => {
  test.each([
    "const a = b as any;",
    "function a(b: any) {}",
    "const a = new Map<any, string>();",
    "let a = b as any[];",
    "// @ts-ignore",
    "// @ts-expect-error",
    "/* @ts-nocheck */",
    "// TODO write it",
    "/** FIXME */",
    "export default 1;",
    "enum Color { Red }",
    "export const enum Color { Red }",
    "const [a, b] = body.tee();",
    "Object.assign({}, input);",
    "const a = `${b as any}`;",
    "const a = /[/'\"]/; const b = c as any;",
    "const a = b / 2; const c = d as any; // '",
  ])("%s is caught", (text) => {
    expect(caught(bannedWordFindings, "src/core/a.ts", text)).toContain("src/core/a.ts:1");
  });

  test.each([
    'const a = "as any // TODO";',
    "const a = `as any`;",
    "const a = /as any/;",
    "// any text about an enum { }",
    "const schema = { enum: [1] };",
    "const many: anyone = 1;",
    "const a = 'it\\'s : any';",
  ])("%s is innocent", (text) => {
    expect(caught(bannedWordFindings, "src/core/a.ts", text)).toEqual([]);
  });

  test("a tool's configuration may export by default", () => {
    expect(caught(bannedWordFindings, "web/vite.config.ts", "export default {};")).toEqual([]);
  });
});

describe("tests", () => {
  test.each([
    "test.skip('a', run);",
    "test.only('a', run);",
    "test.todo('a');",
    "it.skip('a', run);",
    "describe.skip('a', run);",
    "describe.only('a', run);",
    "test.skipIf(isSlow)('a', run);",
    "expect(true).toBe(true);",
    'await page.evaluate("location.pathname");',
    "await page.waitForFunction(`location.pathname !== ${first}`);",
    "await page.waitForTimeout(500);",
    'new Database(join(folder, "log.db"));',
  ])("%s is caught", (text) => {
    expect(caught(testFindings, "src/core/a.test.ts", text)).toEqual(["src/core/a.test.ts:1"]);
    expect(caught(testFindings, "test/harness/a.ts", text)).toEqual(["test/harness/a.ts:1"]);
  });

  test("a plain test is left alone", () => {
    expect(
      caught(testFindings, "src/core/a.test.ts", "test('a', () => expect(a).toBe(true));"),
    ).toEqual([]);
  });
});

describe("fixtures", () => {
  const importing = (path: string, target: string) => [
    sourceFile(path, `import { a } from "${target}";`),
    sourceFile("src/core/a.test.ts", `import { a } from "./fixtures/a.ts";`),
    sourceFile("src/core/fixtures/a.ts", "export const a = 1;"),
  ];

  test.each([
    ["src/core/b.test.ts", "./a.test.ts"],
    ["src/core/fixtures/b.ts", "../a.test.ts"],
    ["src/core/b.ts", "./a.test.ts"],
    ["src/core/b.ts", "./fixtures/a.ts"],
    ["sandbox/b.ts", "../src/core/fixtures/a.ts"],
    ["bench/b.ts", "../src/core/fixtures/a.ts"],
    ["bin/b.mjs", "../src/core/fixtures/a.ts"],
  ])("%s may not import %s", (path, target) => {
    expect(show(fixtureFindings(importing(path, target))).join("\n")).toContain(
      `${path}:1 imports`,
    );
  });

  test.each([
    ["src/core/b.test.ts", "./fixtures/a.ts"],
    ["sandbox/b.test.ts", "../src/core/fixtures/a.ts"],
    ["test/harness/b.ts", "../../src/core/fixtures/a.ts"],
    ["src/core/b.ts", "./a.ts"],
  ])("%s may import %s", (path, target) => {
    expect(fixtureFindings(importing(path, target))).toEqual([]);
  });

  test.each([
    "test('a', run);",
    "it('a', run);",
    "describe('a', run);",
    "test.each([1])('a', run);",
  ])("one may not hold %s", (text) => {
    const [user] = importing("src/core/b.test.ts", "./fixtures/a.ts");
    const files = [sourceFile("src/core/fixtures/a.ts", text), ...(user ? [user] : [])];
    expect(show(fixtureFindings(files))).toEqual([
      "src/core/fixtures/a.ts:1 a fixture that holds a test",
    ]);
  });

  test("one that nothing imports is caught", () => {
    expect(caught(fixtureFindings, "src/core/fixtures/a.ts", "pattern.test(text);")).toEqual([
      "src/core/fixtures/a.ts:1",
    ]);
  });
});

describe("titles", () => {
  const titled = (text: string) => caught(titleFindings, "src/core/a.test.ts", text);

  test.each([
    "test('it works', run);",
    "test.concurrent('works', run);",
    "test.each([1])('%s', run);",
    "test.each<[a, b]>([['(']])('%s, %j', run);",
    "test.each(rows)('T1 hazard B2 $name', run);",
    "test(`${a} ${b} ${c}`, run);",
    "describe('a', () => { it('ends', run); });",
    "test('a stream ends as X-U12 has it', run);",
    "test('hazard T1 V-Q1 fault F1 then A9 holds for it', run);",
    "describe('what T1 says', () => {});",
  ])("%s is caught", (text) => {
    expect(titled(text)).toEqual(["src/core/a.test.ts:1"]);
  });

  test.each([
    "test('a stream has an end', run);",
    "test.each([1])('%s is %s', run);",
    "describe('models', () => { test('are listed', run); });",
    "describe.each(rows)('a client of %s', () => { test(`reads ${a}`, run); });",
    "test('T1 V-C1 X-U12 hazard B2 C3 fault F1 invariant I2 all of it holds', run);",
    "pattern.test('T1');",
    "test.each(rows)(title, run);",
  ])("%s is a sentence", (text) => {
    expect(titled(text)).toEqual([]);
  });
});

describe("requirements", () => {
  const title = "T1 hazard B2 C3 invariant I4 it holds";
  const against = (...lines: string[]) =>
    show(
      requirementFindings(
        [{ path: "test/requirements.md", text: lines.join("\n") }],
        [sourceFile("src/core/a.test.ts", `\ntest("${title}", run);`)],
      ),
    );
  const index = ["# T9", "- T1: A.", "- hazard B2: A.", "- hazard C3: A.", "- invariant I4: A."];

  test("an index of all that titles name is complete", () => {
    expect(against(...index)).toEqual([]);
  });

  test("what is missing from the index is caught where it is named", () => {
    expect(against(...index.slice(0, 3), "- C3: A.", "- invariant I4: A.")).toEqual([
      "test/requirements.md:4 has C3, which no title names",
      "src/core/a.test.ts:2 names hazard C3, which is not in test/requirements.md",
    ]);
  });

  test.each(["- T1: Again.", "- T2: No title names it.", "- T3:", "- T4 it has no colon."])(
    "the line %s is caught",
    (line) => {
      expect(against(...index, line)).toHaveLength(1);
    },
  );
});

describe("sizes", () => {
  const lines = (count: number, text = "call();") => Array.from({ length: count }, () => text);
  const body = (count: number) => lines(count).join("\n");

  test("a source may have 400 lines and a test 700", () => {
    expect(caught(sizes.lengthFindings, "src/a.ts", `${body(400)}\n`)).toEqual([]);
    expect(caught(sizes.lengthFindings, "src/a.ts", `${body(401)}\n`)).toEqual(["src/a.ts:401"]);
    expect(caught(sizes.lengthFindings, "src/a.test.ts", `${body(700)}\n`)).toEqual([]);
    expect(caught(sizes.lengthFindings, "src/a.test.ts", body(701))).toEqual(["src/a.test.ts:701"]);
  });

  test.each([
    ["function a() {", "}"],
    ["function a<T extends { b: string }>(c: T): Promise<{ d: string }> {", "}"],
    ["function a(b: unknown): b is { c: string } {", "}"],
    ["function a(): { b: string } | null {", "}"],
    ["function a(): `x-${string}` {", "}"],
    ["const a = async (b: string): Promise<void> => {", "};"],
    ["const a = (b) => ({", "});"],
    ["const a = (b) => run(() => {", "}, 1);"],
    ["class A { #b(c = { d: 1 }): void {", "} }"],
    ["class A { get b() {", "} }"],
    ["const a = { async *b() {", "} };"],
    ["const a = function () { const b = '{'; const c = /[{]/; const d = `{${e}`;", "};"],
  ])("a function that starts with %s may have 70 lines", (head, tail) => {
    const short = [head, ...lines(68), tail].join("\n");
    const long = [head, ...lines(69), tail].join("\n");
    expect(caught(sizes.functionFindings, "src/a.ts", short)).toEqual([]);
    expect(caught(sizes.functionFindings, "src/a.ts", long)).toContain("src/a.ts:1");
  });

  test.each([
    ["if (a) {", "}"],
    ["for (const a of b) {", "}"],
    ["describe('a { b', () => {", "});"],
    ["const a = b ? c(d) : {", "};"],
    ["interface A { b(): void;", "}"],
    ["class A {", "}"],
    ["const a = {", "};"],
  ])("%s opens no function", (head, tail) => {
    const text = [head, ...lines(80, "a,"), tail].join("\n");
    expect(caught(sizes.functionFindings, "src/a.test.ts", text)).toEqual([]);
  });

  test("a file that is misread is caught", () => {
    const misread = (text: string) => caught(sizes.misreadFindings, "web/a.tsx", `\n${text}`);
    expect(misread("call(a]);")).toEqual(["web/a.tsx:2"]);
    expect(misread("function a() {")).toEqual(["web/a.tsx:2"]);
    expect(misread("call());")).toEqual(["web/a.tsx:2"]);
    expect(misread("return <p>It's {a}</p>; call(/[(]/, '(', `(${')'}(`); // (")).toEqual([]);
  });

  test("a migration may list as many statements as it has", () => {
    const text = ["function up() {", ...lines(100), "}"].join("\n");
    expect(caught(sizes.functionFindings, "src/store/migrations/a.ts", text)).toEqual([]);
  });

  test("a line may have 100 columns, and more for an address or an import", () => {
    const wide = (text: string) => caught(sizes.widthFindings, "src/a.ts", `\n${text}`);
    expect(wide("é".repeat(100))).toEqual([]);
    expect(wide("a".repeat(101))).toEqual(["src/a.ts:2"]);
    expect(wide(`const a = "https://${"a".repeat(101)}";`)).toEqual([]);
    expect(wide(`import { ${"a".repeat(101)} } from "./a.ts";`)).toEqual([]);
  });

  test("a folder may hold 30 sources and as many tests", () => {
    const files = (count: number, end: string) =>
      Array.from({ length: count }, (_, index) => sourceFile(`src/core/a${index}${end}`, ""));
    expect(sizes.folderFindings([...files(30, ".ts"), ...files(30, ".test.ts")])).toEqual([]);
    expect(sizes.folderFindings(files(31, ".ts"))).toHaveLength(1);
    expect(sizes.folderFindings(files(31, ".test.ts"))).toHaveLength(1);
  });

  test("a file may weigh 200 KB", () => {
    const weighing = (path: string, bytes: number) =>
      sizes.weightFindings(new Map([[path, bytes]]));
    expect(weighing("docs/a.png", 204_800)).toEqual([]);
    expect(weighing("docs/a.png", 204_801)).toHaveLength(1);
    expect(weighing("web/package-lock.json", 204_801)).toEqual([]);
    expect(weighing("bench/results/a.json", 204_801)).toEqual([]);
  });
});

describe("names", () => {
  test.each(["src/core/urlGuard.ts", "src/Core/url.ts", "test/url_guard.ts", "bench/A.ts"])(
    "%s is not kebab-case",
    (path) => {
      expect(kebabFindings([path])).toHaveLength(1);
    },
  );

  test.each(["src/core/url-guard.test.ts", "bench/README.md", "web/index.html", "NOTICE"])(
    "%s is a good name",
    (path) => {
      expect(kebabFindings([path])).toEqual([]);
      expect(emptyWordFindings([path])).toEqual([]);
    },
  );

  test.each(["src/utils.ts", "src/http/body-helpers.ts", "test/common/a.ts", "bench/misc.json"])(
    "%s says nothing",
    (path) => {
      expect(emptyWordFindings([path])).toHaveLength(1);
    },
  );
});

describe("provenance", () => {
  const machine = (text: string, path = "docs/a.md") => show(machineFindings([{ path, text }]));

  test.each([["root"], ["work", "main"], ["home", "someone"], ["Users", "someone"]])(
    "a path below /%s is caught",
    (...folders) => {
      const path = ["", ...folders, ""].join("/");
      expect(machine(`first\nsee ${path}notes`)).toEqual([
        "docs/a.md:2 names a path of one machine",
      ]);
      expect(machine(`"file://${path}notes"`)).toHaveLength(1);
      expect(machine(`https://example.com${path}notes and ..${path}notes`)).toEqual([]);
    },
  );

  test("a package registry is caught, in a text or as a setting", () => {
    expect(machine(["https://registry", "npmjs", "org/a"].join("."))).toHaveLength(1);
    expect(machine("registry = https://example.com", ".npmrc")).toHaveLength(1);
    expect(machine("registry = new Map();", "src/core/a.ts")).toEqual([]);
  });

  test("a lock file with addresses is caught", () => {
    const lock = (text: string) => lockFindings([{ path: "bench/package-lock.json", text }]);
    expect(lock('{\n "resolved": "https://example.com/a.tgz" }')).toHaveLength(1);
    expect(lock('{ "packages": { "node_modules/a": { "integrity": "sha512-a" } } }')).toEqual([]);
  });

  test("a lock file that lacks what one of its packages asks for is caught", () => {
    const lock = (packages: object) =>
      show(lockFindings([{ path: "package-lock.json", text: JSON.stringify({ packages }) }]));
    const asking = { optionalDependencies: { "@a/win": "1.0.0" } };
    expect(lock({ "node_modules/a": asking })).toEqual([
      "package-lock.json:1 lacks @a/win, which node_modules/a asks for: npm ci refuses it",
    ]);
    expect(lock({ "node_modules/a": asking, "node_modules/@a/win": {} })).toEqual([]);
    const inner = "node_modules/a/node_modules/b";
    expect(lock({ [inner]: { dependencies: { c: "1" } }, "node_modules/c": {} })).toEqual([]);
    expect(lock({ [inner]: { dependencies: { c: "1" } }, "node_modules/d": {} })).toHaveLength(1);
    const willing = {
      peerDependencies: { c: "1" },
      peerDependenciesMeta: { c: { optional: true } },
    };
    expect(lock({ "": { devDependencies: { c: "1" } }, "node_modules/b": willing })).toHaveLength(
      1,
    );
  });

  test("a dependency is caught when it floats or has no reason", () => {
    const reasons = { path: "docs/dependencies.md", text: "| `a` | why |\n- @b/c: why" };
    const findings = (text: string) =>
      show(dependencyFindings([{ path: "package.json", text }, reasons]));
    expect(findings('{ "dependencies": { "a": "1.2.3", "@b/c": "1.0.0-rc.1" } }')).toEqual([]);
    expect(findings('{ "dependencies": { "a": "npm:@b/c@1.2.3" } }')).toEqual([]);
    expect(findings('{ "dependencies": { "a": "npm:@b/c@1" } }')).toHaveLength(1);
    expect(findings('{ "dependencies": { "a": "^1.2.3" } }')).toEqual([
      "package.json:1 a is not pinned: ^1.2.3",
    ]);
    expect(findings('{\n"devDependencies": { "why-not": "1.2.3" } }')).toEqual([
      "package.json:2 why-not has no line in docs/dependencies.md",
    ]);
    expect(findings('{ "optionalDependencies": { "c": "1.2.3" } }')).toHaveLength(1);
  });
});

describe("first words", () => {
  const found = (text: string) => caught(firstWordFindings, "test/a.ts", text);

  test.each([
    "// What it is.",
    "/** Who asks. */",
    "/* Of one. */",
    "{\n  // By name.\n}",
    "/**\n * As sent.\n */",
    "const a = 1; // Whose it is.",
    "// A name.\n\n// Whatever it is.",
    "const a = 1; // A name.\n// How it is.",
    "// Wherever it is.",
    "// Whether it is.",
  ])("%j is caught", (text) => {
    expect(found(text)).toHaveLength(1);
  });

  test.each([
    "// The search.",
    "// Search names.",
    "// A name:\n// What it is.",
    "let a;\n/** Whether it is. */",
    'const a = "// What";',
    "/** Offers. */",
    "// Assets.",
  ])("%j is innocent", (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("private words", () => {
  const page = { path: "docs/glossary.md", text: "| wallet | Means money. | purse |" };
  const found = (path: string, text: string) =>
    show(privateWordFindings([sourceFile(path, text)], [page]));

  test.each([
    "const purse = 1;",
    "const purses = [];",
    "function isOfPurse() {}",
    "type PurseFit = 1;",
  ])("%s is caught", (text) => {
    expect(found("src/core/a.ts", text)).toEqual([
      'src/core/a.ts:1 "purse" is a private word: say wallet',
    ]);
  });

  test("a file's name is caught", () => {
    expect(found("src/core/purse-fit.ts", "")).toHaveLength(1);
  });

  test.each(["const pursed = 1;", 'const a = "purse";', "// A purse."])(
    "%s is innocent",
    (text) => {
      expect(found("src/core/a.ts", text)).toEqual([]);
    },
  );
});
