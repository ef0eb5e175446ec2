// A list of tools as it is typed: in the plain shape, or as any of the formats has it.
import type { Tool } from "./formats.ts";

/** Null where it is no list of tools. */
export function readTools(text: string): readonly Tool[] | null {
  if (text.trim() === "") return [];
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return null;
    const tools = value.flatMap(toolsIn);
    return tools.includes(null) ? null : tools.filter((tool) => tool !== null);
  } catch {
    return null;
  }
}

/** Gemini has many in one entry, chat completions one a level deeper. */
function toolsIn(value: unknown): (Tool | null)[] {
  const fields = fieldsOf(value);
  const many = fields?.["functionDeclarations"];
  if (Array.isArray(many)) return many.map(toolIn);
  return [toolIn(fields?.["function"] ?? value)];
}

function toolIn(value: unknown): Tool | null {
  const { name, description, parameters, input_schema: schema } = fieldsOf(value) ?? {};
  if (typeof name !== "string" || name === "") return null;
  const given = parameters ?? schema ?? { type: "object", properties: {} };
  if (fieldsOf(given) === null) return null;
  const said = typeof description === "string" ? description : "";
  return { name, description: said, parameters: given as object };
}

function fieldsOf(value: unknown): Record<string, unknown> | null {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : null;
}
