// Puts stored secrets back where a changed value shows them hidden. A secret is kept only where all
// that decides where it is sent stays as it was: whoever changes that may never have seen it.
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { placeholder, secretNames } from "./redact.ts";
import type { PathFault } from "./shape.ts";

/** Every other field beside a secret may decide where it is sent; these and most secrets do not. */
const fieldsWithoutPlace: ReadonlySet<string> = new Set([
  ...[...secretNames].filter((name) => name !== "hook_url"),
  "from",
  "groups_claim",
  "keys_need_sign_in_days",
  "kinds",
  "memberships",
  "prune",
  "registers",
  "scopes",
]);

interface FilledSecrets {
  value: Json;
  /** Hidden secrets that cannot be kept. */
  faults: PathFault[];
}

/** Items of a list are matched by their names; each of them is a whole of its own. */
export function fillHiddenSecrets(value: Json, before: Json | undefined): FilledSecrets {
  if (!Array.isArray(value)) return fillWhole(value, before);
  const stored = Array.isArray(before) ? before : [];
  const items = value.map((item) =>
    fillWhole(
      item,
      stored.find((other) => nameOf(other) === nameOf(item)),
    ),
  );
  return {
    value: items.map((item) => item.value),
    faults: items.flatMap(({ faults }, index) =>
      faults.map((fault) => ({ ...fault, path: [String(index), ...fault.path] })),
    ),
  };
}

function fillWhole(value: Json, before: Json | undefined): FilledSecrets {
  const hidden = findHidden(value);
  if (hidden.length === 0) return { value, faults: [] };
  const filled = fill(value, before);
  const unknown = findHidden(filled);
  if (unknown.length > 0) {
    const message = "is hidden, and no stored secret belongs to it: enter it";
    return { value: filled, faults: unknown.map((path) => ({ path, message })) };
  }
  const [changed] = changedPlaces(filled, before);
  if (changed === undefined) return { value: filled, faults: [] };
  const message = `is required again, because ${changed} changed`;
  return { value: filled, faults: hidden.map((path) => ({ path, message })) };
}

/** Paths of the secrets that are shown hidden. */
function findHidden(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (value === placeholder) return [path];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findHidden(item, [...path, String(index)]));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner = null]) =>
    findHidden(inner, [...path, name]),
  );
}

/** The value with what is stored at the same path in the place of each hidden secret. */
function fill(value: Json, before: Json | undefined): Json {
  if (value === placeholder) return before ?? value;
  if (Array.isArray(value)) {
    const stored = Array.isArray(before) ? before : [];
    return value.map((item, index) => fill(item, stored[index]));
  }
  if (!isObject(value)) return value;
  const fields = isObject(before) ? before : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, inner = null]) => [name, fill(inner, fields[name])]),
  );
}

/** Fields that are not as they were and may decide where a secret of the same whole is sent. */
function changedPlaces(filled: Json, before: Json | undefined): string[] {
  const [after, stored]: JsonObject[] = [filled, before ?? null].map((one) =>
    isObject(one) ? one : {},
  );
  return [...new Set([...Object.keys(after ?? {}), ...Object.keys(stored ?? {})])].filter(
    (name) => !fieldsWithoutPlace.has(name) && !Bun.deepEquals(after?.[name], stored?.[name], true),
  );
}

function nameOf(value: Json): Json {
  return isObject(value) ? (value["name"] ?? null) : null;
}
