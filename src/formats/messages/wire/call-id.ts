// The ids that this wire takes for calls; those that another vendor's model gave go under an alias.
import type { Json, JsonObject } from "../../../core/json.ts";
import { aliasOf } from "../../kit/tool-names.ts";

const charactersMax = 64;
export const callIdCharacters = /^[\w-]+$/;

/** The block with an alias, or as it is. */
export function withOwnCallId(block: JsonObject): JsonObject {
  const name = idFields[String(block["type"])];
  if (name === undefined || isOwnId(block[name])) return block;
  const rule = { nameCharactersMax: charactersMax, nameCharacters: callIdCharacters };
  return { ...block, [name]: aliasOf(String(block[name]), rule) };
}

export function hasForeignCallId({ type, id, tool_use_id: called }: JsonObject): boolean {
  if (type === "tool_use") return !isOwnId(id);
  return type === "tool_result" && !isOwnId(called);
}

const idFields: Readonly<Record<string, string>> = {
  tool_use: "id",
  tool_result: "tool_use_id",
};

function isOwnId(id: Json | undefined): boolean {
  if (typeof id !== "string") return true;
  return id.length <= charactersMax && callIdCharacters.test(id);
}
