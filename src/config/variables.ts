// The environment variables of the gateway: which there are, which may come from a file, and which
// settings of the runtime must not be there at all.
import { Type, compile, type Static } from "../core/schema.ts";
import type { Environment } from "./environment.ts";
import { keyText } from "./fields.ts";
import { isOAuthVariable } from "./oauth.ts";
import { suggest } from "./problems.ts";
import * as schema from "./schema.ts";
import { toPathFaults } from "./shape.ts";

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

export const Variables = Type.Object(
  {
    HOST: Type.Optional(schema.Host),
    PORT: Type.Optional(schema.Port),
    SLUICE_CONFIG: text("Path of the configuration file."),
    SLUICE_DATA: Type.Optional(schema.DataFolder),
    SLUICE_DATABASE_URL: Type.Optional(schema.DatabaseUrl),
    SLUICE_REDIS_URL: Type.Optional(schema.RedisUrl),
    SLUICE_SECRET: text("Encrypts upstream keys. Default: made and kept in the data folder."),
    SLUICE_ROOT_PASSWORD: text("Password of the root account. Default: made and printed once."),
    SLUICE_ROOT_KEY: Type.Optional(
      keyText("Full text of the root account's API key. Default: made and printed once."),
    ),
    SLUICE_ROOT_TOKEN: Type.Optional(
      keyText("Access token of the root account for /api. Default: none."),
    ),
    SLUICE_SANDBOX: Type.Optional(schema.Sandbox),
    SLUICE_PUBLIC_URL: Type.Optional(schema.PublicUrl),
    SLUICE_LOG_LEVEL: Type.Optional(schema.LogLevel),
  },
  { additionalProperties: false },
);
export type Variables = Static<typeof Variables>;

/** These may also be given as NAME_FILE, the path of a file that holds the value. */
export const fileVariables: readonly string[] = [
  "SLUICE_SECRET",
  "SLUICE_ROOT_PASSWORD",
  "SLUICE_ROOT_KEY",
  "SLUICE_ROOT_TOKEN",
  "SLUICE_DATABASE_URL",
  "SLUICE_REDIS_URL",
];

const variablesChecker = compile(Variables);
const names = Object.keys(Variables.properties);
const knownNames = [...names, ...fileVariables.map((name) => `${name}_FILE`)];

export interface ReadVariables {
  variables: Variables;
  problems: string[];
}

/** An empty variable counts as one that is not set. */
export function readVariables(
  environment: Environment,
  readFile: (path: string) => string | null,
): ReadVariables {
  const problems = [...refusedProblems(environment), ...unknownProblems(environment)];
  const values: Record<string, string | number> = {};
  for (const name of names) {
    const read = readVariable(name, environment, readFile);
    if (read.problem !== undefined) problems.push(`environment ${read.problem}`);
    if (read.value) values[name] = name === "PORT" ? toNumber(read.value) : read.value;
  }
  for (const { path, message } of toPathFaults(
    Variables,
    values,
    variablesChecker.faults(values),
  )) {
    const [name = ""] = path;
    problems.push(`environment ${name} ${message}`);
    delete values[name];
  }
  return { variables: variablesChecker.is(values) ? values : {}, problems };
}

function readVariable(
  name: string,
  environment: Environment,
  readFile: (path: string) => string | null,
): { value?: string | undefined; problem?: string } {
  const value = environment[name];
  const path = fileVariables.includes(name) ? environment[`${name}_FILE`] : undefined;
  if (!path) return { value };
  if (value) return { problem: `${name} and ${name}_FILE must not both be set` };
  // Editors and `echo` end a file with a line break that is no part of the secret.
  const content = readFile(path)?.replace(/\r?\n$/, "");
  if (content === undefined) return { problem: `${name}_FILE names a file that cannot be read` };
  return content === "" ? { problem: `${name}_FILE names an empty file` } : { value: content };
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
