// The environment variables of the gateway: which there are, which may come from a file, and which
// settings of the runtime must not be there at all.
import type { Json } from "../core/json.ts";
import { Type, compile, type Static, type TSchema } from "../core/schema.ts";
import type { Environment } from "./environment.ts";
import { keyText } from "./fields.ts";
import { isOAuthVariable } from "./oauth.ts";
import { suggest } from "./problems.ts";
import { ConfigFile } from "./schema.ts";
import { variableOf, type Variable } from "./setting.ts";
import { toPathFaults, type Path } from "./shape.ts";

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

/** Variables that no key of the file can say. */
const OwnVariables = Type.Object({
  SLUICE_CONFIG: text("Path of the configuration file."),
  SLUICE_SECRET: text("Encrypts upstream keys. Default: made and kept in the data folder."),
  SLUICE_SECRET_ALSO: text("A second secret that opens, while SLUICE_SECRET is exchanged."),
  SLUICE_SECRET_LOST: Type.Optional(
    Type.Literal("yes", {
      description: "Starts though the data was sealed with another secret, which is lost.",
    }),
  ),
  SLUICE_ROOT_PASSWORD: text("Password of the root account. Default: made and printed once."),
  SLUICE_ROOT_KEY: Type.Optional(
    keyText("Full text of the root account's API key. Default: made and printed once."),
  ),
  SLUICE_ROOT_TOKEN: Type.Optional(
    keyText("Access token of the root account for /api. Default: none."),
  ),
  SLUICE_URL: text("Address of the gateway that commands speak to. Default: the data folder's."),
  SLUICE_TOKEN: Type.Optional(keyText("Access token for commands, with SLUICE_URL.")),
  SLUICE_KEY: Type.Optional(keyText("API key of an agent that is set up from the command line.")),
  SLUICE_NODE: Type.Optional(
    Type.String({
      pattern: "^[1-9]\\d{0,2}/[1-9]\\d{0,2}$",
      description: "Set by serve --nodes: which of how many nodes on one port it is, as 2/4.",
    }),
  ),
  SLUICE_NODE_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description: "Set by serve --nodes: the port of this node alone; 0 takes a free one.",
    }),
  ),
});
export type OwnVariables = Static<typeof OwnVariables>;

/** They say where something is, and are no secrets. */
const paths = new Set([
  "SLUICE_CONFIG",
  "SLUICE_SECRET_LOST",
  "SLUICE_URL",
  "SLUICE_NODE",
  "SLUICE_NODE_PORT",
]);

interface PlacedVariable extends Variable {
  /** The key of the file that it wins over; null when it is one of our own. */
  readonly path: Path | null;
}

export const variables: readonly PlacedVariable[] = [
  ...variablesIn(ConfigFile.properties),
  ...Object.entries<TSchema>(OwnVariables.properties).map(([name, schema]) => {
    return { name, schema, isFileable: !paths.has(name), path: null };
  }),
];

function variablesIn(properties: Record<string, TSchema>, above: Path = []): PlacedVariable[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = [...above, key];
    const variable = variableOf(schema);
    if (variable !== null) return [{ ...variable, path }];
    return Type.IsObject(schema) ? variablesIn(schema.properties, path) : [];
  });
}

const ownChecker = compile(OwnVariables);
const names = variables.map(({ name }) => name);
const fileable = variables.filter(({ isFileable }) => isFileable);
const variableNamed = new Map([
  ...variables.map((variable) => [variable.name, variable] as const),
  ...fileable.map((variable) => [`${variable.name}_FILE`, variable] as const),
]);
const knownNames = [...variableNamed.keys()];

export interface ReadVariables {
  own: OwnVariables;
  /** Values for keys of the file. */
  settings: { path: Path; value: Json }[];
  problems: string[];
}

/** An empty variable counts as one that is not set. */
export function readVariables(
  environment: Environment,
  readFile: (path: string) => string | null,
): ReadVariables {
  const problems = [...refusedProblems(environment), ...unknownProblems(environment)];
  const own: Record<string, Json> = {};
  const settings: ReadVariables["settings"] = [];
  const named = Object.keys(environment).flatMap((name) => variableNamed.get(name) ?? []);
  for (const variable of new Set(named)) {
    const { value, faults } = readVariable(variable, environment, readFile);
    problems.push(...faults.map((fault) => `environment ${fault}`));
    if (value === undefined || faults.length > 0) continue;
    if (variable.path === null) own[variable.name] = value;
    else settings.push({ path: variable.path, value });
  }
  return { own: ownChecker.is(own) ? own : {}, settings, problems };
}

function readVariable(
  { name, schema, isFileable }: Variable,
  environment: Environment,
  readFile: (path: string) => string | null,
): { value?: Json; faults: string[] } {
  const path = isFileable ? environment[`${name}_FILE`] : undefined;
  let content = environment[name];
  if (path) {
    if (content) return { faults: [`${name} and ${name}_FILE must not both be set`] };
    // Editors and `echo` end a file with a line break that is no part of the secret.
    content = readFile(path)?.replace(/\r?\n$/, "");
    if (content === undefined) return { faults: [`${name}_FILE names a file that cannot be read`] };
    if (content === "") return { faults: [`${name}_FILE names an empty file`] };
  }
  if (!content) return { faults: [] };
  const value = "type" in schema && schema.type === "integer" ? toNumber(content) : content;
  const faults = toPathFaults(schema, value, compile(schema).faults(value));
  return { value, faults: faults.map(({ message }) => `${name} ${message}`) };
}

function toNumber(value: string): number | string {
  return /^\d{1,9}$/.test(value) ? Number(value) : value;
}

function unknownProblems(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("SLUICE_") && !knownNames.includes(name))
    .filter((name) => name !== "SLUICE_HOME" && !name.startsWith("SLUICE_SANDBOX_"))
    .filter((name) => !isOAuthVariable(name))
    .map((name) => `environment ${name} is not known${suggestVariable(name)}`);
}

/** HOST and PORT bear no prefix, which is easily forgotten. */
function suggestVariable(name: string): string {
  const bare = name.slice("SLUICE_".length);
  return suggest(names.includes(bare) ? bare : name, knownNames);
}

// Each of these makes the runtime send, trust or print what it must not, without a word.
function refusedProblems(environment: Environment): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const reason = value ? refusal(name.toUpperCase(), value) : null;
    return reason === null ? [] : [`environment ${name} must be unset: ${reason}`];
  });
}

function refusal(name: string, value: string): string | null {
  if (name === "ALL_PROXY") {
    return "only HTTP_PROXY and HTTPS_PROXY are heeded for upstreams; files in a bucket heed it";
  }
  if (name === "NODE_TLS_REJECT_UNAUTHORIZED" && value.trim() === "0") {
    return "it switches off the check of upstream certificates";
  }
  if (name === "BUN_CONFIG_VERBOSE_FETCH") return "it prints upstream credentials to the log";
  return null;
}
