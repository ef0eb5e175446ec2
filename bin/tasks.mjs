// The developer's commands: npm run check, test, format, bench, crash, agents, fidelity and others.
import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { bunPath, ensureInstalled, root } from "./install.mjs";
import { launch } from "./launch.mjs";
import { launchAll } from "./side-by-side.mjs";

const [task, ...rest] = process.argv.slice(2);
await ensureInstalled(root, { omitDev: task === "demo" });
// Commands that may install a browser, a database or fonts; `npm test` takes what is there.
const installing = ["test:all", "test:cluster", "test:console", "flakes", "shots"];
if (installing.includes(task)) process.env["SLUICE_TEST_INSTALL"] ??= "1";

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

/**
 * The program under test, built once for all parts; it takes about as long as the check beside it.
 */
function makeProgram() {
  const script = join(root, "test", "harness", "nodes", "program-ready.ts");
  const child = spawn(bunPath(), [script], { cwd: root, stdio: "inherit" });
  // Each part tries for itself after a failure.
  return new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
}

function testFiles(folders) {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
    .sort();
}

/** A run of its own takes a second to begin, so what is small is run together. */
function partOf(path) {
  const [, folder, inner] = path.split(/[\\/]/);
  return folder === "conformance" && !inner.endsWith(".ts") ? `${folder}/${inner}` : folder;
}

/** A machine may be busy with other things: only what hangs is to fail. */
const testMsMax = 60_000;

/** Gateways live in the tests' processes: a collector on one thread leaves the others to parts. */
const testEnvironment = {
  NODE_ENV: "test",
  BUN_JSC_useConcurrentGC: "0",
  BUN_JSC_numberOfGCMarkers: "1",
};

/** Each has a database server, a Redis and two nodes for every gateway of a test. */
const clusterPartsAtOnce = 2;
const clusterPartMsMax = 3_600_000;

/** Tests of nodes together bring their own, as many as they need. */
function clusterEnvironment(args) {
  const isOfNodes = /\btest[\\/]cluster\b/.test(args.at(-1));
  const onPostgres = { SLUICE_TEST_ENGINE: "postgres", SLUICE_TEST_NODES: "processes" };
  return { NODE_ENV: "test", ...(!isOfNodes && onPostgres) };
}

/** One part per folder, so that one that ends badly leaves the others be. */
function clusterParts() {
  const folders = ["conformance", "hazards", "cluster"].map((name) => join("test", name));
  // A folder that itself runs a part of the others.
  const repeated = join("test", "cluster", "conformance.test.ts");
  const parts = new Map();
  for (const path of testFiles(folders).filter((file) => file !== repeated)) {
    const name = partOf(path);
    parts.set(name, [...(parts.get(name) ?? []), `./${path}`]);
  }
  // Begun last, a large one would be waited for alone.
  return [...parts.values()].sort((one, other) => other.length - one.length);
}

/** Ends this process as the tests end. */
function launchTests(words) {
  launch([join(root, "test", "runner", "main.ts"), ...words], { NODE_ENV: "test" });
}

const tasks = {
  check,
  format: () => run(bunPath(), ["fmt", "--no-script", "."]),
  test: () => launchTests(rest),
  /** All tests; installs a browser and a database server where it can. */
  "test:all": async () => {
    await ensureInstalled(join(root, "test", "postgres"), { omitDev: false });
    launchTests(["--all", ...rest]);
  },
  /** All black-box tests with two nodes on PostgreSQL, and those of nodes together. */
  async "test:cluster"() {
    if (!(await isPostgresReady())) process.exit(1);
    const test = ["test", "--timeout", String(testMsMax)];
    const parts = rest.length > 0 ? [rest] : clusterParts();
    launchAll(
      parts.map((part) => [...test, ...part]),
      clusterEnvironment,
      { atOnce: clusterPartsAtOnce, partMsMax: clusterPartMsMax },
    );
  },
  /** Every page of the console in all its looks, as everyone; `test` has each once, as root. */
  "test:console"() {
    const tests = rest.length > 0 ? rest : ["./test/e2e/console/walks/every-page.test.ts"];
    launchAll([["test", "--timeout", String(testMsMax), ...tests]], {
      NODE_ENV: "test",
      SLUICE_TEST_LOOKS: "all",
    });
  },
  /** The simulations of money under many seeds; `test` has some thousands of them. */
  sim() {
    const tests = rest.length > 0 ? rest : ["./test/sim"];
    const { SIM_SEEDS = "20000", SIM_LEAVING_SEEDS = "2000" } = process.env;
    const environment = { NODE_ENV: "test", SIM_SEEDS, SIM_LEAVING_SEEDS };
    launchAll([["test", "--timeout", String(testMsMax), ...tests]], environment);
  },
  /** Holds against the worst bill, over millions of bodies; `test` has some thousands of them. */
  holds: () => launch([join(root, "test", "holds", "main.ts"), ...rest]),
  async bench() {
    await ensureInstalled(join(root, "bench"), { omitDev: false });
    launch([join(root, "bench", "main.ts"), ...rest]);
  },
  /** Share of input from prompt caches, with affinity and without; `test` has a small trial. */
  affinity: () => launch([join(root, "test", "affinity", "main.ts"), ...rest]),
  fidelity() {
    run(bunPath(), [join(root, "test", "fidelity", "main.ts")]);
    run(bunPath(), ["fmt", "--no-script", "docs/fidelity.md"]);
  },
  crash: () => launch([join(root, "test", "crash", "main.ts"), ...rest]),
  "cluster-crash": () => launch([join(root, "test", "cluster", "campaign", "main.ts"), ...rest]),
  planted: () => launch([join(root, "test", "planted", "main.ts"), ...rest], { NODE_ENV: "test" }),
  /** Tests of browsers, nodes and time many times under load; `test` has each once. */
  async flakes() {
    if (!(await isPostgresReady())) process.exit(1);
    // Within a test's own time, on a busy machine, it would not be ready.
    await makeProgram();
    launch([join(root, "test", "flakes", "main.ts"), ...rest], testEnvironment);
  },
  "import-trial": () => launch([join(root, "test", "import", "main.ts"), ...rest]),
  demo: () => launch([join(root, "test", "demo", "main.ts"), ...rest], { NODE_ENV: "test" }),
  shots: () => launch([join(root, "test", "shots", "main.ts"), ...rest]),
  "s3-trial": () => launch([join(root, "test", "s3", "main.ts"), ...rest]),
  async agents() {
    await ensureInstalled(join(root, "test", "agents"), { omitDev: false });
    launch([join(root, "test", "agents", "main.ts"), ...rest]);
  },
  async recipes() {
    await ensureInstalled(join(root, "test", "recipes"), { omitDev: false });
    launch([join(root, "test", "recipes", "main.ts"), ...rest]);
  },
};

if (!tasks[task]) {
  process.stderr.write(`Unknown task ${task}. One of: ${Object.keys(tasks).join(", ")}\n`);
  process.exit(2);
}
await tasks[task]();
