// An agent from npm that speaks one of the formats: how it is told where the gateway is, and what
// it is asked so that it edits a file with its tools.
import { join } from "node:path";
import type { Dialect } from "../../src/formats/exchange.ts";

/** An agent's address of the gateway, and the model it asks for. */
export interface Access {
  url: string;
  key: string;
  model: string;
}

/** Words of docs/agents.md to an agent that is set up by hand. */
export interface Settings {
  /** Files by their path in the home. */
  files?: Readonly<Record<string, string>>;
  environment?: Readonly<Record<string, string>>;
  /** Arguments behind its command. */
  words?: readonly string[];
}

/** A tool of an agent's and what it is given. */
export type Step = readonly [tool: string, input: string];

/** A model that an agent asks for: what the agent sends depends on what it knows of the name. */
export interface AskedModel {
  name: string;
  /** Steps from reading the file at that path over the edit to reading it again. */
  steps(path: string): readonly Step[];
}

export interface Agent {
  name: string;
  package: string;
  /** Name for `sluice setup`. */
  setupName: string;
  format: Dialect;
  transport: "HTTP" | "WebSocket";
  /** The route of the gateway that it uses. */
  route: RegExp;
  models: readonly AskedModel[];
  /** Names that it asks for of its own accord. */
  hiddenModels: readonly string[];
  /** Keeps it from looking for news. */
  quiet: Readonly<Record<string, string>>;
  settings(access: Access): Settings;
  command(prompt: string): readonly string[];
}

/** The file that a prompt leads the agent to edit; only its tools can know what is in it. */
export const almanac = "almanac.txt";
export const oldWord = "page";
export const newWord = "leaf";

export function executable(name: string): string {
  return join(packages, ".bin", name);
}

export const packages = join(import.meta.dir, "node_modules");

/** Backquotes tell the sandbox's vendors what to give to the tool. */
export function promptOf(steps: readonly Step[]): string {
  const uses = steps.map(([tool, input]) => `use ${tool} on \`${input}\``);
  return `${uses.join(", then ")} and tell what it says`;
}

interface ReplaceNames {
  path: string;
  before: string;
  after: string;
  /** Parameters that it insists on besides. */
  more?: Readonly<Record<string, string>>;
}

/** Steps of an agent with a tool to read and one to replace, by the names of their parameters. */
export function readAndReplace(
  [read, replace]: readonly [read: string, replace: string],
  { path: pathName, before, after, more = {} }: ReplaceNames,
): AskedModel["steps"] {
  return (path) => {
    const place = { [pathName]: path };
    const edit = { ...place, [before]: oldWord, [after]: newWord, ...more };
    const reading = [read, JSON.stringify(place)] as const;
    return [reading, [replace, JSON.stringify(edit)], reading];
  };
}
