// Every setting with what it is, where that comes from, and what it would be by itself.
import { isObject, type Json } from "../core/json.ts";
import { Type, type TSchema } from "../core/schema.ts";
import { loadConfigFile, type ConfigSource } from "./load.ts";
import { placeholder, redact } from "./redact.ts";
import { ConfigFile } from "./schema.ts";
import type { Path } from "./shape.ts";
import { readVariables, variables } from "./variables.ts";
import { readYaml } from "./yaml.ts";

export interface SettingFact {
  /** Key in the file, such as `server.port`, or the variable that nothing in the file can say. */
  name: string;
  /** Without secrets; null where it is not set. */
  value: Json;
  /** Null where it has none. */
  default: Json;
  source: "file" | "environment" | "default";
  /** The variable that wins over the file. */
  variable: string | null;
  description: string;
  /** A reload is enough; all else takes a restart. */
  isLive: boolean;
}

/** Lists that `reloadDeclared` brings up to date. */
const live = new Set(["groups", "channels", "prices", "keys"]);

export async function listSettings(source: ConfigSource): Promise<SettingFact[]> {
  const { own, settings } = readVariables(source.environment, source.readFile);
  const path = own.SLUICE_CONFIG;
  const text = path === undefined ? null : source.readFile(path);
  const inFile = text === null ? {} : (await readYaml(text)).value;
  const bySetting = new Set(settings.map((setting) => setting.path.join(".")));
  const inForce = redact(await loadConfigFile(source));
  const placed = leavesOf(ConfigFile.properties).map(({ path: at, schema }): SettingFact => {
    const name = at.join(".");
    const isInFile = valueAt(inFile, at) !== undefined;
    const variable = variables.find((one) => one.path?.join(".") === name);
    return {
      name,
      value: valueAt(inForce, at) ?? null,
      default: defaultOf(schema),
      source: bySetting.has(name) ? "environment" : isInFile ? "file" : "default",
      variable: variable?.name ?? null,
      description: descriptionOf(schema),
      isLive: live.has(at[0] ?? ""),
    };
  });
  return [...placed, ...ownFacts(own)];
}

/** They say where something is; of all others it is only told whether they are set. */
const shown = new Set(["SLUICE_CONFIG", "SLUICE_URL"]);

function ownFacts(own: Readonly<Record<string, Json | undefined>>): SettingFact[] {
  return variables
    .filter(({ path }) => path === null)
    .map(({ name, schema }) => ({
      name,
      value: own[name] === undefined ? null : shown.has(name) ? own[name] : placeholder,
      default: null,
      source: own[name] === undefined ? "default" : "environment",
      variable: name,
      description: descriptionOf(schema),
      isLive: false,
    }));
}

interface Leaf {
  path: Path;
  schema: TSchema;
}

function leavesOf(properties: Record<string, TSchema>, above: Path = []): Leaf[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = [...above, key];
    return Type.IsObject(schema) ? leavesOf(schema.properties, path) : [{ path, schema }];
  });
}

function valueAt(value: Json | undefined, [name, ...rest]: Path): Json | undefined {
  if (name === undefined) return value;
  return isObject(value) ? valueAt(value[name], rest) : undefined;
}

function defaultOf(schema: TSchema): Json {
  return "default" in schema ? JSON.parse(JSON.stringify(schema.default)) : null;
}

function descriptionOf(schema: TSchema): string {
  return "description" in schema ? String(schema.description) : "";
}
