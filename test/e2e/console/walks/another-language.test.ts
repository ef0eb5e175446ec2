// A language that is added is one file with a few words: the build finds it, the menu offers it,
// its words are loaded alone and counted by its own forms, and English stands where it has none.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Route } from "playwright-core";
import { browserMsMax } from "../../../harness/chromium.ts";
import { openTraffic, type Traffic } from "../../../harness/e2e/traffic.ts";
import { goTo } from "../../../harness/e2e/walk.ts";

setDefaultTimeout(60_000);

/** A language with forms that neither English nor Spanish has. */
const polish = `
import { pluralsOf } from "../core/plural.ts";
import type { About, Some } from "./texts.ts";

export const about: About = { name: "Polski", locale: "pl-PL" };

const plural = /* @__PURE__ */ pluralsOf("pl");

export const frame: Some<"frame"> = { titles: { keys: "Klucze", requests: "Żądania" } };
export const keys: Some<"keys"> = { page: { make: "Nowy klucz" } };
export const requests: Some<"requests"> = {
  page: {
    inAll: (number) =>
      plural(number, {
        one: \`\${number} żądanie\`,
        few: \`\${number} żądania\`,
        other: \`\${number} żądań\`,
      }),
  },
};
`;

type Packed = Readonly<Record<string, { gzip: string }>>;

const root = join(import.meta.dir, "../../../..");
const copy = mkdtempSync(join(tmpdir(), "sluice-test-language-"));
let traffic: Traffic;
let files: Packed;

beforeAll(async () => {
  cpSync(join(root, "bin/console.mjs"), join(copy, "bin/console.mjs"));
  cpSync(join(root, "web"), join(copy, "web"), { recursive: true });
  for (const name of ["src", "node_modules", "tsconfig.json"])
    symlinkSync(join(root, name), join(copy, name));
  writeFileSync(join(copy, "web/languages/pl.ts"), polish);
  const { buildConsole } = (await import(join(copy, "bin/console.mjs"))) as {
    buildConsole(): Promise<Packed>;
  };
  files = await buildConsole();
  traffic = await openTraffic();
}, browserMsMax);

afterAll(async () => {
  await traffic?.[Symbol.asyncDispose]();
  rmSync(copy, { recursive: true, force: true });
});

const types = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };

/** The console that was built with the language, in place of the gateway's own. */
async function serve(route: Route): Promise<void> {
  const request = route.request();
  const asset = /\/console-assets\/(.+)$/.exec(request.url())?.[1];
  const isPage = request.resourceType() === "document";
  const name = isPage ? "index.html" : asset;
  const packed = name === undefined ? undefined : files[name];
  if (name === undefined || packed === undefined) return await route.continue();
  const [, type] = Object.entries(types).find(([ending]) => name.endsWith(ending)) ?? [];
  const body = Buffer.from(Bun.gunzipSync(Buffer.from(packed.gzip, "base64")));
  await route.fulfill({ body, contentType: `${type}; charset=utf-8` });
}

test("a language is one file that may lack words, loaded alone, with its own plurals", async () => {
  await using opened = await traffic.house.open({ path: "/console/account", isAlone: true });
  const { page } = opened;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.route("**/*", serve);
  await page.goto("/console/requests");
  await page.getByText("4 requests", { exact: true }).waitFor();
  expect(asked.filter((url) => /\/[a-z]{2}-[0-9a-f]{8}-/.test(url))).toEqual([]);
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitem", { name: "Polski" }).click();
  await page.getByRole("heading", { level: 1, name: "Żądania" }).waitFor();
  await page.getByText("4 żądania", { exact: true }).waitFor();
  await page.getByLabel("Outcome").selectOption({ label: "Failed" });
  await page.getByText("1 żądanie", { exact: true }).waitFor();
  await goTo(page, "/console/keys");
  await page.getByRole("heading", { level: 1, name: "Klucze" }).waitFor();
  await page.getByRole("button", { name: "Nowy klucz" }).waitFor();
  // English stands for what it lacks, on the same page.
  await page.getByLabel("Name begins with").waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("pl-PL");
  const words = asked.filter((url) => /\/[a-z]{2}-[0-9a-f]{8}-/.test(url));
  expect(words.map((url) => /\/(\w+)-\w+-(\w+)\.js/.exec(url)?.slice(1).join(" "))).toEqual(
    expect.arrayContaining(["pl frame", "pl requests", "pl keys"]),
  );
  expect(words.filter((url) => !url.includes("/pl-"))).toEqual([]);
});
