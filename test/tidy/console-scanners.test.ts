// That the laws of the console still bite.
import { describe, expect, test } from "bun:test";
import { caught } from "./caught.ts";
import { colourFindings, consoleFindings, sheetFindings, unreachedFindings } from "./console.ts";
import { sourceFile } from "./source.ts";

describe("the laws of the console", () => {
  test.each([
    ["web/pages/keys/a.tsx", `const a = await fetch("/api/token");`],
    ["web/kit/a.ts", `new EventSource("/api/live");`],
    ["web/pages/keys/a.tsx", `const a = useGet<KeyView>("/api/token");`],
    ["web/shell/a.tsx", `await call("DELETE", path);`],
    ["web/core/a.ts", `node.innerHTML = text;`],
    ["web/kit/a.tsx", `const a = <p>Hello there</p>;`],
    ["web/kit/a.tsx", `const a = <p>你好</p>;`],
    ["web/kit/a.tsx", `const a = <Field label="Name" />;`],
    ["web/pages/keys/a.ts", `import { b } from "../account/b.ts";`],
  ])("%s may not say %s", (path, text) => {
    expect(caught(consoleFindings, path, text)).toEqual([`${path}:1`]);
  });

  test.each([
    ["web/core/a.ts", `const a = await fetch("/api/token");`],
    ["web/pages/keys/a.tsx", `const a = useAnswer("GET /api/token");`],
    ["web/pages/playground/a.ts", `const a = await fetch("/v1/models");`],
    ["web/kit/a.tsx", `const a = <p class="faint">{t().hello}</p>;`],
    ["web/kit/a.tsx", `const a = new Map<string, Promise<number>>();`],
    ["web/pages/keys/a.ts", `import { titleOf } from "../titles.ts";`],
  ])("%s may say %s", (path, text) => {
    expect(caught(consoleFindings, path, text)).toEqual([]);
  });

  test("colours are caught outside of the tokens, also in code", () => {
    const bare = { path: "web/kit/kit.css", text: "a { color: #fff; }" };
    const drawn = { path: "web/kit/a.tsx", text: `<path fill="#0b6a8f" />` };
    const tokens = { path: "web/kit/tokens.css", text: "--a: #fff;" };
    expect(colourFindings([bare, drawn, tokens]).map(({ path }) => path)).toEqual([
      "web/kit/kit.css",
      "web/kit/a.tsx",
    ]);
  });

  test("a style of another page is caught, and one of all pages is not", () => {
    const files = [
      { path: "web/kit/kit.css", text: ".row { gap: 0 }" },
      { path: "web/pages/keys/page.css", text: ".lock { gap: 0 } .row { gap: 1px }" },
      { path: "web/pages/keys/a.tsx", text: `<i class="row lock" />` },
      { path: "web/pages/usage/a.tsx", text: `<i class="row" />\n<i class="faint lock" />` },
    ];
    expect(sheetFindings(files)).toMatchObject([{ path: "web/pages/usage/a.tsx", line: 2 }]);
  });

  test("a style that the first page comes without is caught there, and in no other page", () => {
    const files = [
      { path: "web/kit/kit.css", text: ".row { gap: 0 }" },
      { path: "web/kit/rest/rest.css", text: ".facts { gap: 0 } .row.tight { gap: 1px }" },
      { path: "web/pages/keys/a.tsx", text: `<i class="row facts" />` },
      { path: "web/pages/overview/a.tsx", text: `<i class="row" />\n<i class="facts" />` },
    ];
    expect(sheetFindings(files)).toMatchObject([{ path: "web/pages/overview/a.tsx", line: 2 }]);
  });

  test("a file that nothing leads to is caught", () => {
    const files = [
      sourceFile("web/main.tsx", `const load = () => import("./pages/a.tsx");`),
      sourceFile("web/pages/a.tsx", ""),
      sourceFile("web/pages/b.tsx", ""),
    ];
    expect(unreachedFindings(files).map(({ path }) => path)).toEqual(["web/pages/b.tsx"]);
  });
});
