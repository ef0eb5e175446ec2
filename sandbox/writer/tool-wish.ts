// A prompt's wishes for the offered tools. An agent runs whatever it is told to, so a tool that
// acts is given something to do by who asks for that outright, "use NAME on `INPUT`", and by nobody
// else: named without an input it gets one that does nothing, and unnamed it is not called at all.
import { isObject } from "../../src/core/json.ts";

export interface OfferedTool {
  name: string;
  schema: unknown;
  isStrict: boolean;
}

interface Wish {
  prompt: string;
  /** The request demands a call. */
  isForced: boolean;
  isParallel: boolean;
}

export function wishedTools<Tool extends OfferedTool>(tools: readonly Tool[], wish: Wish): Tool[] {
  const prompt = withoutReminders(wish.prompt);
  const directed = tools.filter(({ name }) => inputFor(name, prompt) !== null);
  const named = directed.length > 0 ? directed : tools.filter(({ name }) => prompt.includes(name));
  if (named.length > 1 && wish.isParallel) return named;
  const open = wish.isForced ? tools : tools.filter((tool) => !acts(tool));
  return (named.length > 0 ? named : open).slice(0, 1);
}

/** Agents put what they have to say themselves into the user's words. */
export function withoutReminders(prompt: string): string {
  return prompt.replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, "");
}

/** Input for the tool in the prompt, word by word. */
export function inputFor(toolName: string, prompt: string): string | null {
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
