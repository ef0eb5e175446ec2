// Choice of the offered tools that an answer calls, by the rules of `tool_choice`.
import { wishedTools, type OfferedTool, type WishedTool } from "../writer/tool-wish.ts";
import type { Prompt } from "./prompt.ts";
import type { CountBody } from "./request/schema.ts";
import { type CustomTool, isCustom, type ToolChoice } from "./request/tool-schema.ts";

export function toolsToCall({ tools, toolChoice }: CountBody, prompt: Prompt): WishedTool[] {
  const choice = toolChoice ?? { type: "auto" };
  if (choice.type === "none" || (choice.type === "auto" && prompt.step === null)) return [];
  const offered = tools.filter(isCustom).map(toOffered);
  const open =
    choice.type === "tool" ? offered.filter(({ name }) => name === choice.name) : offered;
  const isForced = choice.type !== "auto";
  return wishedTools(open, {
    prompt: prompt.step ?? prompt.text,
    isForced,
    isParallel: isParallel(choice),
  });
}

function toOffered({ name, input_schema: schema, strict }: CustomTool): OfferedTool {
  return { name, schema, isStrict: strict === true };
}

function isParallel(choice: ToolChoice): boolean {
  return choice.type !== "none" && choice.disable_parallel_tool_use !== true;
}
