// The command line of a gateway that runs: `serve` alone. It may run for months, and what the other
// commands are made of would lie in its memory and be looked at by every collection.
import { Command, InvalidArgumentError } from "commander";
import type { Environment } from "../config/environment.ts";
import { addCommand, guard } from "./command.ts";
import type { WithServer } from "./gateway-place.ts";
import { addPlaceOptions } from "./place-options.ts";
import { wholeOption } from "./readers.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { versionText } from "./version-text.ts";

export interface ServeOptions {
  /** Number of nodes that are to share the port; undefined for a gateway without any. */
  nodes?: number;
  /** The first of the ports that each of them has for itself. */
  nodePorts?: number;
}

export interface Actions {
  serve(environment: Environment, options: ServeOptions): Promise<void>;
  withServer: WithServer;
}

const overview = `
Configuration comes from environment variables and the file that SLUICE_CONFIG names.
Commands use the gateway that runs on the data folder; when none does, they start one for
themselves. --data names another folder, --url a gateway elsewhere, with a token in
SLUICE_TOKEN. Only serve, restore and migrate make a data folder.

Examples:
  $ sluice serve
  $ sluice channel add main --url https://api.example.com --key - --models gpt-5 < key.txt
  $ sluice key create laptop --quota '$5'
  $ sluice ledger verify
`;

/** Start of a program, and its commands' view of the process. */
interface ProgramStart {
  readonly program: Command;
  readonly terminal: Terminal;
  /** Options may say what variables say; whoever reads the environment sees both. */
  readonly environment: Record<string, string | undefined>;
}

export function createServeProgram(
  actions: Pick<Actions, "serve">,
  real: Terminal = processTerminal,
): Command {
  const { program, terminal, environment } = beginProgram(actions, real);
  addPlaceOptions(program, terminal, environment);
  return program;
}

/** With `serve` as its only command, and without the options that all commands share. */
export function beginProgram({ serve }: Pick<Actions, "serve">, real: Terminal): ProgramStart {
  const environment = { ...real.environment };
  const terminal: Terminal = { ...real, environment };
  const program = new Command("sluice")
    .description("A self-hosted gateway to many models, with exact prepaid billing.")
    .version(versionText(environment["SLUICE_HOME"]), "--version", "say which version this is")
    .addHelpText("after", overview)
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.writeError(text),
    });
  addCommand(program, "serve", {
    description: "run the gateway until it is told to stop",
    examples: ["sluice serve", "PORT=8080 sluice serve", "sluice serve --nodes 4"],
  })
    .option("--nodes <count>", "so many nodes on one port, on one PostgreSQL", nodesOption)
    .option("--node-ports <first>", "where each is found alone, on this machine", portOption)
    .action((options: ServeOptions) => guard(terminal, () => serve(environment, options)));
  return { program, terminal, environment };
}

const nodesMax = 256;
const portMax = 65_535;

function nodesOption(text: string): number {
  const count = wholeOption(text);
  if (count >= 1 && count <= nodesMax) return count;
  throw new InvalidArgumentError(`It must be a number of nodes from 1 to ${nodesMax}.`);
}

function portOption(text: string): number {
  const port = wholeOption(text);
  if (port >= 1 && port <= portMax - nodesMax) return port;
  throw new InvalidArgumentError("It must be a port; the nodes have those that follow it.");
}
