// The items of a conversation, in the form in which they are kept.
import { type InputPart, type Part, textOfPart } from "./parts.ts";
import type { Tool } from "./tools.ts";

export type ItemStatus = "in_progress" | "completed" | "incomplete";

export interface MessageItem {
  type: "message";
  id: string;
  status: ItemStatus;
  role: "user" | "assistant" | "system" | "developer";
  content: Part[];
  phase?: string;
}

export interface CallItem {
  type: "function_call";
  id: string;
  status: ItemStatus;
  call_id: string;
  name: string;
  namespace?: string;
  arguments: string;
}

export interface CustomCallItem {
  type: "custom_tool_call";
  id: string;
  status: ItemStatus;
  call_id: string;
  name: string;
  namespace?: string;
  input: string;
}

interface ResultItem {
  type: "function_call_output" | "custom_tool_call_output";
  id: string;
  status: ItemStatus;
  call_id: string;
  output: string | InputPart[];
}

export interface ReasoningItem {
  type: "reasoning";
  id: string;
  summary: { type: "summary_text"; text: string }[];
  encrypted_content?: string;
}

export interface CompactionItem {
  type: "compaction";
  id: string;
  encrypted_content: string;
}

/** Tools that are offered from here on. */
interface ToolsItem {
  type: "additional_tools";
  id: string;
  role: "developer";
  tools: Tool[];
}

/** The work of a hosted tool, which the sandbox neither reads nor does. */
interface HostedItem {
  type: "hosted";
  id: string;
  item: object;
}

export type Item =
  | MessageItem
  | CallItem
  | CustomCallItem
  | ResultItem
  | ReasoningItem
  | CompactionItem
  | ToolsItem
  | HostedItem;

/** The vendor's rendering of an item. */
export function renderItem(item: Item): object {
  return item.type === "hosted" ? { ...item.item, id: item.id } : item;
}

/** The item's text for the model; nothing of what is hidden in it. */
export function textOfItem(item: Item): string {
  switch (item.type) {
    case "message":
      return item.content.map(textOfPart).filter(Boolean).join("\n");
    case "function_call":
      return item.name + item.arguments;
    case "custom_tool_call":
      return item.name + item.input;
    case "function_call_output":
    case "custom_tool_call_output":
      return typeof item.output === "string" ? item.output : item.output.map(textOfPart).join("\n");
    case "additional_tools":
      return JSON.stringify(item.tools);
    default:
      return "";
  }
}

export function addedTools(item: Item): Tool[] {
  return item.type === "additional_tools" ? item.tools : [];
}

export function isResult(item: Item): item is ResultItem {
  return item.type === "function_call_output" || item.type === "custom_tool_call_output";
}
