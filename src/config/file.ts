// The configuration file: parsed, interpolated, defaulted and checked, each problem at its line.
import { assert } from "../core/assert.ts";
import { isObject, type Json } from "../core/json.ts";
import { compile, type Checker, type TSchema } from "../core/schema.ts";
import { BudgetInput } from "./budget.ts";
import { ChannelInput, GroupInput, KeyInput, PriceInput } from "./entities.ts";
import {
  declaredBudgetChecker,
  declaredChannelChecker,
  groupChecker,
  keyChecker,
  priceChecker,
} from "./entity-rules.ts";
import type { Environment } from "./environment.ts";
import { interpolate } from "./interpolate.ts";
import { oauthFaults } from "./oauth.ts";
import { leaves, type PageValue } from "./page/leaves.ts";

import { ConfigFile } from "./schema.ts";
import {
  fillDefaults,
  isStated,
  shapeFaults,
  toPathFaults,
  valueAt,
  withoutValueAt,
  withValueAt,
  type PathFault,
} from "./shape.ts";
import type { ReadVariables } from "./variables.ts";
import { VirtualModelInput, virtualModelChecker } from "./virtual-model.ts";
import { readYaml } from "./yaml.ts";

export interface ReadFile {
  file: ConfigFile;
  problems: string[];
}

const fileChecker = compile(ConfigFile);

const declared: Record<string, { schema: TSchema; checker: Checker<unknown>; unique: string[] }> = {
  groups: { schema: GroupInput, checker: groupChecker, unique: ["name"] },
  channels: { schema: ChannelInput, checker: declaredChannelChecker, unique: ["name"] },
  prices: { schema: PriceInput, checker: priceChecker, unique: ["model"] },
  models: { schema: VirtualModelInput, checker: virtualModelChecker, unique: ["name"] },
  keys: { schema: KeyInput, checker: keyChecker, unique: ["name", "key"] },
  budgets: { schema: BudgetInput, checker: declaredBudgetChecker, unique: ["name"] },
};

/** Settings where there is no file. */
export function defaultFile(): ConfigFile {
  const value = fillDefaults(ConfigFile, {});
  assert(fileChecker.is(value), "the defaults do not fit the schema");
  return value;
}

/** The file where some keys have other values, which fit their schemas. */
export function overrideFile(file: ConfigFile, settings: ReadVariables["settings"]): ConfigFile {
  const value = settings.reduce<Json>(
    (all, { path, value }) => withValueAt(all, path, value),
    file,
  );
  assert(fileChecker.is(value), "a variable does not fit the schema");
  return value;
}

export function defaultRead(): ReadFile {
  return { file: defaultFile(), problems: [] };
}

/** Values of a page where there is no file. */
export function readPageAlone(page: readonly PageValue[]): ReadFile {
  const filled = fillDefaults(ConfigFile, withPage({}, page));
  const problems = firstAtEachPath(fileFaults(filled)).map((fault) => describe(fault));
  return { file: fileChecker.is(filled) ? filled : defaultFile(), problems };
}

/** The file wins. */
function withPage(value: Json, page: readonly PageValue[]): Json {
  return page.reduce<Json>((all, { name, value: stated }) => {
    const path = name.split(".");
    return isStated(all, path) ? all : withValueAt(all, path, stated);
  }, value);
}

/** The file before, with what may change at any time as in the other one. */
export function withLive(before: ConfigFile, next: ConfigFile): ConfigFile {
  const value = leaves
    .filter(({ change }) => change !== "file" && change !== "restart")
    .reduce<Json>((all, { path }) => {
      const stated = valueAt(next, path);
      if (stated === undefined) return withoutValueAt(all, path);
      return withValueAt(all, path, stated);
    }, before);
  assert(fileChecker.is(value), "a change of live settings does not fit the schema");
  return value;
}

interface FileNeeds {
  environment: Environment;
  page: readonly PageValue[];
}

export async function readConfigFile(
  path: string,
  text: string,
  { environment, page }: FileNeeds,
): Promise<ReadFile> {
  const source = await readYaml(text);
  if (source.problems.length > 0) {
    const problems = source.problems.map(
      ({ line, column, message }) => `${path}:${line}:${column} ${message}`,
    );
    return { file: defaultFile(), problems };
  }
  const { value, faults } = interpolate(source.value ?? {}, environment);
  const filled = fillDefaults(ConfigFile, withPage(value, page));
  const firstFaults = firstAtEachPath([...faults, ...fileFaults(filled)]);
  const problems = firstFaults
    .map((fault) => ({ fault, ...source.locate(fault) }))
    .toSorted((left, right) => left.line - right.line || left.column - right.column)
    .map(({ fault, line, column }) => `${path}:${line}:${column} ${describe(fault)}`);
  return { file: fileChecker.is(filled) ? filled : defaultFile(), problems };
}

function describe({ path, message }: PathFault): string {
  return path.length === 0 ? `must be a map of keys` : `${path.join(".")} ${message}`;
}

function fileFaults(value: Json): PathFault[] {
  return [
    ...shapeFaults(ConfigFile, value),
    ...toPathFaults(ConfigFile, value, fileChecker.faults(value)),
    ...(isObject(value)
      ? Object.keys(declared).flatMap((name) => listFaults(name, value[name]))
      : []),
    ...(fileChecker.is(value) ? sectionFaults(value) : []),
  ];
}

function sectionFaults({ distribution, media, oauth }: ConfigFile): PathFault[] {
  const faults: PathFault[] = oauthFaults(oauth);
  if (distribution.ejection_ms > distribution.ejection_ms_max) {
    const message = `must be at most ejection_ms_max (${distribution.ejection_ms_max})`;
    faults.push({ path: ["distribution", "ejection_ms"], message });
  }
  if (media.storage === "s3" && media.s3 === undefined) {
    faults.push({ path: ["media", "s3"], message: "is required when storage is s3" });
  }
  return faults;
}

function listFaults(name: string, list: Json | undefined): PathFault[] {
  const row = declared[name];
  if (!row || !Array.isArray(list)) return [];
  const { schema, checker, unique } = row;
  const inside = list.flatMap((item, at) =>
    toPathFaults(schema, item, checker.faults(item)).map((fault) => ({
      ...fault,
      path: [name, String(at), ...fault.path],
    })),
  );
  return [...inside, ...unique.flatMap((field) => repeatFaults(name, list, field))];
}

/** The repeated text itself is not told: it may be a key. */
function repeatFaults(name: string, list: Json[], field: string): PathFault[] {
  const seen = new Map<Json, number>();
  return list.flatMap((item, at) => {
    const value = isObject(item) ? item[field] : undefined;
    if (value === undefined) return [];
    const first = seen.get(value);
    if (first === undefined) seen.set(value, at);
    const message = `is the same as ${name}.${first}.${field}`;
    return first === undefined ? [] : [{ path: [name, String(at), field], message }];
  });
}

function firstAtEachPath(faults: PathFault[]): PathFault[] {
  const seen = new Set<string>();
  return faults.filter(({ path }) => {
    const text = JSON.stringify(path);
    return !seen.has(text) && seen.add(text);
  });
}
