// Choice of the declared functions that an answer calls, by the rules of `functionCallingConfig`.
import { isObject } from "../../src/core/json.ts";
import { wishedTools, type OfferedTool, type WishedTool } from "../writer/tool-wish.ts";
import type { Prompt } from "./prompt.ts";
import type { FunctionDeclaration, GenerateRequest } from "./request/messages.ts";
import { toJsonSchema } from "./request/schema.ts";
import { declarationsOf } from "./request/tools.ts";

export function toolsToCall(request: GenerateRequest, prompt: Prompt): WishedTool[] {
  const { mode, allowedFunctionNames } = request.toolConfig?.functionCallingConfig ?? {};
  if (mode === "NONE" || (mode !== "ANY" && prompt.step === null)) return [];
  const offered = declarationsOf(request).map(readTool);
  const tools = allowedFunctionNames
    ? offered.filter(({ name }) => allowedFunctionNames.includes(name))
    : offered;
  const due = prompt.step ?? prompt.text;
  return wishedTools(tools, { prompt: due, isForced: mode === "ANY", isParallel: true });
}

/** Arguments are always an object, whether or not the schema says so. */
function readTool(declaration: FunctionDeclaration): OfferedTool {
  const { name = "", parameters, parametersJsonSchema } = declaration;
  const given = parameters ? toJsonSchema(parameters) : parametersJsonSchema;
  return { name, schema: { type: "object", ...(isObject(given) ? given : {}) }, isStrict: false };
}
