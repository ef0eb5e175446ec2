// Keeps the documentation true: what it lists is compared with the code, its links are followed,
// and the tour's requests are sent to a gateway that was started for it.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../src/cli/program.ts";
import { catalogue, GatewayError, type ErrorCode } from "../src/core/errors.ts";
import { findImageFamily } from "../src/families/index.ts";
import { createGatewayMetrics } from "../src/observe/gateway-metrics.ts";
import { createMetrics } from "../src/observe/metrics.ts";
import { invariants } from "../src/quota/queries.ts";
import { retryDelaysMs } from "../src/tasks/webhooks/webhooks.ts";
import { configurePage } from "./docs/configure-table.ts";
import { conversionTables, layOut } from "./docs/conversion-table.ts";
import { decisionsTable } from "./docs/decisions-table.ts";
import { diagramsPage } from "./docs/diagrams.ts";
import { familiesTable } from "./docs/families-table.ts";
import { imagesTables } from "./docs/images-table.ts";
import { rolesTables } from "./docs/roles-table.ts";
import { presetsTable } from "./docs/presets-table.ts";
import { rootKey, rootToken, startGateway } from "./harness/gateway.ts";
import { quickPolls } from "./harness/videos.ts";
import { statusOf } from "../src/http/envelopes/status.ts";

const root = join(import.meta.dir, "..");
const refresh =
  "a page is stale; refresh it with: " + "UPDATE=1 node_modules/.bin/bun test test/docs.test.ts";
const foreign = /(?:^|\/)(?:node_modules|results|data)\//;
const pages = [...new Bun.Glob("**/*.md").scanSync({ cwd: root })]
  .filter((path) => !foreign.test(path))
  .toSorted();

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The part of a page that the code decides, brought up to date where that is asked for. */
function compare(path: string, part: RegExp, wanted: string) {
  if (process.env["UPDATE"] === "1") {
    writeFileSync(
      join(root, path),
      read(path).replace(part, () => wanted),
    );
  }
  return { shown: part.exec(read(path))?.[0], wanted };
}

describe("what money.md says", () => {
  const titles = [...new Bun.Glob("{src,test}/**/*.test.ts").scanSync({ cwd: root })]
    .map((path) => read(path))
    .join("\n");
  const rows = read("docs/money.md")
    .split("\n")
    .filter((line) => /^\| (?!-|What|Wire|When)/.test(line))
    .map((line) => line.split("|").at(-2)?.trim() ?? "");

  test("has rows for everything that money meets", () => {
    expect(rows.length).toBeGreaterThan(35);
  });

  test.each(rows)("is shown by the test: %s", (title) => {
    expect(titles).toContain(title);
  });
});

describe("what the pages list", () => {
  const betweenMarks = /(?<=<!-- tables -->\n\n)[^]*?(?=\n*<!-- end of tables -->)/;

  const generated: [page: string, part: RegExp, make: () => string][] = [
    ["docs/errors.md", /^\|[^]*\|$/m, errorTable],
    ["docs/conversion.md", betweenMarks, conversionTables],
    ["docs/channels.md", betweenMarks, presetsTable],
    ["docs/families.md", betweenMarks, familiesTable],
    ["docs/images.md", betweenMarks, imagesTables],
    ["docs/decisions/README.md", betweenMarks, decisionsTable],
    ["docs/people.md", betweenMarks, rolesTables],
    ["docs/diagrams.md", /[^]+/, () => diagramsPage(read("docs/diagrams.md"))],
    ["docs/configure.md", /[^]+/, () => configurePage(read("docs/configure.md"))],
  ];

  test.each(generated)("%s has what is made from the code", (page, part, make) => {
    const { shown, wanted } = compare(page, part, make());
    expect(shown, refresh).toBe(wanted);
  });

  test("images.md has the sizes of the models that are bound to some", () => {
    const [section = ""] = /^## imageA$[^]*?(?=^## )/m.exec(read("docs/images.md")) ?? [];
    const listed = [...section.matchAll(/`(\d{3,4}x\d{3,4})`/g)];
    const model = "imageA-2.5-flare";
    const parse = (size: string) =>
      findImageFamily(model)?.parse(
        { model, prompt: "A fox", size },
        { kind: "generate", isForm: false },
      );
    expect(new Set(listed.map(([, size = ""]) => size)).size).toBe(18);
    for (const [, size = ""] of listed) expect(parse(size)?.size).not.toBeNull();
  });

  test("families.md has the pauses between the tries of a webhook", () => {
    const [, listed = ""] = /tried again after ([^.]*)\./.exec(read("docs/families.md")) ?? [];
    expect(listed.split(/, | and /)).toEqual(retryDelaysMs.map(pauseText));
  });

  test("watch.md has every metric and no other", () => {
    const listed = [...read("docs/watch.md").matchAll(/^\| `(sluice_\w+)`/gm)];
    expect(listed.map(([, name = ""]) => name).toSorted()).toEqual(metricNames());
  });

  test("money.md has every invariant of the ledger", () => {
    const lines = read("docs/money.md").split("\n");
    const missing = Object.keys(invariants).filter((name) => !lines.includes(`- ${name}`));
    expect(missing).toEqual([]);
  });

  test("README.md has the figures of the last bench and no others", () => {
    const cellsOf = (line: string) => line.split("|").map((cell) => cell.trim());
    const [, measured = ""] = /^## Measured$([^]*?)^## /m.exec(read("README.md")) ?? [];
    const [requests = ""] = read("bench/results/latest.md").split("## Streams");
    const shown = measured.split("\n").filter((line) => /^\| [@\w]/.test(line));
    expect(shown.length).toBe(4);
    for (const [, name, ...figures] of shown.map(cellsOf)) {
      const row =
        requests
          .split("\n")
          .map(cellsOf)
          .find((cells) => cells[1] === name) ?? [];
      expect([name, ...figures]).toEqual([name, row[2], row[3], `${row[5]} µs`, row[6], ""]);
    }
    const [, goals = ""] = /^## Goals$([^]*)/m.exec(read("bench/results/latest.md")) ?? [];
    const verdicts = goals.match(/\| (?:pass|FAIL) \|/g) ?? [];
    const missed = verdicts.filter((verdict) => verdict.includes("FAIL")).length;
    expect(measured).toContain(`misses ${missed} of ${verdicts.length} goals`);
    const [, ratio = ""] = /the bare proxy +\| ([\d.]+ x)/.exec(goals) ?? [];
    expect(measured).toContain(`CPU per request is ${ratio} that of the bare proxy`);
  });

  test("commands.md has every command of the command line", () => {
    const named = new Set(
      commandLines("docs/commands.md").map((words) => words.slice(0, 2).join(" ")),
    );
    const missing = [...leaves(program())].filter((name) => !named.has(name));
    expect(missing).toEqual([]);
  });
});

describe("what the pages name", () => {
  test.each(pages)("every link of %s leads somewhere", (page) => {
    expect(linksOf(page).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });

  test.each(pages)("every command and option in %s exists", (page) => {
    expect(commandLines(page).flatMap(commandFaults)).toEqual([]);
  });

  test.each(pages)("every npm script in %s exists", (page) => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read("package.json"));
    const named = [
      ...read(page).matchAll(/\bnpm (?:run (?:-s |--silent )?([\w:-]+)|(start|test))/g),
    ];
    const missing = named.map(([, run, own]) => run ?? own ?? "").filter((name) => !scripts[name]);
    expect(missing).toEqual([]);
  });
});

test("the tour's requests are answered in their order", async () => {
  const requests = blocksOf("docs/tour.md").flatMap(shellCommands).filter(isCurl).map(toRequest);
  expect(requests.length).toBeGreaterThan(5);
  await using gateway = await startGateway({ config: quickPolls });
  let video = "";
  for (const { url, ...request } of requests) {
    const address = url.replace("http://127.0.0.1:3000", gateway.url).replace("$VIDEO", video);
    const response = await fetch(address, request);
    const text = await response.text();
    expect(`${url} ${response.status} ${text}`).toStartWith(`${url} 200 `);
    expect(text).not.toContain('"success":false');
    video = /"id":"(task_\w+)"/.exec(text)?.[1] ?? video;
  }
}, 60_000);

function errorTable(): string {
  const codes = Object.keys(catalogue) as ErrorCode[];
  return layOut([["Code", "Status", "Type", "Fault", "Retry", "Message"], ...codes.map(errorRow)]);
}

function errorRow(code: ErrorCode): string[] {
  const { type, blame, message } = catalogue[code];
  const error = new GatewayError(code);
  const shown = error.shownCode === code ? "" : `, shown as \`${error.shownCode}\``;
  const retry = error.isRetryable ? "" : "no";
  return [`\`${code}\`${shown}`, String(statusOf(error)), `\`${type}\``, blame, retry, message];
}

function pauseText(pauseMs: number): string {
  if (pauseMs < 60_000) return `${pauseMs / 1000} s`;
  return pauseMs < 3_600_000 ? `${pauseMs / 60_000} min` : `${pauseMs / 3_600_000} h`;
}

function metricNames(): string[] {
  const registry = createMetrics();
  createGatewayMetrics(registry, {
    version: "0.0.0",
    streamsOpen: () => 0,
    upstreamsReadOn: () => 0,
    journalQueue: () => 0,
    journalOldestMs: () => 0,
    loopLag: { takeMaxSeconds: () => 0, meanSeconds: () => 0 },
    rssBytes: () => 0,
    heldMicros: () => 0,
    losses: () => [],
    closedTwice: () => 0,
    tasksOpen: () => new Map(),
    isReady: () => true,
    telemetry: () => [],
    startedAtSeconds: 0,
    channels: () => [],
    logDropped: () => 0,
    redis: { isUp: true, calls: 0, losses: 0 },
    liveNodes: () => 1,
    nodeName: "host/2",
    standing: { leaseMs: () => 7500, fences: () => 1 },
    versions: new Map(),
    channelKeys: () => [],
  });
  return [...registry.render().matchAll(/^# TYPE (\w+)/gm)].map(([, name = ""]) => name).toSorted();
}

function program(): Command {
  return createProgram({ serve: async () => {}, withServer: async () => {} });
}

function leaves(command: Command): string[] {
  return command.commands.flatMap((child) =>
    child.commands.length === 0
      ? [child.name()]
      : leaves(child).map((name) => `${child.name()} ${name}`),
  );
}

interface Block {
  language: string;
  text: string;
}

function blocksOf(page: string): Block[] {
  const blocks = read(page).matchAll(/^```(\w*)\n([^]*?)^```$/gm);
  return [...blocks].map(([, language = "", text = ""]) => ({ language, text }));
}

function withoutBlocks(page: string): string {
  return read(page).replace(/^```[^]*?^```$/gm, "");
}

/** One command a line, or as many lines as a backslash or a quote keeps open. */
function shellCommands({ language, text }: Block): string[] {
  if (language !== "sh") return [];
  const joined = text.replace(/\\\n\s*/g, " ");
  return joined.match(/(?:'[^']*'|"[^"]*"|[^'"\n])+/g) ?? [];
}

function wordsOf(command: string): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** The words behind `sluice`, in shell blocks and between backticks. */
function commandLines(page: string): string[][] {
  const spans = [...withoutBlocks(page).matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
  const commands = [...blocksOf(page).flatMap(shellCommands), ...spans];
  return commands
    .map((command) => /^(?:\w+=\S+ )*sluice (\w.*)$/.exec(command.trim())?.[1])
    .filter((line) => line !== undefined)
    .map(wordsOf);
}

function commandFaults(words: readonly string[]): string[] {
  let command = program();
  for (const word of words) {
    if (command.commands.length === 0) break;
    const child = command.commands.find((known) => known.name() === word);
    if (!child) return [`sluice ${words.join(" ")}: there is no ${word}`];
    command = child;
  }
  if (command.commands.length > 0) return [`sluice ${words.join(" ")}: it says not what to do`];
  const options = words.filter((word) => word.startsWith("--"));
  return options
    .filter((option) => !command.options.some(({ long }) => long === option))
    .map((option) => `sluice ${words.join(" ")}: there is no ${option}`);
}

function isCurl(command: string): boolean {
  return command.startsWith("curl ");
}

interface SentRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** Read rather than run, so that the test needs no curl. */
function toRequest(command: string): SentRequest {
  const values = { $KEY: rootKey, $TOKEN: rootToken, $SLUICE: "http://127.0.0.1:3000" };
  const known = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(name, value),
    command,
  );
  const request: SentRequest = { url: "", method: "GET", headers: {} };
  const words = wordsOf(known).values();
  for (const word of words) {
    if (word.startsWith("http")) request.url = word;
    else if (word === "-H") addHeader(request.headers, words.next().value ?? "");
    else if (word === "-d") {
      request.method = "POST";
      request.body = words.next().value ?? "";
    }
  }
  return request;
}

function addHeader(headers: Record<string, string>, line: string): void {
  const [name = "", ...rest] = line.split(": ");
  headers[name] = rest.join(": ");
}

function linksOf(page: string): string[] {
  const links = withoutBlocks(page).matchAll(/\]\(([^)\s]+)\)/g);
  return [...links].map(([, link = ""]) => link).filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

function anchorsOf(page: string): string[] {
  return [...withoutBlocks(page).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replace(/\s/g, "-"),
  );
}
