// What the commands share: how they are made, fail and print, and how they read their options.
import { InvalidArgumentError, type Command } from "commander";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { scrub } from "../core/log.ts";
import type { ControlClient } from "./control-client.ts";
import { withControl, type WithServer } from "./gateway-place.ts";
import { renderTable, type Column } from "./table.ts";
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

/** The options as fields of the control API: in snake case, unless `renamed` has another name. */
export function fieldsOf(
  { json: _json, ...options }: CommandOptions,
  renamed: Readonly<Record<string, string>>,
): JsonObject {
  const snakeCase = (name: string) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const fields = Object.entries(options).map(([name, value]) => [
    renamed[name] ?? snakeCase(name),
    value,
  ]);
  return Object.fromEntries(fields);
}

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
    withControl(await readConfig(terminal), { withServer, warn }, run),
  );
}

interface CommandTexts {
  description: string;
  /** How it is called, as one would type it. */
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

interface ListCommand<Options> extends CommandTexts {
  columns: readonly Column[];
  read(client: ControlClient, options: Options): Promise<JsonObject[]>;
}

export function addListCommand<Options extends JsonOption>(
  to: Command,
  needs: CommandNeeds,
  { columns, read, ...texts }: ListCommand<Options>,
): Command {
  return addJsonCommand(to, "list", texts).action((options: Options) =>
    control(needs, async (client) => {
      printRows(needs.terminal, await read(client, options), columns, options);
    }),
  );
}

interface RemoveCommand extends CommandTexts {
  /** Where the control API has its like. */
  path: string;
  /** What is said of it afterwards. */
  done: string;
}

/** For one that is found by its id or its name. */
export function addRemoveCommand(
  to: Command,
  name: string,
  needs: CommandNeeds,
  { path, done, ...texts }: RemoveCommand,
): Command {
  return addJsonCommand(to, name, texts).action((wanted: string, options: JsonOption) =>
    control(needs, async (client) => {
      const id = await client.find(path, "name", wanted);
      const gone = await client.remove(`${path}/${id}`);
      printOne(needs.terminal, gone, `${done} ${id}`, options);
    }),
  );
}

export function printJson(terminal: Terminal, value: Json): void {
  terminal.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printRows(
  terminal: Terminal,
  rows: JsonObject[],
  columns: readonly Column[],
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

/** A dash stands for the standard input, which no list of processes shows. */
export async function readSecret(terminal: Terminal, secret: string): Promise<string> {
  return secret === "-" ? (await terminal.readInput()).replace(/\r?\n$/, "") : secret;
}

export function wholeOption(text: string): number {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It must be a whole number.");
}

const microsPerDollar = 1_000_000;
const moneyHint = "It must be dollars in quotes such as '$2.50', or whole micros.";

/** Dollars behind their sign; programs say whole micros without one. */
export function moneyOption(text: string): number {
  const [, sign, whole, decimals = ""] = /^\$(-?)(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole !== undefined) {
    const micros = Number(whole) * microsPerDollar + Number(decimals.padEnd(6, "0"));
    return sign === "-" ? -micros : micros;
  }
  const micros = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(micros)) return micros;
  throw new InvalidArgumentError(moneyHint);
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

export function list(text: string, before: string[] = []): string[] {
  const names = text.split(",").map((name) => name.trim());
  return [...before, ...names.filter((name) => name !== "")];
}

export function pair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must read name=value.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Unix seconds as they are, anything else as a date and time. */
export function momentOption(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}
