// Tools that come and go in the middle of a conversation. Other dialects have no word for that, so
// what holds at its end is offered from the start.
import { invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { readObject, readObjects, readText } from "../kit/fields.ts";

interface ToolChanges {
  /** Definitions that stand in the messages, and where. */
  added: { tool: JsonObject; at: string }[];
  /** Names of tools that are no longer offered. */
  removed: ReadonlySet<string>;
}

const none: ToolChanges = { added: [], removed: new Set() };

export function isToolChange(type: unknown): boolean {
  return type === "tool_addition" || type === "tool_removal";
}

export function readToolChanges(messages: unknown): ToolChanges {
  const added: ToolChanges["added"] = [];
  const removed = new Set<string>();
  for (const [index, { content }] of readObjects(messages).entries()) {
    for (const [place, block] of readObjects(content).entries()) {
      if (!isToolChange(block["type"])) continue;
      const at = `messages.${index}.content.${place}.tool`;
      const changed = readObject(block["tool"]);
      const isDefined = changed["type"] === "tool_definition";
      const tool = isDefined ? readObject(changed["definition"]) : changed;
      const name = readText(tool["name"]);
      if (name === null) throw invalid(isDefined ? `${at}.definition.name` : at, "is required");
      if (block["type"] === "tool_removal") removed.add(name);
      else removed.delete(name);
      if (isDefined) added.push({ tool, at: `${at}.definition` });
    }
  }
  return added.length === 0 && removed.size === 0 ? none : { added, removed };
}
