// `npm test` and `npm run test:all`: see CONTRIBUTING.md for the words that they take.
import { parseArgs } from "node:util";
import {
  findBaseCommit,
  findReachedTests,
  ImportGraph,
  listChangedFiles,
} from "./changed-files.ts";
import { groupFiles, listTestFiles, type GroupFiles } from "./files.ts";
import { findNamedFiles } from "./named-files.ts";
import { testGroups } from "./plan.ts";
import { runGroups } from "./run-groups.ts";

const usage = `Usage: npm test [-- PATH...] [-- -t NAME] [-- --changed [REF]]

  npm test                     format, lint, types and the fast half of the tests
  npm run test:all             all tests; installs a browser and a database where root can
  npm test -- PATH...          these test files: a file, a folder or a part of a path
  npm test -- PATH -t NAME     of these files the tests whose name matches the pattern
  npm test -- --changed [REF]  what the change since REF (the upstream branch) reaches
`;

const exitCodeOfUsage = 2;
/** A change that reaches more of the fast half than this is as good as any change. */
const nearlyAllShare = 0.6;

const { values, positionals } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    changed: { type: "boolean", default: false },
    "test-name-pattern": { type: "string", short: "t" },
    help: { type: "boolean", short: "h", default: false },
  },
  allowPositionals: true,
});

const testFiles = listTestFiles();
const halves = values.all ? ["fast", "full"] : ["fast"];
const usualGroups = testGroups.filter(({ half }) => halves.includes(half));
const usualFiles = groupFiles(testFiles, usualGroups);

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCodeOfUsage);
}

function chooseNamed(names: readonly string[]): GroupFiles[] {
  const named = findNamedFiles(testFiles, names);
  if ("files" in named) return groupFiles(named.files, testGroups);
  const near = named.near.map((file) => `  ${file}`).join("\n");
  return refuse(`No test file has "${named.unknown}" in its path. Near ones:\n${near}`);
}

async function chooseChanged(reference: string | undefined): Promise<GroupFiles[]> {
  const commit = findBaseCommit(reference);
  const changed = listChangedFiles(commit);
  const graph = await ImportGraph.read();
  const reached = findReachedTests(changed, { testFiles, groups: testGroups, graph });
  const fastFiles = usualFiles.flatMap(({ files }) => files);
  const fastReached = fastFiles.filter((file) => reached.includes(file));
  if (fastReached.length > fastFiles.length * nearlyAllShare) {
    const share = `${fastReached.length} of ${fastFiles.length} files of the fast half`;
    process.stdout.write(`The change reaches ${share}: running npm test.\n`);
    return usualFiles;
  }
  process.stdout.write(
    `${changed.length} files changed, which reach ${reached.length} test files.\n`,
  );
  return groupFiles(reached, testGroups);
}

if (values.help) {
  process.stdout.write(usage);
} else {
  const isChosen = positionals.length > 0 && !values.changed;
  const parts = values.changed
    ? await chooseChanged(positionals[0])
    : isChosen
      ? chooseNamed(positionals)
      : usualFiles;
  process.exitCode = await runGroups(parts, {
    isChecking: !isChosen && values["test-name-pattern"] === undefined,
    isInstalling: values.all,
    namePattern: values["test-name-pattern"],
  });
}
