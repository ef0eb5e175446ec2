// Puts environment variables in the place of ${NAME} inside the texts of a value; $${ stays ${.
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import type { Environment } from "./environment.ts";
import type { Path, PathFault } from "./shape.ts";

const reference = /\$\$\{|\$\{([^}]*)\}?/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

interface Interpolated {
  value: Json;
  faults: PathFault[];
}

export function interpolate(value: Json, environment: Environment): Interpolated {
  const faults: PathFault[] = [];

  function replace(text: string, path: Path): string {
    return text.replace(reference, (match, name: string | undefined) => {
      if (name === undefined) return "${";
      const value = variableName.test(name) ? environment[name] : "";
      if (value && match.endsWith("}")) return value;
      faults.push({ path, message: describe(name, match) });
      return match;
    });
  }

  function walk(item: Json, path: Path): Json {
    if (typeof item === "string") return replace(item, path);
    if (Array.isArray(item)) return item.map((inner, at) => walk(inner, [...path, String(at)]));
    if (!isObject(item)) return item;
    const copy: JsonObject = {};
    for (const [name, inner] of Object.entries(item)) {
      const replaced = walk(inner ?? null, [...path, name]);
      // A plain assignment to this one name would change the prototype instead.
      Object.defineProperty(copy, name, {
        value: replaced,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return copy;
  }

  return { value: walk(value, []), faults };
}

// A text that is no name is not repeated: it may be a secret pasted into the braces.
function describe(name: string, match: string): string {
  if (!match.endsWith("}")) return "has a ${ that is not closed; write $${ for the text itself";
  if (!variableName.test(name)) return "has a ${...} that names no environment variable";
  return `needs the environment variable ${name}, which is not set`;
}
