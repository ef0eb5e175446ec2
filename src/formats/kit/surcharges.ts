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

/** Gathers what is found; makes nothing where there is nothing. */
export class SurchargeList {
  #found: Surcharge[] | null = null;

  get all(): readonly Surcharge[] {
    return this.#found ?? noSurcharges;
  }

  add(surcharge: Surcharge): void {
    (this.#found ??= []).push(surcharge);
  }

  /** Let one of two that are the same stand for both. */
  merge(surcharge: Surcharge): void {
    const same = this.#found?.findIndex(({ name }) => name === surcharge.name) ?? -1;
    const before = this.#found?.[same];
    if (!this.#found || !before) return this.add(surcharge);
    const paths = [...before.paths, ...surcharge.paths];
    const calls = addCalls(before.calls, surcharge.calls);
    this.#found[same] = { ...before, paths, ...(calls && { calls }) };
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

/** Each of two tools may be called, unless they share one bound. */
function addCalls(before: ToolCalls | undefined, more: ToolCalls | undefined) {
  if (!before || !more) return before ?? more;
  const max = before.isShared ? before.max : before.max + more.max;
  return { ...before, max, bounds: [...(before.bounds ?? []), ...(more.bounds ?? [])] };
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
