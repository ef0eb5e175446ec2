// LiteLLM's config.yaml: its deployments, with the variables that it names, and its other names.
import { parse } from "yaml";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Remark } from "../estate.ts";
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
  const document: Json = parse(text);
  const remarks: Remark[] = [];
  const resolved = resolve(isObject(document) ? document : {}, reading, remarks);
  const file = isObject(resolved) ? resolved : {};
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
    if (router[name] !== undefined) remarks.push({ about: name, why: "has no equal" });
  }
  return {
    deployments: models.map((entry, at) => ({
      ref: `config-${at + 1}`,
      model: String(entry["model_name"] ?? ""),
      params: isObject(entry["litellm_params"]) ? entry["litellm_params"] : {},
      info: isObject(entry["model_info"]) ? entry["model_info"] : {},
    })),
    aliases: aliasesOf(router["model_group_alias"]),
    remarks,
  };
}

function aliasesOf(value: Json | undefined): Map<string, string> {
  const pairs = Object.entries(isObject(value) ? value : {}).map(
    ([alias, target]) =>
      [alias, isObject(target) ? String(target["model"] ?? "") : String(target ?? "")] as const,
  );
  return new Map(pairs.filter(([, target]) => target !== ""));
}

/** A variable that is not there is named, never guessed. */
function resolve(value: Json, reading: Reading, remarks: Remark[]): Json {
  if (Array.isArray(value)) return value.map((item) => resolve(item, reading, remarks));
  if (isObject(value)) {
    const fields: JsonObject = {};
    for (const [name, field = null] of Object.entries(value)) {
      fields[name] = resolve(field, reading, remarks);
    }
    return fields;
  }
  const name = typeof value === "string" ? variable.exec(value)?.[1] : undefined;
  if (name === undefined) return value;
  const variableText = reading.environment[name];
  if (variableText === undefined)
    remarks.push({ about: `variable ${name}`, why: "is not set here" });
  return variableText ?? null;
}
