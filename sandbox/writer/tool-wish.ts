// A prompt's wishes for the offered tools. An agent runs whatever it is told to, so a tool that
// acts is given something to do by who asks for that outright, "use NAME on `INPUT`", and by nobody
// else: named without an input it gets one that does nothing, and unnamed it is not called at all.
// ", then use" parts what is to be called one after the other.
import { isObject } from "../../src/core/json.ts";

export interface OfferedTool {
  name: string;
  schema: unknown;
  isStrict: boolean;
}

export interface WishedTool extends OfferedTool {
  /** Input for it in the prompt, word by word. */
  input: string | null;
}

interface Wish {
  /** The step of the prompt that is due. */
  prompt: string;
  /** The request demands a call. */
  isForced: boolean;
  isParallel: boolean;
}

export function wishedTools<Tool extends OfferedTool>(
  offered: readonly Tool[],
  wish: Wish,
): (Tool & WishedTool)[] {
  const prompt = withoutReminders(wish.prompt);
  const tools = offered.map((tool) => ({ ...tool, input: inputFor(tool.name, prompt) }));
  const directed = tools.filter(({ input }) => input !== null);
  const named = directed.length > 0 ? directed : tools.filter(({ name }) => prompt.includes(name));
  if (named.length > 1 && wish.isParallel) return named;
  const open = wish.isForced ? tools : tools.filter((tool) => !acts(tool));
  return (named.length > 0 ? named : open).slice(0, 1);
}

/** Agents put what they have to say themselves into the user's words. */
export function withoutReminders(prompt: string): string {
  return prompt.replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, "");
}

/**
 * Step of a prompt that is due after what followed it, of which is said whether it is a result of a
 * tool: results in a row are one round of calls, and each round one step. Null when all were done.
 */
export function stepDue(prompt: string, areResults: readonly boolean[]): string | null {
  if (areResults.at(-1) === false) return null;
  const rounds = areResults.filter((is, at) => is && areResults[at + 1] !== true).length;
  return prompt.split(/, then (?=use )/)[rounds] ?? null;
}

function inputFor(toolName: string, prompt: string): string | null {
  const at = prompt.indexOf(`${toolName} on \``);
  const [, input = null] = /`([^`\n]+)`/.exec(at === -1 ? "" : prompt.slice(at)) ?? [];
  return input;
}

const idleInputs: Readonly<Record<string, string>> = {
  command: "true",
  cmd: "true",
  script: "true",
  code: "0",
  prompt: "Do nothing.",
  path: "/dev/null",
  file_path: "/dev/null",
  absolute_path: "/dev/null",
};

/** A text that does nothing, for a parameter that something is done with; null for any other. */
export function idleInput(parameter: string): string | null {
  return Object.hasOwn(idleInputs, parameter) ? (idleInputs[parameter] ?? null) : null;
}

function acts({ schema }: OfferedTool): boolean {
  const properties = isObject(schema) ? schema["properties"] : null;
  return isObject(properties) && Object.keys(properties).some((name) => idleInput(name) !== null);
}
