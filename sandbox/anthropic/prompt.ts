// Reads a conversation: what the user wants now, what came with it, what the tools said.
import { describeMedia } from "../writer/describe-media.ts";
import { stepDue } from "../writer/tool-wish.ts";
import type { Block, MediaBlock } from "./request/blocks.ts";
import type { Message } from "./request/schema.ts";

export interface Prompt {
  /** The last user message, directives included. */
  text: string;
  attachments: string[];
  /** Results of tools since, when nothing follows them. */
  toolResults: string[];
  /** Part of it that tools are due for; null once they were called, or the model spoke last. */
  step: string | null;
}

export function readPrompt(messages: readonly Message[]): Prompt {
  const turns = messages.filter(({ role }) => role !== "system");
  const last = turns.at(-1);
  const at = turns.findLastIndex(isQuestion);
  const question = turns[at]?.content ?? [];
  const text = textOf(question);
  const since = turns.slice(at + 1).map(({ role }) => role === "user");
  return {
    text,
    attachments: describeAll(question),
    toolResults: since.length === 0 ? [] : resultsOf(last?.content ?? []),
    step: at === -1 ? null : stepDue(text, since),
  };
}

/** Something that the user says; results of tools come in the user's name, but say nothing. */
function isQuestion({ role, content }: Message): boolean {
  return role === "user" && content.some(({ type }) => type !== "tool_result");
}

function textOf(content: readonly Block[]): string {
  return content
    .map((block) => (block.type === "text" ? block.text : null))
    .filter((text) => text !== null)
    .join("\n");
}

function resultsOf(content: readonly Block[]): string[] {
  return content
    .filter((block) => block.type === "tool_result")
    .map((block) => {
      const said = [textOf(block.content), ...describeAll(block.content)];
      const result = said.filter((text) => text !== "").join(" and ");
      return block.is_error === true ? `the error ${result}` : result;
    });
}

function describeAll(content: readonly Block[]): string[] {
  return content.map(describe).filter((text) => text !== null);
}

function describe(block: Block): string | null {
  if (block.type === "search_result") return `a search result titled ${block.title}`;
  if (block.type !== "image" && block.type !== "document") return null;
  const title = typeof block.title === "string" ? ` titled ${block.title}` : "";
  return describeSource(block) + title;
}

function describeSource({ type, source }: MediaBlock): string {
  const noun = type === "image" ? "an image" : "a document";
  switch (source.type) {
    case "base64":
      return describeMedia(source.data);
    case "url":
      return `${noun} at ${source.url}`;
    case "file":
      return `${noun} from the file ${source.file_id}`;
    case "text":
      return `a document of type text/plain, ${Buffer.byteLength(source.data)} bytes`;
    case "content":
      return "a document of content blocks";
  }
}
