// The first day of a newcomer: a fresh clone, and then every command of the README and of the pages
// for operators, as it is written and in its order. What is not run is named with the reason.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { cloneRepository } from "../harness/first-day/clone.ts";
import { Shell } from "../harness/first-day/shell.ts";
import { helloVendor } from "../harness/first-day/vendor.ts";
import { Folder } from "../harness/folder.ts";
import { programWords } from "../harness/nodes/program.ts";
import type { Vendor } from "../harness/vendor.ts";
import { quickPolls } from "../harness/videos.ts";

setDefaultTimeout(120_000);

const pages = [
  "README.md",
  "docs/tour.md",
  "docs/usage.md",
  "docs/sandbox.md",
  "docs/first-start.md",
  "docs/people.md",
  "docs/configure.md",
  "docs/limits.md",
  "docs/organisations.md",
  "docs/watch.md",
  "docs/notices.md",
  "docs/channels.md",
  "docs/budgets.md",
  "docs/prices.md",
  "docs/models.md",
  "docs/backup.md",
  "docs/upgrade.md",
  "docs/export.md",
];

/** The last page whose commands are run by the alias that it makes. */
const aliasPage = "docs/tour.md";

/** Pages whose commands other tests run, because they need what a first day has not. */
const elsewhere: Readonly<Record<string, string>> = {
  "docs/clouds.md": "test/conformance/clouds/commands.test.ts runs those that need no cloud",
  "docs/console.md": "test/e2e/console/demo.test.ts lives the demo, with a shorter month",
  "docs/deploy.md": "test/deploy builds and starts what it names",
  "docs/development.md": "the tests themselves run these commands, or they take minutes",
  "docs/import.md": "test/import imports databases of those programs",
};

/** Blocks that are not run as they stand, by their beginnings, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  "npm start\nnpm test": "the walk starts it so beforehand; the tests are what this is one of",
  "docker compose": "test/deploy checks the image and the compose file",
  'curl "$SLUICE_URL/api/user/$ACCOUNT_ID/credit"':
    "test/e2e/console/money/refund.test.ts gives back what a request was charged",
};

let folder: Folder;
let vendor: Vendor;
let gateway: Subprocess<"ignore", "pipe", "pipe">;
let shell: Shell;
let clone: string;

beforeAll(async () => {
  folder = new Folder();
  vendor = helloVendor();
  clone = await cloneRepository(folder.path);
  const settings = join(folder.path, "sluice.yaml");
  writeFileSync(settings, `${quickPolls}\n`);
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder.path,
    PORT: "0",
    SLUICE_CONFIG: settings,
  };
  gateway = Bun.spawn(["npm", "start"], {
    cwd: clone,
    env: environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const shown = await shownAtStart(gateway);
  const url = /listening on (http:\/\/\S+)/.exec(shown)?.[1] ?? "";
  for (const name of ["key.txt", "claude.txt", "gemini.txt"]) {
    writeFileSync(join(clone, name), "sk-vendor-secret-0000\n");
  }
  mkdirSync(join(folder.path, "backups"));
  const here = `--url ${vendor.url} --allow-private`;
  const replacements: [RegExp, string][] = [
    [/http:\/\/127\.0\.0\.1:3000/g, url],
    [/ \/(backups|srv)\//g, ` ${folder.path}/$1/`],
    // Vendors are elsewhere; one on this machine stands for all of them.
    [/--url https:\/\/\S+/g, here],
    [/^(sluice channel add (?!.*--url).*?)(?= <|$)/gm, `$1 ${here}`],
    // Asking one that is not a channel yet leads to its real address.
    [/^sluice channel discover groq.*$/gm, "sluice channel presets"],
    [/^sluice price sync$/gm, "sluice price sync --yes"],
  ];
  shell = new Shell({ cwd: clone, folder: folder.path, environment, replacements }, shown);
});

afterAll(async () => {
  gateway?.kill("SIGTERM");
  await gateway?.exited;
  vendor?.[Symbol.dispose]();
  folder?.[Symbol.dispose]();
});

/** Output of `npm start` until the gateway is there and has shown its key. */
async function shownAtStart(started: typeof gateway): Promise<string> {
  let shown = "";
  const decoder = new TextDecoder();
  void started.stderr.text();
  for await (const chunk of started.stdout) {
    shown += decoder.decode(chunk, { stream: true });
    if (/API key: sk-\S+\n/.test(shown)) return shown;
  }
  throw new Error(`npm start ended:\n${shown}`);
}

async function blocksOf(page: string): Promise<string[]> {
  const text = await Bun.file(join(clone, page)).text();
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
}

function reasonNotTo(block: string): string | undefined {
  return Object.entries(leftOut).find(([start]) => block.startsWith(start))?.[1];
}

test.each(pages)("every command of %s does what it says, from a fresh clone", async (page) => {
  const blocks = await blocksOf(page);
  expect(blocks).not.toEqual([]);
  for (const block of blocks) {
    if (reasonNotTo(block) === undefined) await shell.run(block);
  }
  if (page === aliasPage) await shell.run(aliasOfProgram());
});

/** The built program in the clone's place: it starts in a third of the time. */
function aliasOfProgram(): string {
  return `alias sluice="SLUICE_HOME='${clone}' ${programWords().join(" ")}"\n`;
}

test("no page of the documentation has commands that nobody runs", async () => {
  const all = ["README.md", ...new Bun.Glob("docs/*.md").scanSync({ cwd: clone })];
  const withCommands: string[] = [];
  for (const page of all) if ((await blocksOf(page)).length > 0) withCommands.push(page);
  expect(withCommands.toSorted()).toEqual([...pages, ...Object.keys(elsewhere)].toSorted());
});

test("every reason to leave commands out is about commands that are there", async () => {
  const blocks = (await Promise.all(pages.map(blocksOf))).flat();
  for (const start of Object.keys(leftOut)) {
    expect([start, blocks.some((block) => block.startsWith(start))]).toEqual([start, true]);
  }
});
