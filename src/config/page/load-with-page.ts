// Values that people state on a page: they stand behind the file and the environment, and before
// the defaults. One that does not fit is left out and told, so that none keeps a gateway from
// starting.
import type { Json } from "../../core/json.ts";
import { compile, type TSchema } from "../../core/schema.ts";
import type { Config } from "../config.ts";
import { loadWhole, type ConfigSource } from "../load.ts";
import { ConfigError } from "../problems.ts";
import type { ConfigFile } from "../schema.ts";
import { leaves, type Leaf, type PageValue } from "./leaves.ts";
import { fillDefaults, shapeFaults, toPathFaults, type PathFault } from "../shape.ts";

export interface Misfit {
  name: string;
  problem: string;
}

export interface Loaded {
  config: Config;
  file: ConfigFile;
  leftOut: readonly Misfit[];
}

const byName = new Map(
  leaves
    .filter(({ change }) => change === "live" || change === "restart")
    .map((leaf) => [leaf.name, leaf] as const),
);

/** A setting that a page may state. */
export function findPageSetting(name: string): Leaf | null {
  return byName.get(name) ?? null;
}

/** Faults of one value by itself; whether it goes with the others is seen by `loadWithPage`. */
export function pageValueFaults(schema: TSchema, value: Json): PathFault[] {
  const filled = fillDefaults(schema, value);
  return [
    ...shapeFaults(schema, filled),
    ...toPathFaults(schema, filled, compile(schema).faults(filled)),
  ];
}

/** The configuration with all values that fit, the oldest first; throws what the file has wrong. */
export async function loadWithPage(
  source: ConfigSource,
  values: readonly PageValue[],
): Promise<Loaded> {
  const known = values.filter(({ name }) => byName.has(name));
  const strange = values
    .filter(({ name }) => !byName.has(name))
    .map(({ name }) => ({ name, problem: "is not a setting that a page may state" }));
  const whole = await tryLoad(source, known);
  if ("config" in whole) return { ...whole, leftOut: strange };
  const plain = await loadWhole(source);
  const { loaded, leftOut } = await fit(source, known);
  return { ...(loaded ?? plain), leftOut: [...strange, ...leftOut] };
}

/** Takes in one after another, and again those that another one had to come before. */
async function fit(source: ConfigSource, values: readonly PageValue[]) {
  let kept: readonly PageValue[] = [];
  let loaded: Awaited<ReturnType<typeof loadWhole>> | null = null;
  let waiting = values;
  for (let leftOut: Misfit[] = []; ; leftOut = []) {
    const still: PageValue[] = [];
    for (const one of waiting) {
      const tried = await tryLoad(source, [...kept, one]);
      if ("problem" in tried) {
        still.push(one);
        leftOut.push({ name: one.name, problem: tried.problem });
      } else {
        kept = [...kept, one];
        loaded = tried;
      }
    }
    if (still.length === 0 || still.length === waiting.length) return { loaded, leftOut };
    waiting = still;
  }
}

async function tryLoad(source: ConfigSource, page: readonly PageValue[]) {
  try {
    return await loadWhole({ ...source, page });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problem: error.problems.join("; ") };
  }
}
