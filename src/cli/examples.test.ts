// Each example in the help, followed as far as the command line reads it: there is such a command,
// it takes those options with those values, and so many words.
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "./program.ts";

const nothing = async () => {};

/** The program, and all that its help has as examples. */
function openProgram(): { program: Command; examples: string[] } {
  let out = "";
  const program = createProgram(
    { serve: nothing, withServer: nothing },
    {
      environment: {},
      readFile: () => null,
      readInput: async () => "",
      write: (text) => (out += text),
      writeError: () => {},
      fail: () => {},
    },
  );
  const explain = (command: Command) => {
    command.outputHelp();
    for (const one of command.commands) explain(one);
  };
  explain(program);
  const examples = Array.from(out.matchAll(/^ {2}\$ ((?:.*\\\n)*.*)$/gm), ([, line = ""]) => line);
  return { program, examples: [...new Set(examples)] };
}

/** Arguments that a shell would pass, be there files, pipes or variables around the program. */
function wordsOf(example: string, folder: string): string[] {
  for (const [, name = ""] of example.matchAll(/< ([\w.-]+)/g))
    writeFileSync(join(folder, name), "");
  const told = join(folder, "told");
  const script = `sluice() { printf '%s\\0' "$@" > "$TOLD"; }\n${example}`;
  const env = { PATH: process.env["PATH"], HOME: folder, TOLD: told };
  writeFileSync(told, "");
  Bun.spawnSync(["bash", "-c", script], { cwd: folder, env });
  return readFileSync(told, "utf8").split("\0").slice(0, -1);
}

function problemOf(program: Command, words: readonly string[]): string | null {
  let command = program;
  let at = 0;
  for (; at < words.length; at++) {
    const next = command.commands.find((one) => one.name() === words[at]);
    if (!next) break;
    command = next;
  }
  command.exitOverride();
  if (command.commands.length > 0) return `${command.name()} is no command by itself`;
  try {
    const { operands, unknown } = command.parseOptions(words.slice(at));
    const wanted = command.registeredArguments;
    const least = wanted.filter(({ required }) => required).length;
    const isMany = wanted.some(({ variadic }) => variadic);
    if (unknown.length > 0) return `${unknown.join(" ")} is not known`;
    if (operands.length < least) return `${least} words are needed`;
    return operands.length > wanted.length && !isMany ? "has too many words" : null;
  } catch (error) {
    return error instanceof Error ? error.message : "cannot be read";
  }
}

test("every example of the help is a call that the command line takes", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-examples-"));
  try {
    const { program, examples } = openProgram();
    expect(examples.length).toBeGreaterThan(60);
    const problems = examples.flatMap((example) => {
      const words = wordsOf(example, folder);
      const problem = words.length === 0 ? "calls nothing" : problemOf(program, words);
      return problem === null ? [] : [`${example}: ${problem}`];
    });
    expect(problems).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
