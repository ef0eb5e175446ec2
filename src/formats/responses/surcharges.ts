// Things a responses request may ask for that cost more than its tokens: the tools that the vendor
// runs are told apart from the client's by their type.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { findVendorToolFields } from "../kit/resellers/vendor-tool-fields.ts";
import { findHourMarks, readCallsMax, readOnce, SurchargeList } from "../kit/surcharges.ts";
import {
  callsMaxDefault,
  type AskedSearch,
  type FieldPath,
  type Surcharge,
  type SurchargeSide,
  type SurchargeUse,
} from "../surcharge.ts";
import { listOf } from "./read.ts";
import { isWebSearch } from "./web-search.ts";

/** Tools that the client runs, and those that only help the model to find them. */
const ownTools = new Set([
  "function",
  "custom",
  "tool_search",
  "local_shell",
  "apply_patch",
  "computer",
  "computer_use",
  "computer_use_preview",
]);

/** Grades a picture is made with, the dearest first; where the vendor decides, that. */
const grades = ["high", "medium", "low"];
const picture = "image_generation";

function find(body: JsonObject): readonly Surcharge[] {
  const list = new SurchargeList();
  const finding: Finding = {
    list,
    callsMax: body["max_tool_calls"],
    search: readOnce(() => askedSearch(body)),
  };
  list.value("service_tier", body["service_tier"], ["service_tier"]);
  findVendorToolFields(body, list);
  addTools(body["tools"], ["tools"], finding);
  const { input } = body;
  if (!Array.isArray(input)) return list.all;
  const marks: FieldPath[] = [];
  for (let at = 0; at < input.length; at++) {
    const item = input[at];
    if (!isObject(item)) continue;
    if (item["tools"] !== undefined) addTools(item["tools"], ["input", at, "tools"], finding);
    if (Array.isArray(item["content"])) {
      findHourMarks(item["content"], ["input", at, "content"], marks);
    }
  }
  list.hourMarks(marks);
  return list.all;
}

interface Finding {
  list: SurchargeList;
  /** The client's bound on the calls of all tools. */
  callsMax: Json | undefined;
  search(): AskedSearch;
}

function addTools(tools: Json | undefined, path: FieldPath, finding: Finding): void {
  if (isObject(tools)) addTool(tools, path, finding);
  if (!Array.isArray(tools)) return;
  for (let at = 0; at < tools.length; at++) {
    addTools(tools[at], [...path, at], finding);
  }
}

function addTool(tool: JsonObject, path: FieldPath, finding: Finding): void {
  // A name around other tools, each of which counts.
  if (tool["tools"] !== undefined) addTools(tool["tools"], [...path, "tools"], finding);
  if (isOwn(tool)) return;
  const search = isWebSearch(tool) ? { search: finding.search() } : {};
  for (const named of namesOf(tool)) {
    finding.list.merge({ ...toSurcharge(named, path, finding.callsMax), ...search });
  }
}

function askedSearch({ tools, input, max_tool_calls: named }: JsonObject): AskedSearch {
  const offered = listOf(input).flatMap((item) => (isObject(item) ? listOf(item["tools"]) : []));
  const isAlone = ![...listOf(tools), ...offered].some(hasOwn);
  return { usesMax: readCallsMax(named), isAlone };
}

function hasOwn(tool: Json): boolean {
  if (!isObject(tool)) return false;
  return tool["type"] === "namespace" ? listOf(tool["tools"]).some(hasOwn) : isOwn(tool);
}

/** A shell is the client's own, unless it is one in a container of the vendor. */
function isOwn({ type, environment }: JsonObject): boolean {
  if (type === "namespace") return true;
  if (type === "shell") return !isObject(environment) || environment["type"] === "local";
  return typeof type !== "string" || ownTools.has(type);
}

interface HostedTool {
  name: string;
  counted: readonly string[];
  /** Paid by the container, of which a tool has one. */
  isOnce?: true;
}

function namesOf(tool: JsonObject): HostedTool[] {
  const type = String(tool["type"]).replace(/(?:_\d+)+$/, "");
  if (type.startsWith("web_search")) return [{ name: type, counted: ["web_search"] }];
  if (type === "code_interpreter" || type === "shell") {
    return [{ name: containerName(tool), counted: ["container"], isOnce: true }];
  }
  if (type !== picture) return [{ name: type, counted: [type] }];
  // One of a lower grade than was asked for is paid as what it is.
  const wantedGrade = Math.max(0, grades.indexOf(String(tool["quality"])));
  return grades.slice(wantedGrade).map((grade, below) => {
    const better = grades.slice(0, wantedGrade + 1).map((one) => `${picture}.${one}`);
    const counted = below === 0 ? [picture, ...better] : [`${picture}.${grade}`];
    return { name: `${picture}.${grade}`, counted };
  });
}

function containerName({ container, environment }: JsonObject): string {
  const place = isObject(container) ? container : environment;
  const memory = isObject(place) ? place["memory_limit"] : null;
  return typeof memory === "string" && memory !== "1g" ? `container.${memory}` : "container";
}

function toSurcharge(
  { name, counted, isOnce }: HostedTool,
  path: FieldPath,
  named: Json | undefined,
): Surcharge {
  const max = readCallsMax(named);
  const bounds: FieldPath[] = max === null ? [["max_tool_calls"]] : [];
  const shared = { max: max ?? callsMaxDefault, isShared: true, bounds };
  const calls = { ...(isOnce ? { max: 1 } : shared), counted, readsMore: true };
  return { kind: "hosted_tools", name, param: path.join("."), paths: [path], calls };
}

function note(use: SurchargeUse, body: JsonObject): void {
  const response = isObject(body["response"]) ? body["response"] : body;
  use.give("service_tier", response["service_tier"]);
  const items = listOf(response["output"]).filter(isObject);
  if (items.length === 0) {
    const { type, item } = body;
    if (type === "response.output_item.done" && isObject(item)) {
      for (const name of callsIn(item)) use.see(name);
    }
    return;
  }
  const counts = new Map<string, number>();
  for (const name of items.flatMap(callsIn)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const containers = new Set(items.map(({ container_id: id }) => id).filter(Boolean));
  if (containers.size > 0) counts.set("container", containers.size);
  for (const [name, calls] of counts) use.tell(name, calls);
}

/** Only a search is paid for, and not what is opened of what it found. */
function callsIn({ type, action, quality }: JsonObject): string[] {
  if (typeof type !== "string" || !type.endsWith("_call")) return [];
  const name = type.slice(0, -"_call".length);
  if (name === "web_search") {
    const done = isObject(action) ? action["type"] : "search";
    return done === "open_page" || done === "find_in_page" ? [] : [name];
  }
  if (name === "code_interpreter" || name === "shell") return ["container"];
  if (name === picture && grades.includes(String(quality)))
    return [`${picture}.${String(quality)}`];
  return [name];
}

function search({ usesMax }: AskedSearch): readonly Surcharge[] {
  const bound = usesMax === null ? {} : { max_tool_calls: usesMax };
  return find({ tools: [{ type: "web_search" }], ...bound });
}

export const responsesSurcharges: SurchargeSide = { find, note, search };
