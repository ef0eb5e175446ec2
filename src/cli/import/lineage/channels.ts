// The channels of a program of this lineage.
import type { ChannelInput } from "../../../config/entities.ts";
import { isObject, type Json } from "../../../core/json.ts";
import { judgeUrl } from "../../../core/url-guard.ts";
import { isSetIn, cellNames, numberIn, objectIn, objectOf, cellText } from "../cells.ts";
import type { SnapshotChannel, Remark } from "../snapshot.ts";
import type { SourceRow, SourceTables } from "../queries.ts";
import type { ChannelKind } from "../vendor-kinds.ts";
import { cloudChannels } from "./cloud-channels.ts";
import type { Lineage } from "./dialect.ts";

const columns = [
  "id type key name status base_url models group priority weight model_mapping param_override",
  "header_override status_code_mapping setting settings open_ai_organization channel_info",
  "system_prompt config other created_time",
].flatMap((line) => line.split(" "));

const keysMax = 1000;
const weightMax = 1000;

interface ChannelsRead {
  channels: SnapshotChannel[];
  remarks: Remark[];
}

export async function readChannelRows(
  tables: SourceTables,
  dialect: Lineage,
  allowPrivate: boolean,
): Promise<ChannelsRead> {
  const remarks: Remark[] = [];
  const rows = await tables.rows("channels", columns);
  const channels = rows.flatMap((row) => {
    const about = `channel ${cellText(row, "name")} (${cellText(row, "id")})`;
    const say = (why: string) => void remarks.push({ about, why });
    const number = numberIn(row, "type");
    const kind = dialect.channels[number];
    if (kind) {
      const channels = toChannel(row, kind, { allowPrivate, say });
      return channels.flatMap((channel) => cloudChannels(channel, row, say));
    }
    const name = dialect.otherChannels[number] ?? `type ${number}`;
    say(`is of ${name}, which has no equal; its models: ${cellNames(row, "models").join(", ")}`);
    return [];
  });
  return { channels, remarks };
}

interface ChannelWays {
  allowPrivate: boolean;
  say(why: string): void;
}

function toChannel(row: SourceRow, kind: ChannelKind, ways: ChannelWays): SnapshotChannel[] {
  const { say } = ways;
  const base = (cellText(row, "base_url") || kind.base).replace(/\/+$/, "");
  const models = cellNames(row, "models");
  if (URL.parse(base) === null) say(`has no address that could be called: ${base || "none"}`);
  if (models.length === 0) say("has no models");
  if (URL.parse(base) === null || models.length === 0) return [];
  if (kind.only !== undefined) say(`comes for ${kind.only} only`);
  const { keys, disabled } = keysOf(row, kind, say);
  const isPrivate = judgeUrl(base) === "private";
  if (isPrivate && !ways.allowPrivate)
    say("is at a private address: it comes where those are allowed (--allow-private)");
  if (numberIn(row, "status") === 3) say("was off by itself and stays off; test its keys");
  tellOfRest(row, say);
  const priority = Math.max(-1_000_000, Math.min(1_000_000, numberIn(row, "priority")));
  return [
    {
      ref: cellText(row, "id"),
      name: cellText(row, "name"),
      groups: cellNames(row, "group"),
      settings: {
        type: kind.type,
        base_url: base + (kind.path ?? ""),
        ...versionOf(row, kind),
        keys,
        models,
        priority,
        weight: Math.max(1, Math.min(weightMax, numberIn(row, "weight"))),
        model_mapping: vendorNames(row, kind, { models, mapping: mappingOf(row, models, say) }),
        parameters: parametersOf(row, say),
        headers: headersOf(row, say),
        drop_store: objectIn(row, "settings")?.["disable_store"] === true,
        allow_private: isPrivate && ways.allowPrivate,
        status: numberIn(row, "status") === 1 ? "enabled" : "disabled",
      },
      disabledKeys: disabled,
    },
  ];
}

function keysOf(row: SourceRow, kind: ChannelKind, say: ChannelWays["say"]) {
  const info = objectIn(row, "channel_info") ?? {};
  const text = cellText(row, "key");
  const lines = info["is_multi_key"] === true ? severalKeys(text) : [text];
  const states = isObject(info["multi_key_status_list"]) ? info["multi_key_status_list"] : {};
  const keys: string[] = [];
  const disabled: number[] = [];
  for (const [at, line] of lines.entries()) {
    const trimmed = line.trim();
    const key = kind.type === "kling" ? trimmed.replace("|", ":") : trimmed;
    if (key === "" || keys.includes(key)) continue;
    const state = Number(states[String(at)] ?? 1);
    if (state === 2 || state === 3) disabled.push(keys.length);
    keys.push(key);
  }
  if (keys.length > keysMax) say(`has ${keys.length} keys, of which the first ${keysMax} come`);
  // A vendor on one's own machine often wants none, but something has to be sent.
  if (keys.length === 0) keys.push("none");
  return { keys: keys.slice(0, keysMax), disabled: disabled.filter((at) => at < keysMax) };
}

/** One a line, or a list of objects. */
function severalKeys(text: string): string[] {
  const list = text.startsWith("[") ? objectOf(`{"keys":${text}}`)?.["keys"] : null;
  return Array.isArray(list) ? list.map((key) => JSON.stringify(key)) : text.split("\n");
}

/** Theirs is followed to its end, ours one step. */
function mappingOf(row: SourceRow, models: readonly string[], say: ChannelWays["say"]) {
  const steps = objectIn(row, "model_mapping") ?? {};
  const mapping: Record<string, string> = {};
  for (const model of models) {
    const seen = new Set([model]);
    let name = model;
    for (let next = steps[name]; typeof next === "string" && next !== ""; next = steps[name]) {
      if (seen.has(next)) {
        if (next !== name) say(`maps ${model} in a circle, which is left out`);
        name = next === name ? name : model;
        break;
      }
      seen.add(next);
      name = next;
    }
    if (name !== model) mapping[model] = name;
  }
  return mapping;
}

interface ModelNames {
  models: readonly string[];
  mapping: Record<string, string>;
}

/** Deployments of Azure could not have dots in their names once. */
function vendorNames(
  row: SourceRow,
  { dotsSince }: ChannelKind,
  { models, mapping }: ModelNames,
): Record<string, string> {
  if (dotsSince === undefined || numberIn(row, "created_time") >= dotsSince) return mapping;
  const names = models.map((model) => [model, (mapping[model] ?? model).replaceAll(".", "")]);
  return Object.fromEntries(names.filter(([model, name]) => model !== name));
}

/** Azure's dated version stands in a column that each kind uses for something else. */
function versionOf(row: SourceRow, { type }: ChannelKind): Pick<ChannelInput, "vendor"> {
  if (type !== "azure") return {};
  const version = cellText(row, "other") || objectIn(row, "config")?.["api_version"];
  return typeof version === "string" && version !== "" ? { vendor: { api_version: version } } : {};
}

function parametersOf(row: SourceRow, say: ChannelWays["say"]): { set?: Record<string, Json> } {
  const override = objectIn(row, "param_override") ?? {};
  const fields = Object.entries(override).map(([name, value = null]) => [name, value] as const);
  if (fields.length === 0) return {};
  if (override["operations"] === undefined) return { set: Object.fromEntries(fields) };
  say("changes bodies by operations, which have no equal");
  return {};
}

function headersOf(row: SourceRow, say: ChannelWays["say"]): Record<string, string> {
  const headerEntries = Object.entries(objectIn(row, "header_override") ?? {});
  const isPlain = (name: string, value: Json | undefined): value is string =>
    typeof value === "string" && !/[{}]/.test(value) && /^[A-Za-z0-9-]+$/.test(name);
  const headers: Record<string, string> = {};
  for (const [name, value] of headerEntries) {
    const lower = name.toLowerCase();
    if (isPlain(name, value) && !/^(?:authorization|host|cookie|content-.*)$/.test(lower)) {
      headers[lower] = value;
    } else say(`its header ${name} cannot be set here`);
  }
  const organization = cellText(row, "open_ai_organization");
  if (organization !== "") headers["openai-organization"] = organization;
  return headers;
}

function tellOfRest(row: SourceRow, say: ChannelWays["say"]): void {
  const setting = objectIn(row, "setting") ?? {};
  if (setting["proxy"]) say("goes through a proxy there, which does not come: set it anew");
  const prompt = setting["system_prompt"] ?? row["system_prompt"];
  if (typeof prompt === "string" && prompt !== "") say("adds a system prompt, which has no equal");
  for (const name of ["force_format", "thinking_to_content", "pass_through_body_enabled"]) {
    if (setting[name] === true) say(`has ${name}, which has no equal`);
  }
  const codes = objectIn(row, "status_code_mapping") ?? {};
  if (Object.keys(codes).length > 0) say("maps status codes, which has no equal");
  if (isSetIn(row, "config")) say("has a configuration of its own, which has no equal");
}
