// JSON, and how its places are written to.

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };
export type Path = readonly (string | number)[];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy with the value at a place, which has to be there but for its last step. */
export function withAt(root: Json, path: Path, value: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(root)) {
    const copy = [...root];
    copy[Number(step)] = withAt(copy[Number(step)] ?? null, rest, value);
    return copy;
  }
  const holder = isObject(root) ? root : {};
  return { ...holder, [step]: withAt(holder[step] ?? null, rest, value) };
}

/** A copy without what stands at a place. */
export function withoutAt(root: Json, path: Path): Json {
  const [step, ...rest] = path;
  if (step === undefined) return root;
  if (Array.isArray(root)) {
    if (rest.length === 0) return root.filter((_one, at) => at !== step);
    return root.map((one, at) => (at === step ? withoutAt(one, rest) : one));
  }
  if (!isObject(root)) return root;
  const copy: JsonObject = {};
  for (const [name, one] of Object.entries(root)) {
    if (name !== step) copy[name] = one;
    else if (rest.length > 0) copy[name] = withoutAt(one, rest);
  }
  return copy;
}

export function readAt(root: Json | undefined, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isObject(value)) value = value[step];
    else return undefined;
  }
  return value;
}

/** Every place of a value, outermost first. */
export function placesIn(value: Json, path: Path = []): Path[] {
  const inside = Array.isArray(value)
    ? value.flatMap((one, at) => placesIn(one, [...path, at]))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, one]) => placesIn(one, [...path, name]))
      : [];
  return [path, ...inside];
}
