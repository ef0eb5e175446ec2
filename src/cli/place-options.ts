// --data, --url and --token: which gateway is meant. Every command takes them behind its name, and
// all take them before it, where a command has an option of its own by the same name.
import type { Command } from "commander";
import { readSecret } from "./command.ts";
import { ControlError } from "./control-client.ts";
import type { Terminal } from "./terminal.ts";

const data = {
  flags: "--data <folder>",
  text: "the data folder (default: SLUICE_DATA, or data in the repository)",
};
const url = {
  flags: "--url <address>",
  text: "a gateway elsewhere, instead of the one of the data folder (or SLUICE_URL)",
};
const token = {
  flags: "--token <text>",
  text: "an access token for it; - reads it. Lists of processes show it: rather SLUICE_TOKEN",
};

const exposedToken =
  "The token can be read in lists of processes: SLUICE_TOKEN, or --token - from the standard " +
  "input, keeps it to yourself.\n";

/** Commands that work on files of this machine. */
const local = new Set(["serve", "ledger", "config", "backup", "restore", "migrate"]);
/** Commands to which only the address of the gateway matters. */
const tokenless = new Set(["setup"]);
/** Commands that need no gateway at all. */
const placeless = new Set(["completion"]);

interface Place {
  data?: string;
  url?: string;
  token?: string;
}

/** To be called when all commands are there. `environment` is what they will read. */
export function addPlaceOptions(
  program: Command,
  terminal: Terminal,
  environment: Record<string, string | undefined>,
): void {
  for (const { flags, text } of [data, url, token]) program.option(flags, text);
  const own = new Map<Command, string[]>();
  for (const leaf of leavesOf(program)) own.set(leaf, addTo(leaf));
  program.enablePositionalOptions().hook("preAction", async (_program, leaf) => {
    const place: Place = { ...program.opts(), ...take(leaf, own.get(leaf) ?? []) };
    if (local.has(firstWord(leaf))) assertHere(place, environment, firstWord(leaf));
    if (place.data !== undefined && place.url !== undefined) {
      throw new ControlError("--data and --url name two gateways: give one of them");
    }
    if (place.data !== undefined) {
      environment["SLUICE_DATA"] = place.data;
      environment["SLUICE_URL"] = undefined;
    }
    if (place.url !== undefined) environment["SLUICE_URL"] = place.url;
    if (place.token === undefined) return;
    if (place.token !== "-") terminal.writeError(exposedToken);
    environment["SLUICE_TOKEN"] = await readSecret(terminal, place.token);
    environment["SLUICE_TOKEN_FILE"] = undefined;
  });
}

function addTo(leaf: Command): string[] {
  if (placeless.has(firstWord(leaf))) return [];
  const elsewhere = tokenless.has(firstWord(leaf)) ? [url] : [url, token];
  const all = local.has(firstWord(leaf)) ? [data] : [data, ...elsewhere];
  const known = new Set(leaf.options.map(({ long }) => long));
  const added = all.filter(({ flags }) => !known.has(flags.split(" ")[0]));
  for (const { flags, text } of added) leaf.option(flags, text);
  return added.map(({ flags }) => flags.replace(/^--| .*$/g, ""));
}

/** They are no fields of what the command sends. */
function take(leaf: Command, names: readonly string[]): Place {
  const values = names.map((name): [string, unknown] => [name, leaf.getOptionValue(name)]);
  for (const name of names) leaf.setOptionValue(name, undefined);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function assertHere(
  { data: folder, url: address }: Place,
  environment: Record<string, string | undefined>,
  word: string,
): void {
  const isRun = word === "serve" || word === "config";
  const byVariable = folder === undefined && !isRun ? environment["SLUICE_URL"] : undefined;
  if (!(address ?? byVariable)) return;
  throw new ControlError(
    `${word} works on a data folder of this machine: name it with --data, without a --url`,
  );
}

function firstWord(leaf: Command): string {
  const { parent } = leaf;
  return parent?.parent ? firstWord(parent) : leaf.name();
}

function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((child) =>
    child.commands.length === 0 ? [child] : leavesOf(child),
  );
}
