// Which of the offered tools an answer calls, by the rules of `tool_choice`.
import { isObject } from "../../core/json.ts";
import type { OfferedTool } from "../writer/write.ts";
import { Refusal } from "./errors.ts";
import type { ChatPrompt } from "./prompt.ts";
import type { ChatBody, ChatTool } from "./schema.ts";

interface Choice {
  mode: "none" | "auto" | "required";
  tools: OfferedTool[];
}

export function toolsToCall(body: ChatBody, prompt: ChatPrompt): OfferedTool[] {
  const offered = (body.tools ?? []).map(readTool).filter((tool) => tool !== null);
  const { mode, tools } = readChoice(body.tool_choice, offered);
  if (mode === "none" || (mode === "auto" && !prompt.isUserLast)) return [];
  const mentioned = tools.filter(({ name }) => prompt.text.includes(name));
  if (mentioned.length > 1 && body.parallel_tool_calls !== false) return mentioned;
  return (mentioned.length > 0 ? mentioned : tools).slice(0, 1);
}

/** Arguments are always an object, whether or not the schema says so. */
function readTool({ function: described }: ChatTool): OfferedTool | null {
  if (!described) return null;
  const { name, parameters, strict } = described;
  const schema = { type: "object", ...(isObject(parameters) ? parameters : {}) };
  return { name, schema, isStrict: strict === true };
}

function readChoice(choice: ChatBody["tool_choice"], tools: OfferedTool[]): Choice {
  if (choice === null || choice === undefined) return { mode: "auto", tools };
  if (choice === "none") return { mode: "none", tools };
  if (tools.length === 0) throw badChoice("'tool_choice' is only allowed with 'tools'.");
  if (typeof choice === "string") return { mode: choice, tools };
  const { function: named, allowed_tools: allowed } = choice;
  if (allowed) {
    const names = allowed.tools.map((tool) => tool.function?.name);
    return { mode: allowed.mode, tools: tools.filter(({ name }) => names.includes(name)) };
  }
  const chosen = tools.filter(({ name }) => name === named?.name);
  if (chosen.length === 0) throw badChoice("'tool_choice' names a tool that is not in 'tools'.");
  return { mode: "required", tools: chosen };
}

function badChoice(message: string): Refusal {
  return new Refusal(400, { message, param: "tool_choice" });
}
