// Runs Bun's tests several times, a few at once. Their lines come as they are printed; what failed
// is said once more at the end, where it is found in an output of ten thousand lines.
import { cpus } from "node:os";
import { createInterface } from "node:readline";
import { exitCode, start } from "./launch.mjs";
import { measured } from "./test-times.mjs";

const linesMaxOfFailure = 80;
const lookMs = 5000;
/** Share of the processors' time that is worth another one beside those that run. */
const idleShareMin = 0.15;

/**
 * The environment may be that of all, or what makes it from the words of each.
 * Ends this process well when all of them ended well; the next begins where one has ended, and
 * where the processors are idle, up to the most that are asked for.
 */
export function launchAll(
  several,
  environment = {},
  { atOnce = several.length, atOnceMax = atOnce, partMsMax = Infinity } = {},
) {
  const failures = new Map();
  const counts = new Map();
  const lost = [];
  const times = measured(several);
  const waiting = [...times.commands];
  let [open, running, worst] = [several.length, 0, 0];
  const next = () => {
    const args = waiting.shift();
    if (!args) return;
    running += 1;
    const own = typeof environment === "function" ? environment(args) : environment;
    const child = start(args, own, ["inherit", "pipe", "pipe"]);
    // End a part that hangs; the others go on.
    const isLimited = partMsMax < Infinity;
    const limit = isLimited ? setTimeout(() => child.kill("SIGKILL"), partMsMax) : undefined;
    const heard = { failures, counts, hasEnded: false };
    for (const stream of [child.stdout, child.stderr]) relay(stream, heard);
    // Not at its exit: lines may still be on their way then.
    child.on("close", (code, signal) => {
      clearTimeout(limit);
      worst ||= exitCode(code, signal);
      if (!heard.hasEnded) lost.push(`${args.at(-1)} and what ran with it`);
      running -= 1;
      // One that was begun beside the others is not followed by another.
      if (--open > 0) return running < atOnce ? next() : undefined;
      times.say();
      sayAgain(failures);
      sumUp(counts, lost);
      process.exit(worst);
    });
  };
  for (let count = 0; count < atOnce; count++) next();
  whileIdle(() => running < atOnceMax && next());
}

/** Runs again and again while the processors have nothing to do. */
function whileIdle(run) {
  let before = processorMs();
  setInterval(() => {
    const now = processorMs();
    const idleShare = (now.idle - before.idle) / (now.all - before.all);
    before = now;
    if (idleShare >= idleShareMin) run();
  }, lookMs).unref();
}

function processorMs() {
  const times = cpus().map((processor) => processor.times);
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  return {
    idle: sum(times.map(({ idle }) => idle)),
    all: sum(times.flatMap((time) => Object.values(time))),
  };
}

function relay(stream, heard) {
  const { failures, counts } = heard;
  let since = [];
  createInterface({ input: stream }).on("line", (line) => {
    process.stdout.write(`${line}\n`);
    since.push(line);
    if (since.length > linesMaxOfFailure) since.shift();
    const [, count, kind] = /^ *(\d+) (pass|fail|skip)$/.exec(line) ?? [];
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + Number(count));
    if (line.startsWith("Ran ")) heard.hasEnded = true;
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

/** A part that died or was ended has told nothing of itself. */
function sumUp(counts, lost) {
  const told = Array.from(counts, ([kind, count]) => `${count} ${kind}`).join(", ");
  if (told) process.stdout.write(`\nTogether: ${told}.\n`);
  for (const part of lost) process.stdout.write(`NOT ENDED: ${part}.\n`);
}
