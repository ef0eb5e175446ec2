// Each law is shown a file that breaks it and one that only looks as if, so that no law can go
// blind unseen.
import { describe, expect, test } from "bun:test";
import { catalogueFindings } from "./catalogue.ts";
import { dependencyFindings } from "./dependencies.ts";
import { familyFindings } from "./families.ts";
import { cycleFindings, unusedFindings } from "./graph.ts";
import { layerFindings } from "./layers.ts";
import { emptyWordFindings, kebabFindings } from "./names.ts";
import { platformFindings } from "./platform.ts";
import * as sizes from "./sizes.ts";
import { show, sourceFile } from "./source.ts";
import { sqlFindings } from "./sql.ts";
import { lockFindings, machineFindings } from "./texts.ts";
import { bannedWordFindings, ownedWordFindings, testFindings } from "./tokens.ts";

type Scanner = typeof layerFindings;

/** The places a scanner complains about, without its words. */
function caught(scanner: Scanner, path: string, text: string): string[] {
  return show(scanner([sourceFile(path, text)])).map((line) => line.split(" ")[0] ?? "");
}

describe("layers", () => {
  const importing = (from: string, statement: string) => caught(layerFindings, from, statement);

  test.each([
    ["src/core/a.ts", `import { b } from "../config/b.ts";`],
    ["src/core/a.ts", `import type { B } from "../config/b.ts";`],
    ["src/quota/a.ts", `import { b } from "../limits/b.ts";`],
    ["src/quota/a.ts", `import { type B } from "../limits/b.ts";`],
    ["src/quota/a.ts", `export { b } from "../limits/b.ts";`],
    ["src/quota/a.ts", `export * from "../limits/b.ts";`],
    ["src/quota/a.ts", `const b = await import("../limits/b.ts");`],
    ["src/quota/a.ts", `import "../limits/b.ts";`],
    ["src/quota/a.ts", `import {\n  b,\n  c,\n} from "../limits/b.ts";`],
    ["src/quota/a.ts", `import type { B } from "../gateway/b.ts";`],
    ["src/tasks/a.ts", `import type { B } from "../upstreams/upstream.ts";`],
    ["src/core/a.ts", `import type { B } from "../catalogue/b.ts";`],
    ["src/core/a.ts", `import type { B } from "../formats/usage.ts";`],
    ["src/config/a.ts", `import { b } from "../catalogue/b.ts";`],
    ["src/config/a.ts", `import { b } from "../formats/usage.ts";`],
    ["src/catalogue/a.ts", `import type { B } from "../config/b.ts";`],
    ["src/catalogue/a.ts", `import type { B } from "../formats/usage.ts";`],
    ["src/catalogue/a.ts", `import { b } from "../store/b.ts";`],
    ["src/formats/usage.ts", `import type { B } from "../catalogue/b.ts";`],
    ["src/formats/usage.ts", `import type { B } from "../config/b.ts";`],
    ["src/formats/usage.ts", `import type { B } from "./chat/b.ts";`],
    ["src/formats/usage.ts", `import { b } from "./index.ts";`],
    ["src/formats/chat/a.ts", `import { b } from "../../catalogue/b.ts";`],
    ["src/quota/a.ts", `import { b } from "../formats/index.ts";`],
    ["src/quota/a.ts", `import type { B } from "../formats/chat/b.ts";`],
    ["sandbox/openai/a.ts", `import type { B } from "../../src/formats/usage.ts";`],
    ["src/admin/a.ts", `import type { B } from "../http/b.ts";`],
    ["src/gateway/a.ts", `import type { B } from "../admin/b.ts";`],
    ["src/gateway/a.ts", `import { b } from "../../sandbox/b.ts";`],
    ["src/gateway/a.ts", `import { b } from "../app.ts";`],
    ["sandbox/a.ts", `import { b } from "../src/config/b.ts";`],
    ["src/formats/chat/a.ts", `import { b } from "../messages/b.ts";`],
    ["src/formats/chat/a.ts", `import type { B } from "../messages/b.ts";`],
    ["src/families/video-a/a.ts", `import type { B } from "../../formats/exchange.ts";`],
    ["src/upstreams/google/a.ts", `import { b } from "../../formats/exchange.ts";`],
    ["src/upstreams/google/a.ts", `import type { B } from "../../formats/chat/b.ts";`],
    ["src/upstreams/google/a.ts", `import { b } from "../../store/b.ts";`],
    ["src/parts/a.ts", `import { b } from "../core/b.ts";`],
    ["src/core/a.ts", `import { b } from "../../test/harness/b.ts";`],
    ["src/core/a.ts", `import { b } from "./wire/b.ts";`],
    ["src/gateway/text/a.ts", `import type { B } from "../../core/wire/b.ts";`],
    ["src/admin/a.ts", `import { b } from "../core/wire/send.ts";`],
    ["src/gateway/a.ts", `import { b } from "../core/fetch-send.ts";`],
    ["src/media/a.ts", `import { b } from "../core/later.ts";`],
    ["src/http/a.ts", `import type { B } from "../core/abort.ts";`],
    ["web/app.tsx", `import { b } from "../src/admin/contract.ts";`],
    ["web/app.tsx", `import type { B } from "../src/core/money.ts";`],
  ])("%s may not say %s", (path, statement) => {
    expect(importing(path, statement)).toEqual([`${path}:1`]);
  });

  test.each([
    ["src/core/wire/a.ts", `import { b } from "./b.ts";`],
    ["src/core/wire/a.ts", `import { b } from "../later.ts";`],
    ["src/app/a.ts", `import { b } from "../core/wire/send.ts";`],
    ["src/app/a.ts", `import { b } from "../core/fetch-send.ts";`],
    ["src/cli/a.ts", `import { b } from "../core/wire/send.ts";`],
    ["src/gateway/stream/a.ts", `import { b } from "../../core/abort.ts";`],
    ["src/config/a.ts", `import { b } from "../core/b.ts";`],
    ["src/config/a.ts", `import type { B } from "../catalogue/b.ts";`],
    ["src/catalogue/a.ts", `import { b } from "../core/b.ts";`],
    ["src/catalogue/a.ts", `import { b } from "./b.ts";`],
    ["src/formats/format.ts", `import { b } from "../core/b.ts";`],
    ["src/formats/format.ts", `import { b } from "./usage.ts";`],
    ["src/store/a.ts", `import { b } from "../catalogue/b.ts";`],
    ["src/quota/a.ts", `import { b } from "../catalogue/b.ts";`],
    ["src/quota/a.ts", `import { b } from "../formats/usage.ts";`],
    ["src/quota/a.ts", `import type { B } from "../formats/format.ts";`],
    ["src/quota/a.ts", `import type { B } from "../limits/b.ts";`],
    ["src/quota/a.ts", `import { b } from "./b.ts";`],
    ["src/admin/a.ts", `import { b } from "../gateway/b.ts";`],
    ["src/http/a.ts", `import { b } from "../admin/b.ts";`],
    ["src/http/a.ts", `import { b } from "../gateway/b.ts";`],
    ["src/http/a.ts", `import { b } from "../formats/chat/index.ts";`],
    ["src/http/a.ts", `import { b } from "../catalogue/b.ts";`],
    ["src/gateway/a.ts", `import { b } from "../formats/chat/index.ts";`],
    ["src/http/a.ts", `import { b } from "../upstreams/index.ts";`],
    ["src/formats/chat/a.ts", `import { b } from "../format.ts";`],
    ["src/formats/chat/a.ts", `import { b } from "./schema.ts";`],
    ["src/formats/index.ts", `import { b } from "./chat/index.ts";`],
    ["src/families/video-a/a.ts", `import { b } from "../kit/b.ts";`],
    ["src/upstreams/google/a.ts", `import type { B } from "../../formats/exchange.ts";`],
    ["src/cli/a.ts", `import { b } from "../../sandbox/b.ts";`],
    ["src/app.ts", `import { b } from "./http/b.ts";`],
    ["src/core/a.test.ts", `import { b } from "../config/b.ts";`],
    ["src/core/a.ts", `import { b } from "kysely";`],
    ["src/core/a.ts", "const text = `import { b } from '../config/b.ts'`;"],
    ["src/core/a.ts", `// import { b } from "../config/b.ts";`],
    ["web/app.tsx", `import type { B } from "../src/admin/contract.ts";`],
  ])("%s may say %s", (path, statement) => {
    expect(importing(path, statement)).toEqual([]);
  });
});

describe("the graph of imports", () => {
  test("a circle is told with every file on it", () => {
    const files = [
      sourceFile("src/core/a.ts", `import { b } from "./b.ts";`),
      sourceFile("src/core/b.ts", `import { c } from "./c.ts";`),
      sourceFile("src/core/c.ts", `import { a } from "./a.ts";`),
    ];
    expect(show(cycleFindings(files))).toEqual([
      "src/core/a.ts:1 imports itself in a circle: " +
        "src/core/a.ts > src/core/b.ts > src/core/c.ts > src/core/a.ts",
    ]);
  });

  test("types make a circle, too", () => {
    const files = [
      sourceFile("src/core/a.ts", `import { b } from "./b.ts";`),
      sourceFile("src/core/b.ts", `import type { A } from "./a.ts";`),
    ];
    expect(cycleFindings(files)).toHaveLength(1);
  });

  test("a file that only its test imports is unused", () => {
    const files = [
      sourceFile("src/main.ts", `import type { A } from "./core/a.ts"; import("./core/lazy.ts");`),
      sourceFile("src/core/a.ts", `new Worker(new URL("./worker.ts", import.meta.url));`),
      sourceFile("src/core/worker.ts", ""),
      sourceFile("src/core/lazy.ts", ""),
      sourceFile("src/core/lost.ts", ""),
      sourceFile("src/core/lost.test.ts", `import { lost } from "./lost.ts";`),
    ];
    expect(show(unusedFindings(files))).toEqual([
      "src/core/lost.ts:1 is not reached from src/main.ts",
    ]);
  });

  test("without an entry nothing is in use", () => {
    expect(unusedFindings([sourceFile("src/core/a.ts", "")])).toHaveLength(1);
  });
});

describe("SQL", () => {
  test.each([
    'const a = "SELECT 1";',
    "const a = `\n  SELECT *\n  FROM accounts`;",
    "const a = `select id from ${table} where id = 1`;",
    "const a = 'insert into accounts values (1)';",
    'const a = "INSERT OR IGNORE INTO accounts VALUES (1)";',
    'const a = "update accounts set name = 1";',
    'const a = "delete from accounts where id = 1";',
    'const a = "create unique index a on b (c)";',
    'const a = "with recent as (select 1) select 2";',
    "const a = `${x ? `SELECT ${y} FROM z` : 1}`;",
    "const a = sql`1`;",
    "const a = sql<number>`1`;",
    'database.selectFrom("accounts");',
    'database\n  .insertInto("accounts");',
    'database.updateTable("accounts");',
    'database.deleteFrom("accounts");',
  ])("%s is caught outside its home", (text) => {
    expect(caught(sqlFindings, "src/quota/reserve.ts", text)).not.toEqual([]);
    expect(caught(sqlFindings, "src/quota/queries.ts", text)).toEqual([]);
    expect(caught(sqlFindings, "src/store/connect.ts", text)).toEqual([]);
  });

  test.each([
    'const a = "Create an account";',
    'const a = "update the settings of a channel";',
    'const a = "Select a model from the list";',
    'const a = "with a space";',
    "// SELECT 1",
    "const pattern = /SELECT 1/;",
  ])("%s is prose", (text) => {
    expect(caught(sqlFindings, "src/cli/key.ts", text)).toEqual([]);
  });
});

describe("words with an owner", () => {
  const owned = (path: string, text: string) => caught(ownedWordFindings, path, text);

  test.each([
    ["src/config/load.ts", "process.env.PORT"],
    ["src/config/load.ts", 'Bun.env["PORT"]'],
    ["src/config/load.ts", "import.meta.env.PORT"],
    ["src/core/clock.ts", "Date.now()"],
    ["src/core/clock.ts", "new Date()"],
    ["src/core/clock.ts", "new Date;"],
    ["src/app.ts", "performance.now()"],
    ["src/core/random.ts", "Math.random()"],
    ["src/core/clock.ts", "setTimeout(run, 1)"],
    ["src/core/clock.ts", "setInterval(run, 1)"],
    ["src/core/clock.ts", "setImmediate(run)"],
    ["src/core/clock.ts", "AbortSignal.timeout(1)"],
    ["src/app.ts", "fetch(url)"],
    ["src/app.ts", "x ? fetch(url) : null"],
    ["src/app.ts", "await fetch(`${base}/v1`, { method: 'POST' });"],
    ["src/app.ts", "globalThis.fetch(url)"],
    ["src/app.ts", "const send = fetch;"],
    ["src/main.ts", "process.exit(1)"],
    ["src/cli/key.ts", "process.exit(1)"],
  ])("only %s and its like may say %s", (home, text) => {
    expect(owned("src/quota/a.ts", text)).toEqual(["src/quota/a.ts:1"]);
    expect(owned(home, text)).toEqual([]);
    expect(owned("src/quota/a.test.ts", text)).toEqual([]);
    expect(owned("src/quota/a.ts", `"${text.replaceAll('"', "'")}" // ${text}`)).toEqual([]);
  });

  test("nothing that ships writes to the console", () => {
    expect(owned("src/main.ts", "\nconsole.log(1)")).toEqual(["src/main.ts:2"]);
  });

  test.each([
    "new Date(1)",
    "io.fetch(url)",
    "const server = { fetch(request) { return request; } };",
    "const server = { async fetch(request: Request_): Promise<Reply> { return request; } };",
    "interface Server { fetch(request: string): Promise<string>; }",
    "this.#fetch(url)",
    "prefetch(url)",
    "clearTimeout(timer)",
    "timers.setTimeout(run)",
  ])("anyone may say %s", (text) => {
    expect(owned("src/quota/a.ts", text)).toEqual([]);
  });
});

describe("the platform's Request and Response", () => {
  const platform = (path: string, text: string) => caught(platformFindings, path, text);

  test.each([
    "new Response(null)",
    "function serve(request: Request) {}",
    "Response.json({})",
    "let reply: Promise<Response>;",
    "new globalThis.Response(null)",
    "(request: BunRequest) => null",
  ])("%s is caught outside the http layer", (text) => {
    expect(platform("src/gateway/a.ts", text)).toEqual(["src/gateway/a.ts:1"]);
    expect(platform("src/http/a.ts", text)).toEqual([]);
    expect(platform("src/gateway/a.test.ts", text)).toEqual([]);
  });

  test.each([
    "interface RequestScope { a: ResponseMetadata }",
    "vendor.Response",
    "interface Response { status: number }\nlet reply: Response;",
    "function serve<Request, Reply>(answer: (request: Request) => Reply) {}",
    'import type { Request } from "./thread.ts";\nlet request: Request;',
  ])("%s is another thing", (text) => {
    expect(platform("src/gateway/a.ts", text)).toEqual([]);
  });
});

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

  test("a folder may hold 20 sources and as many tests", () => {
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
    expect(lock('\n "resolved": "https://example.com/a.tgz"')).toHaveLength(1);
    expect(lock('"integrity": "sha512-a", "link": true')).toEqual([]);
  });

  test("a dependency is caught when it floats or has no reason", () => {
    const reasons = { path: "docs/dependencies.md", text: "| `a` | why |\n- @b/c: why" };
    const findings = (text: string) =>
      show(dependencyFindings([{ path: "package.json", text }, reasons]));
    expect(findings('{ "dependencies": { "a": "1.2.3", "@b/c": "1.0.0-rc.1" } }')).toEqual([]);
    expect(findings('{ "dependencies": { "a": "^1.2.3" } }')).toEqual([
      "package.json:1 a is not pinned: ^1.2.3",
    ]);
    expect(findings('{\n"devDependencies": { "why-not": "1.2.3" } }')).toEqual([
      "package.json:2 why-not has no line in docs/dependencies.md",
    ]);
    expect(findings('{ "optionalDependencies": { "c": "1.2.3" } }')).toHaveLength(1);
  });
});

describe("families", () => {
  const naming = (path: string, text: string) => caught(familyFindings, path, text);

  test.each([
    ["src/http/a.ts", `import { videoA } from "../families/video-a/index.ts";`],
    ["src/http/a.ts", `import type { Model } from "../families/video-a/models.ts";`],
    ["src/http/a.ts", `export { native } from "../families/video-a/native.ts";`],
    ["src/http/a.ts", `const family = await import("../families/video-a/index.ts");`],
    ["src/http/a.ts", `const path = "src/families/video-a/";`],
    ["src/http/a.ts", `import { render } from "../families/kit/render.ts";`],
    ["src/families/a.ts", `import { videoA } from "./video-a/index.ts";`],
    ["src/families/kit/a.ts", `import { models } from "../video-a/models.ts";`],
    ["src/families/video-b/a.ts", `import { models } from "../video-a/models.ts";`],
  ])("%s may not say %s", (path, text) => {
    expect(naming(path, text)).toEqual([`${path}:1`]);
  });

  test.each([
    ["src/families/index.ts", `import { videoA } from "./video-a/index.ts";`],
    ["src/families/index.ts", `export { parse } from "./video-a/native.ts";`],
    ["src/families/video-a/a.ts", `import { models } from "./models.ts";`],
    ["src/families/video-a/a.ts", `import { render } from "../kit/render.ts";`],
    ["src/families/a.ts", `import { render } from "./kit/render.ts";`],
    ["src/http/a.ts", `import { videoFamilies } from "../families/index.ts";`],
    ["src/http/a.ts", `// As in families/video-a/index.ts.`],
    ["src/http/a.test.ts", `import { videoA } from "../families/video-a/index.ts";`],
  ])("%s may say %s", (path, text) => {
    expect(naming(path, text)).toEqual([]);
  });
});

test("a code of the catalogue that only its home or a test names is caught", () => {
  const files = [
    sourceFile("src/core/errors.ts", `"lost"; "used"`),
    sourceFile("src/http/a.ts", `throw new GatewayError("used"); // "lost"`),
    sourceFile("src/http/a.test.ts", `"lost"`),
  ];
  expect(show(catalogueFindings(["lost", "used"], files))).toEqual([
    'src/core/errors.ts:1 nothing uses the code "lost"',
  ]);
});
