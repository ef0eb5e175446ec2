// sluice config: what the gateway would start with.
import type { Command } from "commander";
import { configJsonSchema } from "../config/json-schema.ts";
import { loadConfigFile } from "../config/load.ts";
import { ConfigError } from "../config/problems.ts";
import type { ConfigFile } from "../config/schema.ts";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { scrub } from "../core/log.ts";
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

export function addConfigCommands(program: Command, terminal: Terminal): void {
  const config = program.command("config").description("check and show the configuration");
  addJsonCommand(config, "check", {
    description: "say whether the gateway would start with this configuration",
    examples: ["SLUICE_CONFIG=sluice.yaml sluice config check"],
  }).action((options: JsonOption) => guard(terminal, async () => check(terminal, options)));
  addCommand(config, "print", {
    description: "print the configuration file as it takes effect, without its secrets",
    examples: ["sluice config print", "sluice config print > sluice.yaml"],
  }).action(() =>
    guard(terminal, async () => printJson(terminal, redact(loadConfigFile(terminal)))),
  );
  addCommand(config, "schema", {
    description: "print the JSON Schema of the configuration file",
    examples: ["sluice config schema > sluice.schema.json"],
  }).action(() => guard(terminal, async () => printJson(terminal, configJsonSchema())));
}

function check(terminal: Terminal, options: JsonOption): void {
  try {
    readConfig(terminal);
    printOne(terminal, { ok: true, problems: [] }, "ok", options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = [...error.problems];
    printOne(terminal, { ok: false, problems }, problems.join("\n"), options);
    terminal.fail();
  }
}

const secretNames = new Set("key keys headers client_secret secret_access_key".split(" "));
const placeholder = "[secret]";

/** By the names of the fields, wherever they stand; of the rest, what looks like a secret. */
export function redact(file: ConfigFile): JsonObject {
  const plain: JsonObject = JSON.parse(JSON.stringify(file));
  // `keys` is the name of a list of declared things here, and a field of theirs below.
  return mapFields(plain, (_name, section) => hide(section));
}

function hide(value: Json): Json {
  if (typeof value === "string") return scrub(value);
  if (Array.isArray(value)) return value.map(hide);
  return isObject(value) ? hideFields(value) : value;
}

function hideFields(fields: JsonObject): JsonObject {
  return mapFields(fields, (name, value) => (secretNames.has(name) ? hideAll(value) : hide(value)));
}

function hideAll(value: Json): Json {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(hideAll);
  return isObject(value) ? mapFields(value, () => placeholder) : placeholder;
}

function mapFields(fields: JsonObject, map: (name: string, value: Json) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value = null]) => [name, map(name, value)]),
  );
}
