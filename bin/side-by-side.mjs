// Runs Bun several times, a few at once. Their lines come as they are printed; what failed is said
// once more at the end, where it is found in an output of ten thousand lines.
import { createInterface } from "node:readline";
import { exitCode, start } from "./launch.mjs";

const linesMaxOfFailure = 80;

/** Ends this process well when all of them ended well; the next begins where one has ended. */
export function launchAll(several, environment = {}, atOnce = several.length) {
  const failures = new Map();
  const waiting = [...several];
  let [open, worst] = [several.length, 0];
  const next = () => {
    const args = waiting.shift();
    if (!args) return;
    const child = start(args, environment, ["inherit", "pipe", "pipe"]);
    for (const stream of [child.stdout, child.stderr]) relay(stream, failures);
    // Not at its exit: lines may still be on their way then.
    child.on("close", (code, signal) => {
      worst ||= exitCode(code, signal);
      if (--open > 0) return next();
      sayAgain(failures);
      process.exit(worst);
    });
  };
  for (let count = 0; count < atOnce; count++) next();
}

function relay(stream, failures) {
  let since = [];
  createInterface({ input: stream }).on("line", (line) => {
    process.stdout.write(`${line}\n`);
    since.push(line);
    if (since.length > linesMaxOfFailure) since.shift();
    const ended = /^\((pass|fail|skip|todo)\) (.*)/.exec(line);
    if (!ended) return;
    // Bun repeats the name alone at the end of a long run.
    if (ended[1] === "fail" && !failures.has(ended[2])) failures.set(ended[2], since);
    since = [];
  });
}

function sayAgain(failures) {
  for (const lines of failures.values()) process.stdout.write(`\n${lines.join("\n")}\n`);
  if (failures.size > 0) process.stdout.write(`\n${failures.size} failed, each said above.\n`);
}
