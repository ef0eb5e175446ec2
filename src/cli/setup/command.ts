// sluice setup: writes an agent's settings so that it works through the gateway, and undoes it.
import { resolve } from "node:path";
import { Argument, type Command } from "commander";
import { shellWord } from "../../core/shell-word.ts";
import { addCommand, guard, readConfig, readSecret } from "../command.ts";
import { addressHere, readAddress } from "../gateway-place.ts";
import type { Terminal } from "../terminal.ts";
import { cline, fileAgents, folderOf, type Access, type FileAgent } from "./agents.ts";
import { preview, setUp, undoSetUp } from "./set-up.ts";

interface SetupOptions {
  key?: string;
  model?: string;
  home?: string;
  undo?: true;
  print?: true;
}

export function addSetupCommand(program: Command, terminal: Terminal): void {
  addCommand(program, "setup", {
    description: "write an agent's settings so that it works through the gateway, or undo it",
    examples: [
      "sluice setup claude-code --key - < key.txt",
      "SLUICE_KEY=sk-example sluice setup codex --model gpt-5",
      "sluice setup opencode --url https://gateway.example.com --model gpt-5 --print",
      "sluice setup codex --undo",
    ],
  })
    .addArgument(new Argument("<agent>", "which").choices([...Object.keys(fileAgents), cline]))
    .option(
      "--key <text>",
      "its API key; - reads it. Lists of processes show it: rather SLUICE_KEY",
    )
    .option("--model <name>", "the model that it is to ask for")
    .option("--home <folder>", "the home in which its files are (default: yours)")
    .option("--undo", "put back what was there before")
    .option("--print", "show what would be written, without the key, and write nothing")
    .action((name: string, options: SetupOptions) =>
      guard(terminal, async () => {
        const agent = fileAgents[name];
        if (agent) await runFor(terminal, { name, agent }, options);
        else await explainCline(terminal, options);
      }),
    );
}

interface Named {
  name: string;
  agent: FileAgent;
}

async function runFor(terminal: Terminal, { name, agent }: Named, options: SetupOptions) {
  const { home, undo, print } = options;
  const folder = folderOf(agent, { home, environment: terminal.environment });
  if (undo) return undoIn(terminal, agent, folder);
  if (print) {
    const access = { ...(await readPlace(terminal, options)), key: "<key>" };
    assertModel(agent.title, agent.needsModel, access.model);
    return terminal.write(preview(agent, folder, access));
  }
  const access = await readAccess(terminal, options);
  assertModel(agent.title, agent.needsModel, access.model);
  const changed = setUp(agent, folder, access);
  const isSet = `${agent.title} is set up already: nothing was changed.\n`;
  terminal.write(changed.length === 0 ? isSet : changed.map((path) => `Wrote ${path}\n`).join(""));
  const there = home === undefined ? "" : ` --home ${shellWord(resolve(home))}`;
  terminal.write(`Start it with: ${agent.program}\n`);
  terminal.write(`Undo it with: sluice setup ${name} --undo${there}\n`);
  warnOfVariables(terminal, agent, access);
}

function undoIn(terminal: Terminal, { title }: FileAgent, folder: string): void {
  const changed = undoSetUp(folder);
  if (!changed) throw new Error(`${title} was not set up in ${folder}: there is nothing to undo`);
  terminal.write(changed.map((path) => `Put back ${path}\n`).join(""));
  terminal.write(`${title} is as it was before.\n`);
}

/** Its extension keeps keys in the editor's own store, and its program has changed files often. */
async function explainCline(terminal: Terminal, options: SetupOptions): Promise<void> {
  if (options.undo)
    throw new Error("nothing of Cline's was written: choose another provider there");
  const { url, model } = await readPlace(terminal, options);
  assertModel("Cline", true, model);
  const lines = [
    "Cline keeps keys where no other program should write, so nothing was written.",
    'In its settings, or where "cline auth" asks for them, enter:',
    "",
    "  API Provider: OpenAI Compatible",
    `  Base URL: ${url}/v1`,
    "  API Key: your key",
    `  Model: ${model}`,
  ];
  terminal.write(lines.map((line) => `${line}\n`).join(""));
}

async function readPlace(
  terminal: Terminal,
  { model }: SetupOptions,
): Promise<Omit<Access, "key"> & { known: string | null }> {
  const { remote, dataFolder } = await readConfig(terminal);
  const url = remote.url === null ? addressHere(dataFolder) : readAddress(remote.url).href;
  const plain = url.replace(/\/+$/, "");
  if (/\/v1(?:beta)?$/.test(plain)) throw new Error("--url is the address without a version");
  if (model !== undefined && !/^[^\p{Cc}\s](?:[^\p{Cc}]*[^\p{Cc}\s])?$/u.test(model)) {
    throw new Error("--model must be the name of a model, on one line");
  }
  return { url: plain, model: model ?? null, known: remote.key };
}

async function readAccess(terminal: Terminal, options: SetupOptions): Promise<Access> {
  const { known, ...place } = await readPlace(terminal, options);
  const text = options.key ?? known;
  if (!text) {
    throw new Error(
      "an API key is needed, in SLUICE_KEY or by --key - from the standard input: " +
        '"sluice key create agent" makes one',
    );
  }
  if (options.key !== undefined && options.key !== "-") {
    terminal.writeError("The key can be read in lists of processes: rather use SLUICE_KEY.\n");
  }
  const key = await readSecret(terminal, text);
  // Signs that a bearer token may have, none of which a settings file reads as anything else.
  if (/^[\w.~+/=-]+$/.test(key)) return { ...place, key };
  throw new Error("the key must be an API key of the gateway, such as sk-example");
}

function assertModel(title: string, isNeeded: boolean, model: string | null): void {
  if (!isNeeded || model !== null) return;
  throw new Error(`${title} asks for the model that its settings name: say which with --model`);
}

/** Agents let a variable of the shell go before their .env file. */
function warnOfVariables({ environment, writeError }: Terminal, agent: FileAgent, access: Access) {
  for (const { names, parts } of agent.files(access)) {
    if (!names.includes(".env")) continue;
    for (const { at, value } of parts) {
      const name = at.join();
      if (![undefined, "", value].includes(environment[name])) {
        writeError(`${name} is set in this shell, and goes before the file: unset it.\n`);
      }
    }
  }
}
