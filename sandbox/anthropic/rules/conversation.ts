// Order of the turns, and the content that a turn may hold.
import type { Block } from "../request/blocks.ts";
import { invalid, Refusal } from "../errors.ts";
import type { CountBody, Message, Wire } from "../request/schema.ts";
import { hasTrait } from "./model-limits.ts";

type Role = Message["role"];

const homes: Readonly<Record<Block["type"], readonly Role[]>> = {
  text: ["user", "assistant", "system"],
  image: ["user"],
  document: ["user", "assistant"],
  search_result: ["user"],
  tool_result: ["user"],
  tool_use: ["assistant"],
  thinking: ["assistant"],
  redacted_thinking: ["assistant"],
  server: ["user", "assistant"],
};

export function checkConversation({ model, messages, system }: CountBody, wire: Wire): void {
  if (messages[0]?.role !== "user") {
    throw new Refusal(400, 'messages: first message must use the "user" role');
  }
  checkTexts(system, "system");
  messages.forEach((message, at) => checkMessage(message, `messages.${at}`, wire));
  checkContents(messages);
  const last = messages.at(-1);
  if (last?.role === "assistant") checkPrefill(model, last);
}

function checkContents(messages: readonly Message[]): void {
  const end = messages.length - 1;
  const bare = messages.findIndex(
    ({ role, content }, at) => content.length === 0 && !(at === end && role === "assistant"),
  );
  if (bare === -1) return;
  const rule = "all messages must have non-empty content";
  throw invalid(`messages.${bare}`, `${rule} except for the optional final assistant message`);
}

function checkMessage({ role, content }: Message, path: string, { isNewest }: Wire): void {
  checkTexts(content, "messages");
  for (const [at, block] of content.entries()) {
    const { type } = block;
    const home = homeOf(type, isNewest);
    if (!home.includes(role)) {
      const where = `\`${type}\` blocks can only be in \`${home[0]}\` messages`;
      throw invalid(`${path}.content.${at}`, where);
    }
    const isQuoting = type === "text" && (block.citations ?? []).length > 0;
    if (isNewest && role === "user" && isQuoting) {
      throw invalid(`${path}.content.${at}.text.citations`, "Input should be empty");
    }
  }
}

function homeOf(type: Block["type"], isNewest: boolean): readonly Role[] {
  return isNewest && type === "document" ? ["user"] : homes[type];
}

/** A tool's result may be blank, but not empty. */
function checkTexts(blocks: readonly Block[], path: string): void {
  const results = blocks.flatMap((block) => (block.type === "tool_result" ? block.content : []));
  if ([...textsOf(blocks), ...textsOf(results)].includes("")) {
    throw invalid(path, "text content blocks must be non-empty");
  }
  if (textsOf(blocks).some((text) => text.trim() === "")) {
    throw invalid(path, "text content blocks must contain non-whitespace text");
  }
}

function textsOf(blocks: readonly Block[]): string[] {
  return blocks.filter((block) => block.type === "text").map(({ text }) => text);
}

/** Words that the answer is to begin with. */
function checkPrefill(model: string, { content }: Message): void {
  if (hasTrait(model, "refusesPrefill")) {
    const message = "This model does not support assistant message prefill.";
    throw new Refusal(400, `${message} The conversation must end with a user message.`);
  }
  const end = content.at(-1);
  if (end?.type === "text" && end.text !== end.text.trimEnd()) {
    throw invalid("messages", "final assistant content cannot end with trailing whitespace");
  }
}
