// Anthropic's body as InvokeModel takes it: without model and stream, which the address says, with
// version and betas, which are headers elsewhere, and with no field that its closed schema lacks.
import { GatewayError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { LeftOut } from "../../formats/format.ts";
import { splitBetas } from "../kit/claude-betas.ts";
import { lowered } from "../kit/headers.ts";
import { listIn } from "../kit/vendor-reply.ts";
import type { TextAsk } from "../upstream.ts";
import { fineGrainedBeta, invokeBetas } from "./betas.ts";

const newestVersion = "2026-10-21";
const oldVersion = "bedrock-2023-05-31";

const knownFields = new Set([
  "anthropic_version",
  "anthropic_beta",
  "max_tokens",
  "messages",
  "system",
  "stop_sequences",
  "temperature",
  "top_p",
  "top_k",
  "tools",
  "tool_choice",
  "thinking",
  "metadata",
  "output_config",
  "safeguards",
  "context_management",
]);
/** Said by the address. */
const placed = new Set(["model", "stream"]);
/** Fields without which an answer is not what was asked for. */
const needed = new Set(["mcp_servers", "container", "speed", "inference_geo"]);
/** Tools that only Anthropic's own service runs. */
const hostedTool = /^(?:web_search|web_fetch|code_execution|advisor|mcp_toolset)/;
const keptEdits = new Set<Json | undefined>(["compact_20260112", "clear_tool_uses_20250919"]);

/** Throws the 400 that names what cannot be left out. */
export function fitInvoke(body: JsonObject, { wireHeaders }: TextAsk): LeftOut[] {
  const left: LeftOut[] = [];
  for (const name of Object.keys(body)) {
    if (knownFields.has(name) || placed.has(name)) continue;
    if (needed.has(name) && body[name] !== null) throw unsupported(name);
    delete body[name];
    left.push({ field: fields.get(name) ?? null, name });
  }
  refuseHosted(body);
  refuseSources(body["messages"], "messages");
  fitTools(body);
  left.push(...fitMarks(body), ...fitChoice(body), ...fitEdits(body));
  const betas = lowered(wireHeaders)["anthropic-beta"] ?? "";
  if (splitBetas(betas, invokeBetas).others.length > 0) left.push(betaField);
  return left;
}

const fields: ReadonlyMap<string, LeftOut["field"]> = new Map([
  ["service_tier", "serviceTier"],
  ["cache_control", "cache"],
]);
const betaField: LeftOut = { field: null, name: "anthropic-beta" };

function refuseHosted(body: JsonObject): void {
  for (const [at, tool] of listIn(body, "tools").entries()) {
    if (isObject(tool) && hostedTool.test(String(tool["type"]))) throw unsupported(`tools.${at}`);
  }
}

/** The runtime fetches nothing and keeps no files. */
function refuseSources(value: Json | undefined, path: string): void {
  if (typeof value !== "object" || value === null) return;
  const source = isObject(value) ? value["source"] : null;
  if (isObject(source) && (source["type"] === "url" || source["type"] === "file")) {
    throw unsupported(`${path}.source`);
  }
  for (const [name, inner] of Object.entries(value)) {
    if (name !== "input") refuseSources(inner, `${path}.${name}`);
  }
}

/** Newer names of the same tools: the schema here has lost the older ones. */
const newerTypes: ReadonlyMap<Json | undefined, string> = new Map([
  ["bash_20241022", "bash_20250124"],
  ["text_editor_20241022", "text_editor_20250124"],
]);

function withNewerType(tool: Json): Json {
  const newer = isObject(tool) ? newerTypes.get(tool["type"]) : undefined;
  return newer === undefined || !isObject(tool) ? tool : { ...tool, type: newer };
}

/** Takes out the scope of cache marks: its beta does not exist here. */
function fitMarks(body: JsonObject): LeftOut[] {
  let isChanged = false;
  const unscoped = (value: Json): Json => {
    if (Array.isArray(value)) return mapped(value, unscoped);
    if (!isObject(value)) return value;
    const { cache_control: mark } = value;
    let changed = value;
    if (isObject(mark) && "scope" in mark) {
      const { scope: _scope, ...rest } = mark;
      changed = { ...value, cache_control: rest };
      isChanged = true;
    }
    for (const name of ["content", "source"]) {
      const inner = changed[name];
      const fitting = inner === undefined ? inner : unscoped(inner);
      if (fitting !== undefined && fitting !== inner) changed = { ...changed, [name]: fitting };
    }
    return changed;
  };
  for (const name of ["system", "tools", "messages"]) {
    const list = body[name];
    if (Array.isArray(list)) body[name] = mapped(list, unscoped);
  }
  return isChanged ? [{ field: "cache", name: "cache_control.scope" }] : [];
}

/** The list itself where nothing of it changes. */
function mapped(list: Json[], change: (value: Json) => Json): Json[] {
  const changed = list.map(change);
  return changed.every((value, at) => value === list[at]) ? list : changed;
}

/** A tool's wish to stream its input unread is a beta here. */
function fitTools(body: JsonObject): void {
  if (Array.isArray(body["tools"])) body["tools"] = mapped(body["tools"], withNewerType);
  const tools = listIn(body, "tools");
  if (!tools.some((tool) => isObject(tool) && "eager_input_streaming" in tool)) return;
  body["tools"] = tools.map((tool) => {
    if (!isObject(tool)) return tool;
    const { eager_input_streaming: _eager, ...rest } = tool;
    return rest;
  });
  body["anthropic_beta"] = [...new Set([...listIn(body, "anthropic_beta"), fineGrainedBeta])];
}

function fitChoice(body: JsonObject): LeftOut[] {
  const { tool_choice: choice } = body;
  if (!isObject(choice) || choice["disable_parallel_tool_use"] === undefined) return [];
  const { disable_parallel_tool_use: isSerial, ...rest } = choice;
  body["tool_choice"] = rest;
  if (isSerial !== true) return [];
  return [{ field: "parallelCalls", name: "tool_choice.disable_parallel_tool_use" }];
}

function fitEdits(body: JsonObject): LeftOut[] {
  const { context_management: management } = body;
  if (!isObject(management)) return [];
  const edits = listIn(management, "edits");
  const kept = edits.filter((edit) => isObject(edit) && keptEdits.has(edit["type"]));
  if (kept.length === edits.length) return [];
  if (kept.length > 0) body["context_management"] = { ...management, edits: kept };
  else delete body["context_management"];
  return [{ field: null, name: "context_management.edits" }];
}

function unsupported(param: string): GatewayError {
  const message = `${param} does not exist on Amazon Bedrock, which serves this model.`;
  return new GatewayError("invalid_request", { param, message });
}

export function toInvoke(body: JsonObject, { wireHeaders }: TextAsk): JsonObject {
  const { model: _model, stream: _stream, anthropic_beta: own, ...rest } = body;
  const headers = lowered(wireHeaders);
  const { sent } = splitBetas(headers["anthropic-beta"] ?? "", invokeBetas);
  const betas = [...new Set([...(Array.isArray(own) ? own : []), ...sent])];
  const isNewest = headers["anthropic-version"] === newestVersion;
  return {
    anthropic_version: isNewest ? newestVersion : oldVersion,
    ...rest,
    ...(betas.length > 0 && { anthropic_beta: betas }),
  };
}
