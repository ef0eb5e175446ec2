// Every setting with what it is, where that comes from, and what it would be by itself.
import type { Json } from "../../core/json.ts";
import type { TSchema } from "../../core/schema.ts";
import { leaves } from "./leaves.ts";
import { loadConfigFile, type ConfigSource } from "../load.ts";
import { placeholder, redact } from "../redact.ts";
import type { Change } from "../setting.ts";
import { isStated, valueAt } from "../shape.ts";
import { readVariables, variables } from "../variables.ts";
import { readYaml } from "../yaml.ts";

export interface SettingFact {
  /** Key in the file, such as `server.port`, or the variable that nothing in the file can say. */
  name: string;
  /** Without secrets; null where it is not set. */
  value: Json;
  /** Null where it has none. */
  default: Json;
  source: "file" | "environment" | "page" | "default";
  /** Line of the file, or the variable, that states it and is stronger than any page. */
  place: string | null;
  /** The variable that wins over the file. */
  variable: string | null;
  description: string;
  change: Change;
  /** Schema of its value, for those that a page may state. */
  schema: TSchema | null;
}

/** `page` are those that fit. */
export async function listSettings(source: ConfigSource): Promise<SettingFact[]> {
  const { own, settings } = readVariables(source.environment, source.readFile);
  const path = own.SLUICE_CONFIG;
  const text = path === undefined ? null : source.readFile(path);
  const file = text === null ? null : await readYaml(text);
  const bySetting = new Set(settings.map((setting) => setting.path.join(".")));
  const onPage = new Set(source.page?.map(({ name }) => name));
  const inForce = redact(await loadConfigFile(source));
  const placed = leaves.map(({ name, path: at, schema, change }): SettingFact => {
    // An empty file, or one of comments alone, is null and states nothing.
    const isInFile = file !== null && isStated(file.value ?? {}, at);
    const variable = variables.find((one) => one.path?.join(".") === name)?.name ?? null;
    const isByVariable = bySetting.has(name);
    const source = isByVariable
      ? "environment"
      : isInFile
        ? "file"
        : onPage.has(name)
          ? "page"
          : "default";
    const line = isInFile ? file.locate({ path: at, message: "" }).line : 0;
    const place = isByVariable ? variable : isInFile ? `${path}:${line}` : null;
    return {
      name,
      value: valueAt(inForce, at) ?? null,
      default: defaultOf(schema),
      source,
      place,
      variable,
      description: descriptionOf(schema),
      change,
      schema: change === "live" || change === "restart" ? schema : null,
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
      place: own[name] === undefined ? null : name,
      variable: name,
      description: descriptionOf(schema),
      change: "file",
      schema: null,
    }));
}

function defaultOf(schema: TSchema): Json {
  return "default" in schema ? JSON.parse(JSON.stringify(schema.default)) : null;
}

function descriptionOf(schema: TSchema): string {
  return "description" in schema ? String(schema.description) : "";
}
