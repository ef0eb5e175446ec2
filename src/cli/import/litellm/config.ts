// LiteLLM's config.yaml: its deployments, with the variables that it names, and its other names.
import { parse } from "yaml";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Remark } from "../snapshot.ts";
import type { Deployment } from "./deployments.ts";

export interface ProxyConfig {
  deployments: Deployment[];
  /** Other public names, and what they stand for. */
  aliases: Map<string, string>;
  remarks: Remark[];
}

interface Reading {
  environment: Readonly<Record<string, string | undefined>>;
  readFile(path: string): string | null;
}

const variable = /^os\.environ\/(\w+)$/;

export function readProxyConfig(path: string, reading: Reading): ProxyConfig {
  const text = reading.readFile(path);
  if (text === null) throw new Error(`there is no file at ${path}`);
  const document = parsed(text, path);
  const remarks: Remark[] = [];
  const file = isObject(document) ? document : {};
  if (!Array.isArray(file["model_list"])) {
    const why = "is not in the file: neither channels nor prices come from it";
    remarks.push({ about: "model_list", why });
  }
  if (file["include"] !== undefined) {
    remarks.push({ about: "include", why: "other files are not read: name them one by one" });
  }
  const models = Array.isArray(file["model_list"]) ? file["model_list"].filter(isObject) : [];
  const router = isObject(file["router_settings"]) ? file["router_settings"] : {};
  const general = isObject(file["general_settings"]) ? file["general_settings"] : {};
  if (general["master_key"] !== undefined) {
    const why = "may do everything there; its callers need keys of their own";
    remarks.push({ about: "master_key", why });
  }
  for (const name of ["fallbacks", "context_window_fallbacks", "content_policy_fallbacks"]) {
    if (router[name] !== undefined) {
      remarks.push({ about: name, why: "does not come: a virtual model can do the same" });
    }
  }
  return {
    deployments: models.map((entry, at) => ({
      ref: `config-${at + 1}`,
      model: String(entry["model_name"] ?? ""),
      ...resolvedParams(entry["litellm_params"], reading.environment),
      info: isObject(entry["model_info"]) ? entry["model_info"] : {},
    })),
    aliases: aliasesOf(router["model_group_alias"]),
    remarks,
  };
}

/** Without the lines that the parser quotes, also as a cause: there may be keys in them. */
function parsed(text: string, path: string): Json {
  try {
    const document: Json = parse(text);
    return document;
  } catch (error) {
    const [words = ""] = (error instanceof Error ? error.message : String(error)).split(":\n");
    throw new Error(`${path} is no YAML: ${words}`);
  }
}

function aliasesOf(value: Json | undefined): Map<string, string> {
  const pairs = Object.entries(isObject(value) ? value : {}).map(
    ([alias, target]) =>
      [alias, isObject(target) ? String(target["model"] ?? "") : String(target ?? "")] as const,
  );
  return new Map(pairs.filter(([, target]) => target !== ""));
}

/** With variables in place of their names; one that is not there is named, never guessed. */
export function resolvedParams(
  params: Json | undefined,
  environment: Reading["environment"],
): { params: JsonObject; missing: string[] } {
  const missing: string[] = [];
  const resolve = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolve);
    if (isObject(value)) {
      const fields = Object.entries(value).map(([name, field = null]) => [name, resolve(field)]);
      return Object.fromEntries(fields) as JsonObject;
    }
    const name = typeof value === "string" ? variable.exec(value)?.[1] : undefined;
    if (name === undefined) return value;
    const variableText = environment[name];
    if (variableText === undefined) missing.push(name);
    return variableText ?? null;
  };
  const resolved = resolve(params ?? {});
  return { params: isObject(resolved) ? resolved : {}, missing };
}
