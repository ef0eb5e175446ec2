// A body with single fields set or left out: a copy along their paths, and the rest as it was.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { FieldPath } from "../surcharge.ts";

/** Take out the paths, and what is left empty by that. */
export function withoutPaths(body: JsonObject, paths: readonly FieldPath[]): JsonObject {
  if (paths.length === 0) return body;
  const left = without(body, paths, 0);
  return isObject(left) ? left : {};
}

/** `paths` lead here with their first `depth` steps. */
function without(
  value: Json | undefined,
  paths: readonly FieldPath[],
  depth: number,
): Json | undefined {
  if (paths.some((path) => path.length === depth)) return undefined;
  const pathsByStep = Map.groupBy(paths, (path) => path[depth]);
  if (Array.isArray(value)) {
    const left = value.flatMap((item, at) => {
      const within = pathsByStep.get(at);
      const kept = within ? without(item, within, depth + 1) : item;
      return kept === undefined ? [] : [kept];
    });
    return left.length === 0 ? undefined : left;
  }
  if (!isObject(value)) return value;
  const left: JsonObject = { ...value };
  for (const [step, within] of pathsByStep) {
    if (typeof step !== "string" || left[step] === undefined) continue;
    const kept = without(left[step], within, depth + 1);
    if (kept === undefined) delete left[step];
    else left[step] = kept;
  }
  return Object.keys(left).length === 0 ? undefined : left;
}

/** Fields are made where there are none; what is no object or list on the way stays as it is. */
export function withFields(body: JsonObject, paths: readonly FieldPath[], value: Json): JsonObject {
  if (paths.length === 0) return body;
  const set = setWithin(body, paths, 0, value);
  return isObject(set) ? set : body;
}

function setWithin(
  holder: Json | undefined,
  paths: readonly FieldPath[],
  depth: number,
  value: Json,
): Json {
  if (paths.some((path) => path.length === depth)) return value;
  const pathsByStep = Map.groupBy(paths, (path) => path[depth]);
  if (Array.isArray(holder)) {
    return holder.map((item, at) => {
      const within = pathsByStep.get(at);
      return within ? setWithin(item, within, depth + 1, value) : item;
    });
  }
  if (!isObject(holder)) return holder ?? null;
  const set: JsonObject = { ...holder };
  for (const [step, within] of pathsByStep) {
    if (typeof step === "string") set[step] = setWithin(set[step], within, depth + 1, value);
  }
  return set;
}
