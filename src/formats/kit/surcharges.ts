// Steps that the formats share in finding surcharges.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { withoutPaths } from "./field-paths.ts";
import {
  isLower,
  isPlain,
  noSurcharges,
  valueName,
  type FieldPath,
  type Surcharge,
  type SurchargeKind,
  type ToolCalls,
} from "../surcharge.ts";

/** The choice among tools, which goes with the last of them. */
const choiceNames = ["tool_choice", "parallel_tool_calls", "toolConfig", "tool_config"];
const freeChoices: readonly unknown[] = [undefined, null, "auto", "none"];

/** A body without them; throws the 400 of one that must call what is left out. */
export function leaveOut(body: JsonObject, surcharges: readonly Surcharge[]): JsonObject {
  const left = withoutPaths(
    body,
    surcharges.flatMap(({ paths }) => paths),
  );
  if (body["tools"] === undefined || left["tools"] !== undefined) return left;
  const { tool_choice: choice } = body;
  if (!freeChoices.includes(isObject(choice) ? choice["type"] : choice)) {
    throw invalid("tool_choice", "cannot be used: what it demands is left out");
  }
  for (const name of choiceNames) delete left[name];
  return left;
}

/** A surcharge with lists of its own, to which more can be added. */
interface GatheredSurcharge extends Surcharge {
  paths: FieldPath[];
  calls?: GatheredCalls;
}

interface GatheredCalls extends ToolCalls {
  bounds?: FieldPath[];
}

/** Gathers what is found; makes nothing where there is nothing. */
export class SurchargeList {
  #found: GatheredSurcharge[] | null = null;
  /** The first one of each name. */
  #firstByName: Map<string, GatheredSurcharge> | null = null;

  get all(): readonly Surcharge[] {
    return this.#found ?? noSurcharges;
  }

  add(surcharge: Surcharge): void {
    const gathered = gatheredOf(surcharge);
    (this.#found ??= []).push(gathered);
    const firstByName = (this.#firstByName ??= new Map());
    if (!firstByName.has(gathered.name)) firstByName.set(gathered.name, gathered);
  }

  /** Let one of two that are the same stand for both. */
  merge(surcharge: Surcharge): void {
    const before = this.#firstByName?.get(surcharge.name);
    if (!before) return this.add(surcharge);
    for (const path of surcharge.paths) before.paths.push(path);
    addCalls(before, surcharge.calls);
  }

  /** A field with a value that may cost more, or less. */
  value(kind: SurchargeKind, value: Json | undefined, path: FieldPath): void {
    if (typeof value !== "string") return;
    const name = valueName(kind, value);
    if (isPlain(kind, value) && !isLower({ name })) return;
    this.add({ kind, name, param: path.join("."), paths: [path] });
  }

  /** Marks for an hour, wherever they stand. */
  hourMarks(paths: readonly FieldPath[]): void {
    const [first] = paths;
    if (first) this.add({ kind: "cache_1h", name: "cache_1h", param: first.join("."), paths });
  }
}

function gatheredOf({ calls, ...surcharge }: Surcharge): GatheredSurcharge {
  const gathered: GatheredSurcharge = { ...surcharge, paths: [...surcharge.paths] };
  if (calls) gathered.calls = gatheredCalls(calls);
  return gathered;
}

function gatheredCalls({ bounds, ...calls }: ToolCalls): GatheredCalls {
  return bounds ? { ...calls, bounds: [...bounds] } : calls;
}

/** Each of two tools may be called, unless they share one bound. */
function addCalls(gathered: GatheredSurcharge, more: ToolCalls | undefined): void {
  const { calls } = gathered;
  if (!more) return;
  if (!calls) {
    gathered.calls = gatheredCalls(more);
    return;
  }
  if (!calls.isShared) calls.max += more.max;
  calls.bounds ??= [];
  for (const bound of more.bounds ?? []) calls.bounds.push(bound);
}

/** A fact of the whole body, worked out at most once however many of its tools ask for it. */
export function readOnce<Value>(read: () => Value): () => Value {
  let known: { value: Value } | null = null;
  return () => (known ??= { value: read() }).value;
}

/** A bound that a client named; what is none is as if it were not there. */
export function readCallsMax(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : null;
}

/** Whether what stands before this mark is kept for longer than the usual minutes. */
export function isHourMark(cache: Json | undefined): boolean {
  return isObject(cache) && (cache["ttl"] ?? "5m") !== "5m";
}

/** The marks in content, and in content inside it. */
export function findHourMarks(
  content: Json | undefined,
  path: FieldPath,
  hourPaths: FieldPath[],
): void {
  if (!Array.isArray(content)) return;
  for (let at = 0; at < content.length; at++) {
    const part = content[at];
    if (!isObject(part)) continue;
    if (isHourMark(part["cache_control"])) hourPaths.push([...path, at, "cache_control", "ttl"]);
    if (part["content"] !== undefined) {
      findHourMarks(part["content"], [...path, at, "content"], hourPaths);
    }
  }
}
