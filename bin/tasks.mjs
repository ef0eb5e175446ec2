// The developer's commands: npm run check, test, format, bench, crash, agents, fidelity and others.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { bunPath, ensureInstalled, root } from "./install.mjs";
import { launch } from "./launch.mjs";
import { launchAll } from "./side-by-side.mjs";

await ensureInstalled(root, { omitDev: false });
const [task, ...rest] = process.argv.slice(2);

function run(command, args) {
  const done = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

function check() {
  run(bunPath(), ["fmt", "--no-script", "--check", "."]);
  run(join(root, "node_modules", ".bin", "oxlint"), ["--deny-warnings"]);
  run(bunPath(), ["check", "--no-script"]);
  run(bunPath(), ["check", "--no-script", "-p", "web"]);
  run(bunPath(), ["check", "--no-script", "-p", "web/tsconfig.test.json"]);
}

/** One that is here serves; else npm's, else that of the system's packages. */
async function isPostgresReady() {
  const ready = join(root, "test", "harness", "postgres-ready.ts");
  const isReady = (...words) =>
    spawnSync(bunPath(), [ready, ...words], { cwd: root, stdio: "inherit" }).status === 0;
  if (isReady("--look")) return true;
  await ensureInstalled(join(root, "test", "postgres"), { omitDev: false });
  return isReady();
}

function testFiles(folders) {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
    .sort();
}

/** Two halves that take about as long as each other, to be run side by side. */
async function testHalves() {
  let files = testFiles(["src", "sandbox", "web", "test", "bench"]);
  // The browser is installed where that is possible; where it is not, the last line says so too.
  const [bun, ready] = [bunPath(), join(root, "test", "harness", "browser-ready.ts")];
  if (spawnSync(bun, [ready], { cwd: root, stdio: "inherit" }).status !== 0) {
    files = files.filter((path) => !/^test.e2e\b/.test(path));
    process.on("exit", () =>
      process.stderr.write("NOT CHECKED IN A BROWSER: test/e2e, see above.\n"),
    );
  }
  if (!(await isPostgresReady())) {
    files = files.filter((path) => !/^test.cluster\b/.test(path));
    process.on("exit", () =>
      process.stderr.write("NOT CHECKED ON POSTGRESQL: test/cluster, see above.\n"),
    );
  }
  const isSecond = (path) =>
    /^test.(?:conformance(?!.(?:images|lifecycle))|crash|e2e)\b/.test(path);
  const halves = [files.filter((path) => !isSecond(path)), files.filter(isSecond)];
  return halves.map((half) => half.map((path) => `./${path}`));
}

/** A machine may be busy with other things: only what hangs is to fail. */
const testMsMax = 60_000;

const tasks = {
  check,
  format: () => run(bunPath(), ["fmt", "--no-script", "."]),
  async test() {
    check();
    const test = ["test", "--timeout", String(testMsMax)];
    const halves = rest.length > 0 ? [rest] : await testHalves();
    launchAll(
      halves.map((half) => [...test, ...half]),
      { NODE_ENV: "test" },
    );
  },
  /** All black-box tests with two nodes on PostgreSQL, and those of nodes together. */
  async "test:cluster"() {
    if (!(await isPostgresReady())) process.exit(1);
    const folders = ["conformance", "hazards", "cluster"].map((name) => join("test", name));
    // Which itself runs a part of the others.
    const part = join("test", "cluster", "conformance.test.ts");
    const files = testFiles(folders).filter((path) => path !== part);
    const tests = rest.length > 0 ? rest : files.map((path) => `./${path}`);
    launchAll([["test", "--timeout", String(testMsMax), ...tests]], {
      NODE_ENV: "test",
      SLUICE_TEST_ENGINE: "postgres",
    });
  },
  async bench() {
    await ensureInstalled(join(root, "bench"), { omitDev: false });
    launch([join(root, "bench", "main.ts"), ...rest]);
  },
  fidelity() {
    run(bunPath(), [join(root, "test", "fidelity", "main.ts")]);
    run(bunPath(), ["fmt", "--no-script", "docs/fidelity.md"]);
  },
  crash: () => launch([join(root, "test", "crash", "main.ts"), ...rest]),
  "cluster-crash": () => launch([join(root, "test", "cluster", "campaign", "main.ts"), ...rest]),
  "import-trial": () => launch([join(root, "test", "import", "main.ts"), ...rest]),
  shots: () => launch([join(root, "test", "shots", "main.ts"), ...rest]),
  "s3-trial": () => launch([join(root, "test", "s3", "main.ts"), ...rest]),
  async agents() {
    await ensureInstalled(join(root, "test", "agents"), { omitDev: false });
    launch([join(root, "test", "agents", "main.ts"), ...rest]);
  },
};

if (!tasks[task]) {
  process.stderr.write(`Unknown task ${task}. One of: ${Object.keys(tasks).join(", ")}\n`);
  process.exit(2);
}
await tasks[task]();
