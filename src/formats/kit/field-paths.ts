// A body with single fields set or left out: a copy along their paths, and the rest as it was.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { FieldPath } from "../surcharge.ts";

/** Take out the paths, and what is left empty by that. */
export function withoutPaths(body: JsonObject, paths: readonly FieldPath[]): JsonObject {
  if (paths.length === 0) return body;
  const left = without(body, paths);
  return isObject(left) ? left : {};
}

function without(value: Json | undefined, paths: readonly FieldPath[]): Json | undefined {
  if (paths.some((path) => path.length === 0)) return undefined;
  const tails = (key: string | number) =>
    paths.filter(([head]) => head === key).map((path) => path.slice(1));
  if (Array.isArray(value)) {
    const left = value.flatMap((item, at) => {
      const within = tails(at);
      const kept = within.length === 0 ? item : without(item, within);
      return kept === undefined ? [] : [kept];
    });
    return left.length === 0 ? undefined : left;
  }
  if (!isObject(value)) return value;
  const left: JsonObject = { ...value };
  for (const head of new Set(paths.map(([first]) => first))) {
    if (typeof head !== "string" || left[head] === undefined) continue;
    const kept = without(left[head], tails(head));
    if (kept === undefined) delete left[head];
    else left[head] = kept;
  }
  return Object.keys(left).length === 0 ? undefined : left;
}

/** The field is made where there is none; what is no object or list on the way stays as it is. */
export function withField(body: JsonObject, path: FieldPath, value: Json): JsonObject {
  const set = within(body, path, value);
  return isObject(set) ? set : body;
}

function within(holder: Json | undefined, [head, ...rest]: FieldPath, value: Json): Json {
  if (head === undefined) return value;
  if (Array.isArray(holder)) {
    return holder.map((item, at) => (at === head ? within(item, rest, value) : item));
  }
  if (!isObject(holder) || typeof head !== "string") return holder ?? null;
  return { ...holder, [head]: within(holder[head], rest, value) };
}
