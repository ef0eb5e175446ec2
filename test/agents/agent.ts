// An agent from npm that speaks one of the formats: how it is set up in a home of its own, and what
// it is asked so that it calls a tool.
import { join } from "node:path";
import type { SharedDialect } from "../../src/formats/exchange.ts";

/** An agent's address of the gateway, and the model it asks for. */
export interface Access {
  url: string;
  key: string;
  model: string;
}

export interface Setup {
  /** Files by their path in the home. */
  files: Readonly<Record<string, string>>;
  /** Besides PATH and HOME. */
  environment: Readonly<Record<string, string>>;
  command: readonly string[];
}

/** A model that an agent asks for: what the agent sends depends on what it knows of the name. */
export interface AskedModel {
  name: string;
  prompt: string;
}

export interface Agent {
  name: string;
  package: string;
  format: SharedDialect;
  /** The route of the gateway that it uses. */
  route: RegExp;
  models: readonly AskedModel[];
  /** Names that it asks for of its own accord. */
  hiddenModels: readonly string[];
  setUp(access: Access, prompt: string): Setup;
}

/** The file that a prompt leads the agent to read; only its tool can know what is in it. */
export const almanac = "almanac.txt";

export function executable(name: string): string {
  return join(import.meta.dir, "node_modules", ".bin", name);
}

/** Backquotes tell the sandbox's vendors what to give to the tool. */
export function promptFor(tool: string, input: string): string {
  return `use ${tool} on \`${input}\` and tell what it says`;
}
