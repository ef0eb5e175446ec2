// The developer's commands: npm run check, test, format, bench, crash, agents and fidelity.
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
}

/** Two halves that take about as long as each other, to be run side by side. */
function testHalves() {
  let files = ["src", "sandbox", "test", "bench"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
    .sort();
  // The browser is installed where that is possible; where it is not, the last line says so too.
  const [bun, ready] = [bunPath(), join(root, "test", "harness", "browser-ready.ts")];
  if (spawnSync(bun, [ready], { cwd: root, stdio: "inherit" }).status !== 0) {
    files = files.filter((path) => !/^test.e2e\b/.test(path));
    process.on("exit", () =>
      process.stderr.write("NOT CHECKED IN A BROWSER: test/e2e, see above.\n"),
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
  test() {
    check();
    const test = ["test", "--timeout", String(testMsMax)];
    const halves = rest.length > 0 ? [rest] : testHalves();
    launchAll(
      halves.map((half) => [...test, ...half]),
      { NODE_ENV: "test" },
    );
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
  "import-trial": () => launch([join(root, "test", "import", "main.ts"), ...rest]),
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
