// Calls and their results: each call has its one result at the start of the very next message.
import type { Block, ToolResultBlock, ToolUseBlock } from "../request/blocks.ts";
import { invalid } from "../errors.ts";
import type { Message } from "../request/schema.ts";

export function checkToolTurns(messages: readonly Message[]): void {
  checkUnique(messages);
  messages.forEach(({ content }, at) => {
    const next = messages[at + 1]?.content ?? [];
    checkAnswered(content, next, `messages.${at}`);
    checkExpected(content, messages[at - 1]?.content ?? [], `messages.${at}`);
  });
}

function checkUnique(messages: readonly Message[]): void {
  const seen = new Set<string>();
  for (const [at, { content }] of messages.entries()) {
    for (const [index, block] of content.entries()) {
      if (block.type !== "tool_use") continue;
      if (seen.has(block.id)) {
        throw invalid(`messages.${at}.content.${index}`, "`tool_use` ids must be unique");
      }
      seen.add(block.id);
    }
  }
}

function checkAnswered(content: readonly Block[], next: readonly Block[], path: string): void {
  const end = next.findIndex((block) => block.type !== "tool_result");
  const first = resultsOf(end === -1 ? next : next.slice(0, end));
  const answered = new Set(first.map((result) => result.tool_use_id));
  const open = callsOf(content).filter(({ id }) => !answered.has(id));
  if (open.length === 0) return;
  const ids = open.map(({ id }) => id).join(", ");
  const found = "`tool_use` ids were found without `tool_result` blocks immediately after";
  const wanted = "Each `tool_use` block must have a corresponding `tool_result` block";
  throw invalid(path, `${found}: ${ids}. ${wanted} in the next message.`);
}

function checkExpected(content: readonly Block[], before: readonly Block[], path: string): void {
  const called = new Set(callsOf(before).map(({ id }) => id));
  const seen = new Set<string>();
  for (const { tool_use_id: id } of resultsOf(content)) {
    if (!called.has(id)) {
      const found = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`;
      const wanted = "Each `tool_result` block must have a corresponding `tool_use` block";
      throw invalid(path, `${found}. ${wanted} in the previous message.`);
    }
    if (seen.has(id)) {
      const found = `Found multiple \`tool_result\` blocks with id: ${id}`;
      throw invalid(path, `each tool_use must have a single result. ${found}`);
    }
    seen.add(id);
  }
}

function callsOf(content: readonly Block[]): ToolUseBlock[] {
  return content.filter((block) => block.type === "tool_use");
}

function resultsOf(content: readonly Block[]): ToolResultBlock[] {
  return content.filter((block) => block.type === "tool_result");
}
