// The page of the reference as it comes over the wire, before any script has run, and the words
// that the document has for every field.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "../../harness/folder.ts";
import { rootKey, startGateway, type Gateway } from "../../harness/gateway.ts";
import { missingProgram, testNeeding } from "../../harness/requirements.ts";
import { undescribed } from "./descriptions.ts";
import { operationsOf, type Document } from "./replay.ts";

let gateway: Gateway;
let document: Document;
let response: Response;
let html: string;

beforeAll(async () => {
  gateway = await startGateway();
  document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document;
  response = await fetch(`${gateway.url}/docs`);
  html = await response.text();
});

afterAll(() => gateway.stop());

/** Text that a person would read of a piece of the page. */
function textOf(markup: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#x27": "'", amp: "&" };
  return markup
    .replace(/<[^>]*>/g, "")
    .replace(/&(lt|gt|quot|#x27|amp);/g, (_, name: string) => entities[name] ?? "");
}

/** The code of the first calls by their languages, with this gateway's address. */
function firstCalls(): Map<string, string> {
  const found = html.matchAll(
    /<article class="first-call">\s*<h3>([^]*?)<\/h3>[^]*?<pre>([^]*?)<\/pre>/g,
  );
  return new Map(
    [...found].map(([, language = "", code = ""]) => [
      language,
      textOf(code).replaceAll("http://127.0.0.1:3000", gateway.url),
    ]),
  );
}

async function run(words: string[]): Promise<string> {
  const child = Bun.spawn(words, {
    env: { PATH: process.env["PATH"] ?? "", SLUICE_KEY: rootKey },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, error] = await Promise.all([
    child.exited,
    child.stdout.text(),
    child.stderr.text(),
  ]);
  expect([code, code === 0 ? "" : error]).toEqual([0, ""]);
  return out;
}

test("N16 every field and parameter of the document says what it is", () => {
  expect(undescribed(document)).toEqual([]);
});

describe("the page", () => {
  test("N16 opens with what this is, how to authenticate and a first call in five languages", () => {
    const [intro = ""] = /<main[^]*?<section/.exec(html) ?? [];
    const titles = [...intro.matchAll(/<h[12][^>]*>([^]*?)<\/h/g)].map(([, title]) => title);
    expect(titles.slice(0, 3)).toEqual(["Sluice API", "Authenticate", "A first call"]);
    expect([...firstCalls().keys()]).toEqual([
      "curl",
      "Python",
      "JavaScript and TypeScript",
      "Go",
      "Java",
    ]);
  });

  test("N16 has every operation before its script runs, with who may and what comes back", () => {
    for (const operation of operationsOf(document)) {
      const { operationId } = operation as unknown as { operationId: string };
      const from = html.indexOf(`<section id="${operationId}">`);
      const part = html.slice(from, html.indexOf("</section>", from));
      const name = `${operation.method} ${operation.path}`;
      expect([name, from > 0]).toEqual([name, true]);
      const [, statuses = ""] = /<table class="statuses">([^]*)<\/table>/.exec(part) ?? [];
      const shown = [...statuses.matchAll(/<code>(\d{3})<\/code>/g)].map(([, status]) => status);
      expect([name, shown]).toEqual([name, Object.keys(operation.responses)]);
      const permission = operation["x-permission"];
      if (permission !== undefined) {
        expect(part).toContain(`Permission: <code>${permission}</code>`);
      }
      const streams = operation.responses["200"]?.content?.["text/event-stream"] !== undefined;
      if (streams) expect(part).toMatch(/server-sent events|text\/event-stream/);
      expect([name, /Needs |No credential is needed/.test(part)]).toEqual([name, true]);
    }
  });

  test("N16 renders its markup and escapes what is none", () => {
    const shown = html.replace(/<pre>[^]*?<\/pre>|<(script|style)>[^]*?<\/\1>/g, "");
    expect(shown).toContain("With <code>stream: true</code> the answer");
    expect(shown).not.toContain("`");
    expect(shown).not.toMatch(/&amp;(?:lt|gt|amp|quot);/);
    expect(shown).not.toContain("<!-- ");
  });

  test("N16 comes packed to who takes that, and is never taken for something else", async () => {
    for (const path of ["/docs", "/openapi.json"]) {
      const plain = await fetch(gateway.url + path, { headers: { "accept-encoding": "identity" } });
      const text = await plain.text();
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(plain.headers.get("x-content-type-options")).toBe("nosniff");
      expect(plain.headers.get("referrer-policy")).toBe("no-referrer");
      for (const encoding of ["br", "gzip"]) {
        const headers = { "accept-encoding": encoding };
        const packed = await fetch(gateway.url + path, { headers });
        expect(packed.headers.get("content-encoding")).toBe(encoding);
        expect(Number(packed.headers.get("content-length"))).toBeLessThan(text.length / 4);
        expect(await packed.text()).toBe(text);
      }
    }
  });

  test("N16 may run and load nothing but what stands in it", () => {
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toStartWith("default-src 'none'; script-src 'sha256-");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/unsafe|script-src[^;]*self|http/);
  });
});

describe("a first call of the page", () => {
  // The same request is sent in JavaScript below.
  const testWithCurl = testNeeding("curl", missingProgram("curl"));
  testWithCurl("N16 in a shell is answered as it is written", async () => {
    const command = firstCalls().get("curl") ?? "";
    expect(command).toStartWith(`curl ${gateway.url}/v1/chat/completions`);
    const answer = await run(["sh", "-c", command]);
    expect(JSON.parse(answer)).toMatchObject({ object: "chat.completion" });
  });

  test("N16 in JavaScript is answered as it is written", async () => {
    using folder = new Folder();
    const program = join(folder.path, "first.mjs");
    const code = firstCalls().get("JavaScript and TypeScript") ?? "";
    const sdk = import.meta.resolve("openai").replace("file://", "");
    writeFileSync(program, code.replace('from "openai"', `from ${JSON.stringify(sdk)}`));
    expect((await run([process.execPath, program])).trim()).not.toBe("");
  });
});
