// Each law is shown a file that breaks it and one that only looks as if, so that no law can go
// blind unseen. Here those of structure.
import { describe, expect, test } from "bun:test";
import { catalogueFindings } from "./catalogue.ts";
import { caught } from "./caught.ts";
import { exportFindings } from "./exports.ts";
import { familyFindings } from "./families.ts";
import { cycleFindings, unusedFindings } from "./graph.ts";
import { loadingFindings } from "./loading.ts";
import { layerFindings } from "./layers.ts";
import { meaningFindings } from "./meanings.ts";
import { modelNameFindings } from "./model-names.ts";
import { bagFindings, needsFindings, spreadFindings } from "./needs.ts";
import { localFindings } from "./locals.ts";
import { callFindings } from "./plane/calls.ts";
import { faceFindings } from "./plane/faces.ts";
import { fieldPlaceFindings } from "./plane/fields.ts";
import { platformFindings } from "./platform.ts";
import { show, sourceFile } from "./source.ts";
import { sqlFindings } from "./sql.ts";
import { ownedWordFindings } from "./tokens.ts";
import { usageColumnFindings } from "./usage-columns.ts";

test("a call without a page or a command is seen, and so is a reason that is none", () => {
  const call = (at: string, faceless?: string) => ({
    name: "keyCalls.rotate",
    at,
    path: "src/admin/key/contract.ts",
    ...(faceless !== undefined && { faceless }),
  });
  const seen = (one: ReturnType<typeof call>, path: string, text: string) =>
    faceFindings([one], [sourceFile(path, text)]).length;
  const rotate = call("POST /api/token/{id}/rotate");
  expect(seen(rotate, "web/a.tsx", `type A = BodyOf<"POST /api/token/{id}/rotate">;`)).toBe(1);
  expect(seen(rotate, "src/cli/a.ts", "keyCalls.rotateAll;")).toBe(1);
  expect(seen(rotate, "web/a.test.ts", `send("POST /api/token/{id}/rotate")`)).toBe(1);
  expect(seen(rotate, "web/a.tsx", `send("POST /api/token/{id}/rotate", ask)`)).toBe(0);
  expect(seen(rotate, "src/cli/a.ts", "call: keyCalls.rotate,")).toBe(0);
  expect(seen(call("GET /api/log/self.csv"), "web/a.ts", `scoped("/api/log")`)).toBe(0);
  expect(seen(call("GET /api/oauth/{provider}", "Sites do."), "web/a.ts", "")).toBe(0);
  expect(seen(call("GET /api/a", "None."), "web/a.ts", `get("GET /api/a")`)).toBe(1);
});

test("a fifth place of a field is seen, and a reason that is no longer needed", () => {
  const seen = (path: string, text: string, reasons = {}) =>
    fieldPlaceFindings([sourceFile(path, text)], reasons).length;
  expect(seen("src/cli/keys.ts", `.option("--x", row.log_content)`)).toBe(1);
  expect(seen("src/admin/user/view.ts", "const { dropStore } = channel;")).toBe(1);
  expect(seen("web/pages/groups/page.tsx", "view.allow_ips")).toBe(1);
  expect(seen("web/pages/keys/form.tsx", `check("log_content")`)).toBe(0);
  expect(seen("src/admin/key/contract.ts", "log_content: flag,")).toBe(0);
  expect(seen("src/identity/authenticate.ts", "row.log_content")).toBe(0);
  expect(seen("src/cli/keys.ts", "log_content", { "src/cli/keys.ts": "Why." })).toBe(0);
  expect(seen("src/cli/keys.ts", "", { "src/cli/keys.ts": "Why." })).toBe(1);
});

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
    ["src/formats/usage.ts", `import { b } from "../catalogue/rules/b.ts";`],
    ["src/families/video-a/a.ts", `import { b } from "../../catalogue/rules/b.ts";`],
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
    ["src/gateway/a.ts", `import { b } from "../core/fetch/fetch-send.ts";`],
    ["src/media/a.ts", `import { b } from "../core/later.ts";`],
    ["src/http/a.ts", `import type { B } from "../core/abort.ts";`],
    ["src/core/a.ts", `await import("../../bin/bundle.mjs");`],
    ["web/app.tsx", `import { b } from "../src/admin/contract.ts";`],
    ["web/app.tsx", `import type { B } from "../src/core/money.ts";`],
  ])("%s may not say %s", (path, statement) => {
    expect(importing(path, statement)).toEqual([`${path}:1`]);
  });

  test.each([
    ["src/core/wire/a.ts", `import { b } from "./b.ts";`],
    ["src/core/wire/a.ts", `import { b } from "../later.ts";`],
    ["src/app/a.ts", `import { b } from "../core/wire/send.ts";`],
    ["src/app/a.ts", `import { b } from "../core/fetch/fetch-send.ts";`],
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
    ["src/formats/chat/a.ts", `import { b } from "../../catalogue/rules/b.ts";`],
    ["src/upstreams/openai/a.ts", `import { b } from "../../catalogue/rules/b.ts";`],
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
    ["src/http/console/a.ts", `await import("../../../bin/bundle.mjs");`],
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

  test("pages of the console make one, too", () => {
    const files = [
      sourceFile("web/pages/a/list.tsx", `import { detail } from "./detail.tsx";`),
      sourceFile("web/pages/a/detail.tsx", `import type { Opened } from "./list.tsx";`),
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

  test("what is large and seldom needed is not loaded with the entry", () => {
    const files = [
      sourceFile("src/main.ts", `import { a } from "./core/a.ts"; import("./cli/program.ts");`),
      sourceFile("src/core/a.ts", `import { z } from "yaml"; import type { S } from "nodemailer";`),
      sourceFile("src/cli/program.ts", `import { parse } from "yaml";`),
    ];
    expect(show(loadingFindings(files))).toEqual(["src/core/a.ts:1 loads yaml at every start"]);
    const alike = sourceFile("src/main.ts", `import { a } from "bunyan"; import { b } from "bun";`);
    expect(show(loadingFindings([alike]))).toEqual(["src/main.ts:1 loads bunyan at every start"]);
    const eager = sourceFile("src/main.ts", `import { program } from "./cli/program.ts";`);
    expect(loadingFindings([eager, ...files.slice(1)])).toHaveLength(1);
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

describe("calls", () => {
  test.each([
    ["src/admin/key/list.ts", "const page = new URLSearchParams(text);"],
    ["src/admin/key/list.ts", `import type { KeyView } from "../contract.ts";`],
    ["src/admin/key/contract.ts", `import { readId } from "../input.ts";`],
    ["src/admin/key/input-contract.ts", `import { listKeys } from "./list.ts";`],
  ])("in %s, %s is caught", (path, text) => {
    expect(caught(callFindings, path, text)).not.toEqual([]);
  });

  test.each([
    ["src/admin/parse-query.ts", "const page = new URLSearchParams(text);"],
    ["src/admin/contract.ts", `export type * from "./key/contract.ts";`],
    ["src/admin/key/list.ts", `import type { KeyView } from "./contract.ts";`],
    ["src/admin/key/contract.ts", `import { bodyOf } from "../call.ts";`],
    ["src/admin/erase/contract.ts", `import { KeyView } from "../key/contract.ts";`],
  ])("in %s, %s is right", (path, text) => {
    expect(caught(callFindings, path, text)).toEqual([]);
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

describe("locals", () => {
  const local = (text: string) => caught(localFindings, "src/quota/a.ts", text);

  test.each([
    "const found = find();\nreturn found;",
    "function keep(made: Row) { put(made); }",
    "const { usage: told } = reply; use(told);",
    "({ found }) => found",
  ])("%s is caught", (text) => {
    expect(local(text)).not.toEqual([]);
  });

  test.each(["reply.found", "{ found: 1 }", "interface A { told?(): number }", "// was found"])(
    "%s is innocent",
    (text) => {
      expect(local(text)).toEqual([]);
    },
  );
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

describe("columns of the usage log", () => {
  const naming = (count: number, path: string) =>
    show(
      usageColumnFindings(
        Array.from({ length: count }, (_, at) =>
          sourceFile(`${path}${at}.ts`, "const sum = row.reasoning_tokens;"),
        ),
      ),
    );

  test("a sixth file that names one is caught, in whatever room", () => {
    for (const room of ["src/observe/a", "src/http/b", "bench/c", "test/harness/accounts/d"]) {
      expect(naming(6, room)).toHaveLength(1);
      expect(naming(5, room)).toEqual([]);
    }
    expect(naming(6, "src/formats/a")).toEqual([]);
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

describe("exports", () => {
  const found = (exporting: string, importing: string) =>
    show(
      exportFindings([
        sourceFile("src/core/a.ts", exporting),
        sourceFile("src/http/b.ts", importing),
      ]).filter(({ path }) => path === "src/core/a.ts"),
    ).map((line) => line.split(",")[0]);

  test.each([
    ["export function one(): void {}", ""],
    ["export async function one() {}", `import { two } from "../core/a.ts";`],
    ["export interface one {}", `import { one } from "../core/c.ts";`],
    ["export type one = 1;", `// import { one } from "../core/a.ts";`],
    ["const two = 2;\nexport { two as one };", `import { two } from "../core/a.ts";`],
    [`export { two as one } from "./c.ts";`, ""],
    ["export class one {}", "const one = 1;"],
  ])("%s beside %p is caught", (exporting, importing) => {
    const line = exporting.split("\n").length;
    expect(found(exporting, importing)).toEqual([`src/core/a.ts:${line} exports one`]);
  });

  test.each([
    ["export const one = 1;", `import { one } from "../core/a.ts";`],
    ["export const one = 1;", `import { one as two } from "../core/a.ts";`],
    ["export interface One {}", `import { two, type One } from "../core/a.ts";`],
    ["export interface One {}", `import type { One } from "../core/a.ts";`],
    ["export const one = 1;", `import * as all from "../core/a.ts";`],
    ["export const one = 1;", `const all = await import("../core/a.ts");`],
    ["export const one = 1;", `export { one } from "../core/a.ts";`],
    ["const one = 1;", ""],
  ])("%s beside %p may be", (exporting, importing) => {
    expect(found(exporting, importing)).toEqual([]);
  });
});

describe("names across rooms", () => {
  const found = (first: string, second: string) =>
    show(
      meaningFindings([
        sourceFile("src/core/a.ts", "export interface Lease {}"),
        sourceFile(first, second),
      ]),
    );

  test.each(["export class Lease {}", "export type Lease = 1;", "export const Lease = 1;"])(
    "another room may not say %s",
    (text) => {
      expect(found("src/tasks/b.ts", text)).toEqual([
        "src/tasks/b.ts:1 exports Lease, which core has too",
      ]);
    },
  );

  test.each([
    ["src/core/b.ts", "export class Lease {}"],
    ["src/tasks/b.ts", "class Lease {}"],
    ["src/tasks/b.ts", `export { Lease } from "../core/a.ts";`],
    ["src/tasks/b.test.ts", "export class Lease {}"],
    ["sandbox/b.ts", "export class Lease {}"],
  ])("%s may say %s", (path, text) => {
    expect(found(path, text)).toEqual([]);
  });
});

describe("names of families, vendors and models", () => {
  const naming = (path: string, text: string) => caught(modelNameFindings, path, text);

  test.each([
    ["src/gateway/a.ts", `const isOwn = id.startsWith("videoA");`],
    ["src/gateway/a.ts", `const names = /^(?:chat)?gpt-image-/;`],
    ["src/gateway/a.ts", `const isOwn = family === "img-f";`],
    ["src/gateway/a.ts", `const isArk = type === "ark";`],
    ["src/http/a.ts", `if (path.startsWith("/imgF/")) return null;`],
    ["src/http/a.ts", "const path = `/videoE/v1/${kind}`;"],
    ["src/http/img-f/a.ts", `const path = "/videoE/v1";`],
    ["src/config/a.ts", `const paired = ["ark"];`],
    ["src/quota/a.ts", `const models = { "claude-opus-4-5": 1 };`],
    ["src/distribution/a.ts", `const owner = "vendorG";`],
    ["sandbox/channels.ts", `const names = { "imageA-2": "gpt-image-2" };`],
  ])("%s may not say %s", (path, text) => {
    expect(new Set(naming(path, text))).toEqual(new Set([`${path}:1`]));
  });

  test.each([
    ["src/families/video-a/a.ts", `const name = "videoA_3_1";`],
    ["src/catalogue/a.ts", `const row = ["gpt-5", "openai"];`],
    ["src/upstreams/google/a.ts", `const type = "google";`],
    ["src/http/img-f/a.ts", `const path = "/imgF/submit/imagine";`],
    ["src/http/envelopes/index.ts", `const all = { "img-f": envelopeImgF };`],
    ["src/http/a.ts", `const envelope = "google";`],
    ["src/http/reference/a.ts", `const example = "videoA_3_1";`],
    ["src/config/entities.ts", `const types = ["ark"];`],
    ["src/gateway/a.ts", `import { open } from "./img-f/open-img-f.ts";`],
    ["src/gateway/a.ts", `// As videoA has it.`],
    ["src/gateway/a.ts", `const kinds = { imageUrl: "imageURL", blame: "gateway" };`],
    ["sandbox/google/a.ts", `const names = { "imageH-3": "gemini-3" };`],
    ["src/gateway/a.test.ts", `const model = "videoA_3_1";`],
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

describe("needs", () => {
  test.each([
    "export interface TextParts {}",
    "interface Ports {}",
    "type TaskTools = A & B;",
    "class FlowDeps {}",
  ])("%s is caught where it is a bag of collaborators", (text) => {
    expect(caught(bagFindings, "src/gateway/a.ts", text)).toEqual(["src/gateway/a.ts:1"]);
    expect(caught(bagFindings, "src/formats/chat/a.ts", text)).toEqual([]);
    expect(caught(bagFindings, "src/gateway/a.test.ts", text)).toEqual([]);
  });

  test.each([
    "interface TextNeeds {}",
    'import { type TextParts, serve } from "./serve.ts";',
    "const readParts = 1;",
    "interface PartsOfText {}",
  ])("%s is no bag", (text) => {
    expect(caught(bagFindings, "src/gateway/a.ts", text)).toEqual([]);
  });

  test.each(["f({ ...a, b });", "const c = { ...a };", "f(() => ({ ...a }));"])(
    "%s is caught in the composition root",
    (text) => {
      expect(caught(spreadFindings, "src/app/a.ts", text)).toEqual(["src/app/a.ts:1"]);
      expect(caught(spreadFindings, "src/app.ts", text)).toEqual(["src/app.ts:1"]);
      expect(caught(spreadFindings, "src/gateway/a.ts", text)).toEqual([]);
    },
  );

  test.each([
    "const c = [...a, ...b];",
    "f(...a);",
    "const { a, ...rest } = b;",
    "const f = ({ a, ...rest }) => rest;",
    "function f({ a, ...rest }: B): void {}",
    "const s = `{ ...a }`;",
  ])("%s spreads no object", (text) => {
    expect(caught(spreadFindings, "src/app/a.ts", text)).toEqual([]);
  });

  const fields = (count: number, letter: string) =>
    Array.from({ length: count }, (_, at) => `  ${letter}${at}: A<{ b: C; d(): void }>;\n`).join(
      "",
    );

  const b = (count: number) => `\ninterface B {\n${fields(count, "b")}}`;

  test.each([
    ["of its own", `interface ANeeds {\n${fields(15, "a")}}`],
    ["with those it extends", `interface ANeeds extends B {\n${fields(8, "a")}}${b(7)}`],
    ["less what is left out", `interface ANeeds extends Omit<B, "b0"> {}${b(16)}`],
    ["of all it joins", `type ANeeds = B & { c(): void };${b(14)}`],
  ])("needs of fifteen fields are caught, %s", (_label, text) => {
    expect(caught(needsFindings, "src/gateway/a.ts", text)).toEqual(["src/gateway/a.ts:1"]);
  });

  test.each([
    ["are fourteen", `interface ANeeds {\n${fields(14, "a")}}`],
    ["are no needs", `interface A {\n${fields(15, "a")}}`],
    ["have the same names", `interface ANeeds extends B {\n${fields(8, "b")}}${b(8)}`],
    ["are picked", `interface ANeeds extends Pick<B, "b0" | "b1"> {}${b(20)}`],
  ])("fields pass that %s", (_label, text) => {
    expect(caught(needsFindings, "src/gateway/a.ts", text)).toEqual([]);
  });
});
