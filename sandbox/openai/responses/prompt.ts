// Reads a conversation: what the user wants now, what came with it, what the tools said.
import { countTokens } from "../../writer/tokens.ts";
import { stepDue } from "../../writer/tool-wish.ts";
import { imageTokens, type Prompt } from "../prompt.ts";
import { isResult, type Item, type MessageItem, textOfItem } from "./items.ts";
import { describePart, type Part } from "./parts.ts";
import { unseal } from "./sealed.ts";

interface Reading {
  items: readonly Item[];
  instructions: string | null | undefined;
  /** Tools in the form they were sent. */
  tools: readonly unknown[] | undefined;
  bearer: string;
}

export function readPrompt({ items, instructions, tools, bearer }: Reading): Prompt {
  const said = items.filter((item) => !silentTypes.has(item.type) && !isInstruction(item));
  const at = said.findLastIndex(isUser);
  const user = said.findLast(isUser);
  const text = user ? textOfItem(user) : "";
  const results = said.slice(said.findLastIndex((item) => !isResult(item)) + 1).filter(isResult);
  const fromTools = results.flatMap(({ output }) => (typeof output === "string" ? [] : output));
  return {
    text,
    attachments: describeAll([...(user?.content ?? []), ...fromTools]),
    toolResults: results.map(textOfItem),
    step: user ? stepDue(text, said.slice(at + 1).map(isResult)) : null,
    tokens: Math.max(1, tokensOf(items, bearer) + countTokens(overhead(instructions, tools))),
  };
}

/** They say nothing that an answer could be about. */
const silentTypes = new Set<Item["type"]>([
  "reasoning",
  "compaction",
  "additional_tools",
  "hosted",
]);

/** Agents give them in the middle of the conversation too. */
function isInstruction(item: Item): boolean {
  return item.type === "message" && (item.role === "system" || item.role === "developer");
}

function isUser(item: Item): item is MessageItem {
  return item.type === "message" && item.role === "user";
}

function describeAll(parts: readonly Part[]): string[] {
  return parts.map(describePart).filter((text) => text !== null);
}

function overhead(instructions: Reading["instructions"], tools: Reading["tools"]): string {
  return (instructions ?? "") + (tools && tools.length > 0 ? JSON.stringify(tools) : "");
}

function tokensOf(items: readonly Item[], bearer: string): number {
  const texts = items.map((item) =>
    item.type === "compaction"
      ? unseal(item.encrypted_content, bearer, item.id).text
      : textOfItem(item),
  );
  const images = items.flatMap(partsOf).filter(({ type }) => type === "input_image").length;
  return countTokens(texts.join("")) + images * imageTokens;
}

function partsOf(item: Item): readonly Part[] {
  if (item.type === "message") return item.content;
  return isResult(item) && typeof item.output !== "string" ? item.output : [];
}
