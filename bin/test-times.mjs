// Times of test files, as Bun measures them: printed after a run, and kept for who compares runs.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

const folder = join(root, "node_modules", ".cache", "sluice-tests");
const shownMax = 25;

/** Adds to each command the words that have Bun measure; `say` prints what all of them measured. */
export function measured(commands) {
  mkdirSync(folder, { recursive: true });
  const parts = mkdtempSync(join(folder, "parts-"));
  const startMs = performance.now();
  return {
    commands: commands.map(([test, ...words], at) => [
      test,
      `--timings=${join(parts, `${at}.json`)}`,
      "--update-timings",
      ...words,
    ]),
    say() {
      const times = merge(parts);
      rmSync(parts, { recursive: true, force: true });
      writeFileSync(join(folder, "times.json"), `${JSON.stringify(times, null, 2)}\n`);
      process.stdout.write(describe(times, performance.now() - startMs));
    },
  };
}

function merge(parts) {
  return readdirSync(parts)
    .map((name) => JSON.parse(readFileSync(join(parts, name), "utf8")))
    .reduce((all, { files }) => ({ ...all, ...files }), {});
}

function describe(times, tookMs) {
  const slowest = Object.entries(times).sort(([, one], [, other]) => other - one);
  const seconds = (ms) => (ms / 1000).toFixed(1);
  const lines = slowest
    .slice(0, shownMax)
    .map(([path, ms]) => `${seconds(ms).padStart(8)} s  ${path}`);
  const sum = slowest.reduce((total, [, ms]) => total + ms, 0);
  const last = `${slowest.length} files take ${seconds(sum)} s, side by side ${seconds(tookMs)} s.`;
  return `\nThe slowest files:\n${lines.join("\n")}\n${last}\n`;
}
