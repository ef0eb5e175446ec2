// A command of the command line within the test's own process, which takes a few milliseconds where
// a process of its own takes two hundred.
import { CommanderError, type Command } from "commander";
import { createWithServer } from "../../../src/cli/alone.ts";
import { lastWords } from "../../../src/cli/control-client.ts";
import { createProgram } from "../../../src/cli/program.ts";
import type { Terminal } from "../../../src/cli/terminal.ts";
import { readTextFile } from "../../../src/config/environment.ts";
import { MovableTime } from "../time/movable-time.ts";
import { machineHere } from "./node-here.ts";

export interface CommandEnd {
  code: number;
  out: string;
  error: string;
}

interface CommandHere {
  environment: Readonly<Record<string, string>>;
  input: string;
}

export async function runHere(
  { environment, input }: CommandHere,
  words: readonly string[],
): Promise<CommandEnd> {
  const end: CommandEnd = { code: 0, out: "", error: "" };
  const terminal: Terminal = {
    environment,
    readFile: readTextFile,
    readInput: async () => input,
    write: (text) => void (end.out += text),
    writeError: (text) => void (end.error += text),
    fail: () => void (end.code = 1),
  };
  const time = new MovableTime();
  const machine = machineHere({ time });
  const withServer = createWithServer({ ...terminal, machine });
  const program = createProgram({ serve: refuse, withServer }, terminal);
  throwAtEnds(program);
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    end.code = error instanceof CommanderError ? error.exitCode : 1;
    if (!(error instanceof CommanderError)) end.error += `${lastWords(error)}\n`;
  } finally {
    time.end();
  }
  return end;
}

function refuse(): never {
  throw new Error("to serve is for a process of its own");
}

/** Throws at the places where it would end the process, as behind its help. */
function throwAtEnds(command: Command): void {
  command.exitOverride();
  for (const one of command.commands) throwAtEnds(one);
}
