// Shared parts of the commands: how they are made, fail and print, and how they read their options.
import type { Command } from "commander";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { scrub } from "../core/log.ts";
import type { ControlClient } from "./control-client.ts";
import { withControl, type WithServer } from "./gateway-place.ts";
import { renderFields, renderTable, type Column } from "./table.ts";
import type { Terminal } from "./terminal.ts";

export interface CommandNeeds {
  terminal: Terminal;
  withServer: WithServer;
}

export interface JsonOption {
  json?: true;
}

/** All that a command was given, by the names of its options in camel case. */
export type CommandOptions = JsonObject & JsonOption;

export function readConfig({ environment, readFile }: Terminal): Promise<Config> {
  return loadConfig({ environment, readFile });
}

/** Runs what a command does; whatever goes wrong is said in a line, without a trace. */
export async function guard(terminal: Terminal, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    terminal.writeError(`${scrub(error instanceof Error ? error.message : String(error))}\n`);
    terminal.fail();
  }
}

/** Runs a command against the gateway. */
export async function control(
  { terminal, withServer }: CommandNeeds,
  run: (client: ControlClient) => Promise<void>,
): Promise<void> {
  const warn = (text: string) => terminal.writeError(text);
  await guard(terminal, async () =>
    withControl(await readConfig(terminal), { source: terminal, withServer, warn }, run),
  );
}

export interface CommandTexts {
  description: string;
  /** Calls of the command, as one would type them. */
  examples: readonly string[];
}

export function addCommand(
  to: Command,
  name: string,
  { description, examples }: CommandTexts,
): Command {
  const lines = examples.map((example) => `  $ ${example}\n`);
  return to
    .command(name)
    .description(description)
    .addHelpText("after", `\nExamples:\n${lines.join("")}`);
}

/** One that prints for people or for programs. */
export function addJsonCommand(to: Command, name: string, texts: CommandTexts): Command {
  return addCommand(to, name, texts).option("--json", "print JSON for programs");
}

export function printJson(terminal: Terminal, value: Json): void {
  terminal.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printRows<Row extends JsonObject>(
  terminal: Terminal,
  rows: Row[],
  columns: readonly Column<Row>[],
  { json }: JsonOption,
): void {
  if (json) printJson(terminal, rows);
  else terminal.write(renderTable(columns, rows));
}

/** `text` is for people; programs get the whole answer. */
export function printOne(
  terminal: Terminal,
  value: Json,
  text: string,
  { json }: JsonOption,
): void {
  if (json) printJson(terminal, value);
  else terminal.write(`${text}\n`);
}

/** One object with all its fields. */
export function printFields(terminal: Terminal, value: JsonObject, { json }: JsonOption): void {
  if (json) printJson(terminal, value);
  else terminal.write(renderFields(value));
}

/** A dash stands for the standard input, which no list of processes shows. */
export async function readSecret(terminal: Terminal, secret: string): Promise<string> {
  return secret === "-" ? (await terminal.readInput()).replace(/\r?\n$/, "") : secret;
}

/** Whether to go on: by `--yes`, or by who sits there. Where nobody does, it is refused. */
export async function agreed(
  { confirm }: Terminal,
  { yes }: { yes?: true },
  { question, refusal }: { question: string; refusal: string },
): Promise<boolean> {
  if (yes) return true;
  if (!confirm) throw new Error(refusal);
  return await confirm(question);
}
