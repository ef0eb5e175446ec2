// sluice config: what the gateway would start with.
import type { Command } from "commander";
import { configJsonSchema } from "../config/json-schema.ts";
import { loadConfigFile } from "../config/load.ts";
import { ConfigError } from "../config/problems.ts";
import { redact } from "../config/redact.ts";
import {
  addCommand,
  addJsonCommand,
  guard,
  printJson,
  printOne,
  readConfig,
  type JsonOption,
} from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** On the standard error: what is printed may go to a file. */
const whose =
  "This is of this command's own environment and file. What a running gateway has is shown by: " +
  "sluice api GET /api/setting";

export function addConfigCommands(program: Command, terminal: Terminal): void {
  const config = program.command("config").description("check and show the configuration");
  addJsonCommand(config, "check", {
    description: "say whether the gateway would start with this configuration",
    examples: ["SLUICE_CONFIG=sluice.yaml sluice config check"],
  }).action((options: JsonOption) => guard(terminal, () => check(terminal, options)));
  addCommand(config, "print", {
    description: "print what a gateway would start with from here, without its secrets",
    examples: ["sluice config print", "sluice config print > sluice.yaml"],
  }).action(() =>
    guard(terminal, async () => {
      printJson(terminal, redact(await loadConfigFile(terminal)));
      terminal.writeError(`${whose}\n`);
    }),
  );
  addCommand(config, "schema", {
    description: "print the JSON Schema of the configuration file",
    examples: ["sluice config schema > sluice.schema.json"],
  }).action(() => guard(terminal, async () => printJson(terminal, configJsonSchema())));
}

async function check(terminal: Terminal, options: JsonOption): Promise<void> {
  try {
    await readConfig(terminal);
    printOne(terminal, { ok: true, problems: [] }, "ok", options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = [...error.problems];
    printOne(terminal, { ok: false, problems }, problems.join("\n"), options);
    terminal.fail();
  }
}
