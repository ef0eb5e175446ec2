// Choice of the offered tools that an answer calls, by the rules of `tool_choice`.
import { isObject } from "../../src/core/json.ts";
import { wishedTools, type OfferedTool, type WishedTool } from "../writer/tool-wish.ts";
import type { WrittenCall } from "../writer/write.ts";
import { Refusal } from "./errors.ts";
import type { ChatBody, ChatTool } from "./schema.ts";

export interface Offer extends OfferedTool {
  /** It takes free text instead of JSON. */
  isCustom: boolean;
}

export type WishedOffer = Offer & WishedTool;

export interface Choice {
  mode: "none" | "auto" | "required";
  /** Those that may be called. */
  tools: Offer[];
}

interface Occasion {
  /** The last user message. */
  text: string;
  /** Part of it that tools are due for. */
  step: string | null;
  isParallel: boolean;
}

export function toolsToCall({ mode, tools }: Choice, occasion: Occasion): WishedOffer[] {
  if (mode === "none" || (mode === "auto" && occasion.step === null)) return [];
  const { text, step, isParallel } = occasion;
  const prompt = step ?? text;
  return wishedTools(tools, { prompt, isForced: mode === "required", isParallel });
}

/** Arguments are always an object, whether or not the schema says so. */
export function offerFunction(name: string, parameters: unknown, isStrict: boolean): Offer {
  const schema = { type: "object", ...(isObject(parameters) ? parameters : {}) };
  return { name, schema, isStrict, isCustom: false };
}

export function offerCustom(name: string): Offer {
  return { name, schema: { type: "string" }, isStrict: false, isCustom: true };
}

/** The free text of a custom tool's call, which was written as a JSON string and may be cut. */
export function customInput({ arguments: text }: WrittenCall): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1);
  }
}

export function readChatChoice({ tools, tool_choice: choice }: ChatBody): Choice {
  const offered = (tools ?? []).map(readTool).filter((tool) => tool !== null);
  if (choice === null || choice === undefined) return { mode: "auto", tools: offered };
  if (choice === "none") return { mode: "none", tools: offered };
  if (offered.length === 0) throw badChoice("'tool_choice' is only allowed with 'tools'.");
  if (typeof choice === "string") return { mode: choice, tools: offered };
  if (choice.allowed_tools) {
    const names = choice.allowed_tools.tools.map(nameOf);
    const allowed = offered.filter(({ name }) => names.includes(name));
    return { mode: choice.allowed_tools.mode, tools: allowed };
  }
  const chosen = offered.filter(({ name }) => name === nameOf(choice));
  if (chosen.length === 0) throw badChoice("'tool_choice' names a tool that is not in 'tools'.");
  return { mode: "required", tools: chosen };
}

export function badChoice(message: string): Refusal {
  return new Refusal(400, { message, param: "tool_choice" });
}

function readTool({ function: described, custom }: ChatTool): Offer | null {
  if (custom) return offerCustom(custom.name);
  if (!described) return null;
  return offerFunction(described.name, described.parameters, described.strict === true);
}

function nameOf({ function: named, custom }: Pick<ChatTool, "function" | "custom">) {
  return named?.name ?? custom?.name;
}
