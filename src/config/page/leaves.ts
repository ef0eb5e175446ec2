// Settings one by one, each with its place in the file and how it may change.
import type { Json } from "../../core/json.ts";
import type { TSchema } from "../../core/schema.ts";
import { Type } from "../../core/schema.ts";
import { ConfigFile } from "../schema.ts";
import { changeOf, type Change } from "../setting.ts";
import type { Path } from "../shape.ts";

export interface Leaf {
  /** Key in the file, such as `server.port`. */
  name: string;
  path: Path;
  schema: TSchema;
  change: Change;
}

export interface PageValue {
  /** Key in the file, such as `site.name`. */
  name: string;
  value: Json;
}

export const leaves: readonly Leaf[] = leavesOf(ConfigFile.properties);

/** A map is one setting where it changes as a whole, and otherwise one for each of its keys. */
function leavesOf(properties: Record<string, TSchema>, above: Path = []): Leaf[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = [...above, key];
    const change = changeOf(schema);
    if (change === null && Type.IsObject(schema)) return leavesOf(schema.properties, path);
    return [{ name: path.join("."), path, schema, change: change ?? "file" }];
  });
}
