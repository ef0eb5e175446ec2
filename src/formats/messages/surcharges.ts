// Things a messages request may ask for that cost more than its tokens.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import {
  findHourMarks,
  isHourMark,
  readCallsMax,
  readOnce,
  SurchargeList,
} from "../kit/surcharges.ts";
import {
  callsMaxDefault,
  type AskedSearch,
  type FieldPath,
  type Surcharge,
  type SurchargeSide,
  type SurchargeUse,
} from "../surcharge.ts";
import { readCount } from "../usage.ts";
import { isSet, readObject, readObjects, readText } from "../kit/fields.ts";
import { findVendorToolFields } from "../kit/resellers/vendor-tool-fields.ts";
import { isWebSearch } from "./wire/web-search.ts";

/** Tools that the client runs, and those that only help the model to find them. */
const ownTools = new Set([
  "custom",
  "function",
  "bash",
  "text_editor",
  "computer",
  "memory",
  "tool_search_tool_regex",
  "tool_search_tool_bm25",
]);
/** Those of which the vendor takes a bound. */
const boundedTools = new Set(["web_search", "web_fetch", "advisor"]);
/** After so many turns of its own the vendor pauses, and the client has to ask again. */
const readingsMax = 10;
const longContextBeta = /^context-1m/;
const betaHeader = "anthropic-beta";
/** Names of the tools that code is run with. */
const codeNames = /^(?:bash_|text_editor_)?code_execution$/;

function find(body: JsonObject, headers: Readonly<Record<string, string>>): readonly Surcharge[] {
  const list = new SurchargeList();
  for (const kind of ["service_tier", "speed", "inference_geo"] as const) {
    list.value(kind, body[kind], [kind]);
  }
  const marks: FieldPath[] = [];
  addTools(body["tools"], list, marks);
  addLateTools(body["messages"], list);
  findVendorToolFields(body, list);
  const { mcp_servers: servers } = body;
  if (Array.isArray(servers) && servers.length > 0) list.merge(hosted("mcp", ["mcp_servers"]));
  if (isSet(body["container"])) list.merge(hosted("code_execution", ["container"]));
  addMarks(body, marks);
  list.hourMarks(marks);
  addBetas(headers[betaHeader], list);
  if (body["anthropic_beta"] !== undefined) addBodyBetas(body["anthropic_beta"], list);
  return list.all;
}

function addTools(tools: Json | undefined, list: SurchargeList, marks: FieldPath[]): void {
  if (!Array.isArray(tools)) return;
  const isAlone = readOnce(() => !tools.some(isOwn));
  for (let at = 0; at < tools.length; at++) {
    const tool = tools[at];
    if (!isObject(tool)) continue;
    if (isHourMark(tool["cache_control"])) marks.push(["tools", at, "cache_control", "ttl"]);
    const name = typeName(tool);
    if (!ownTools.has(name)) addTool(tool, name, { path: ["tools", at], found: list, isAlone });
  }
}

interface ToolPlace {
  path: FieldPath;
  found: SurchargeList;
  /** No tools of the client's own stand beside it. */
  isAlone: () => boolean;
}

function addTool(tool: JsonObject, name: string, { path, found: list, isAlone }: ToolPlace): void {
  if (name === "mcp_toolset") return list.merge(hosted("mcp", path));
  if (!boundedTools.has(name)) return list.merge(hosted(name, path));
  const named = readCallsMax(tool["max_uses"]);
  const calls = {
    max: named ?? callsMaxDefault,
    ...(named === null && { bounds: [[...path, "max_uses"]] }),
    counted: [name],
    readsMore: true,
    readingsMax,
  };
  const search = isWebSearch(tool) && { search: { usesMax: named, isAlone: isAlone() } };
  list.merge({ ...hosted(name, path), calls, ...search });
}

function isOwn(tool: Json): boolean {
  return isObject(tool) && ownTools.has(typeName(tool));
}

function typeName(tool: JsonObject): string {
  return readText(tool["type"])?.replace(/_\d{8}$/, "") ?? "custom";
}

function hosted(name: string, path: FieldPath): Surcharge {
  const calls = { max: callsMaxDefault, counted: [name], readsMore: true, readingsMax };
  return { kind: "hosted_tools", name, param: path.join("."), paths: [path], calls };
}

function addMarks(body: JsonObject, marks: FieldPath[]): void {
  if (isHourMark(body["cache_control"])) marks.push(["cache_control", "ttl"]);
  findHourMarks(body["system"], ["system"], marks);
  const { messages } = body;
  if (!Array.isArray(messages)) return;
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (isObject(message)) findHourMarks(message["content"], ["messages", at, "content"], marks);
  }
}

/** Tools that come up in the middle of the conversation. */
function addLateTools(messages: Json | undefined, list: SurchargeList): void {
  if (!Array.isArray(messages)) return;
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    const content = isObject(message) ? message["content"] : null;
    if (Array.isArray(content)) addLateIn(content, ["messages", at, "content"], list);
  }
}

/** Blocks that bring a tool, those inside others too, such as what a summary has kept of them. */
function addLateIn(content: Json | undefined, path: FieldPath, list: SurchargeList): void {
  if (isObject(content)) addLateOf(content, path, list);
  if (!Array.isArray(content)) return;
  for (let at = 0; at < content.length; at++) {
    const block = content[at];
    if (isObject(block)) addLateOf(block, [...path, at], list);
  }
}

function addLateOf(block: JsonObject, path: FieldPath, list: SurchargeList): void {
  const { type, tool, content, tool_changes: changes } = block;
  if (isObject(tool) && type !== "tool_removal") addLateTool(tool, path, list);
  if (typeof changes === "object") addLateIn(changes, [...path, "tool_changes"], list);
  if (typeof content === "object") addLateIn(content, [...path, "content"], list);
}

/** One that is left out goes with the block that brings it. */
function addLateTool(changed: JsonObject, path: FieldPath, list: SurchargeList): void {
  const { definition, server_name: server } = changed;
  const inner = new SurchargeList();
  if (isObject(definition)) {
    const place = { path: [...path, "tool", "definition"], found: inner, isAlone: () => true };
    if (!isOwn(definition)) addTool(definition, typeName(definition), place);
  } else if (isSet(server)) inner.merge(hosted("mcp", path));
  for (const surcharge of inner.all) list.merge({ ...surcharge, paths: [path] });
}

function addBetas(header: string | undefined, list: SurchargeList): void {
  if (header === undefined) return;
  for (const value of header.split(",").map((beta) => beta.trim())) {
    if (!longContextBeta.test(value)) continue;
    const named = { name: betaHeader, value };
    list.add({
      kind: "long_context",
      name: "long_context",
      param: betaHeader,
      paths: [],
      header: named,
    });
  }
}

/** Some vendors of this wire take them in the body. */
function addBodyBetas(betas: Json, list: SurchargeList): void {
  if (!Array.isArray(betas)) return;
  const paths = betas.flatMap((beta, at) =>
    longContextBeta.test(String(beta)) ? [["anthropic_beta", at]] : [],
  );
  if (paths.length === 0) return;
  list.add({ kind: "long_context", name: "long_context", param: "anthropic_beta", paths });
}

function note(use: SurchargeUse, body: JsonObject): void {
  const message = readObject(body["message"] ?? body);
  for (const block of [...readObjects(message["content"]), readObject(body["content_block"])]) {
    const name = block["type"] === "server_tool_use" ? readText(block["name"]) : null;
    if (name !== null) use.see(codeNames.test(name) ? "code_execution" : name);
  }
  noteUsage(use, readObject(message["usage"]));
}

function noteUsage(use: SurchargeUse, usage: JsonObject): void {
  for (const kind of ["service_tier", "speed", "inference_geo"] as const) {
    use.give(kind, usage[kind]);
  }
  for (const [name, value] of Object.entries(readObject(usage["server_tool_use"]))) {
    const calls = readCount(value);
    if (calls !== null) use.tell(name.replace(/_requests$/, ""), calls);
  }
}

/** A search that is carried to this wire is put as its own clients put it. */
function search({ usesMax }: AskedSearch): readonly Surcharge[] {
  const bound = usesMax === null ? {} : { max_uses: usesMax };
  return find({ tools: [{ type: "web_search_20250305", ...bound }] }, {});
}

export const messagesSurcharges: SurchargeSide = { find, note, search };
