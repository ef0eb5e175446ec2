// Reads a conversation: what the user wants now, what came with it, what the tools said.
import { describeMedia } from "../writer/describe-media.ts";
import { countTokens } from "../writer/tokens.ts";
import { stepDue } from "../writer/tool-wish.ts";
import { describeFile, describeImage } from "./media.ts";
import type { ChatBody, ChatMessage } from "./schema.ts";

export interface Prompt {
  /** The last user message, directives included. */
  text: string;
  attachments: string[];
  /** Results of tools since, when nothing follows them. */
  toolResults: string[];
  /** Part of it that tools are due for; null once they were called, or the model spoke last. */
  step: string | null;
  tokens: number;
}

type Content = ChatMessage["content"];
type Part = Extract<NonNullable<Content>, unknown[]>[number];

/** Tokens of an image, whatever its size. */
export const imageTokens = 85;

export function readPrompt({ messages, tools }: ChatBody): Prompt {
  const said = messages.filter(({ role }) => !isInstruction(role));
  const at = said.findLastIndex(({ role }) => role === "user");
  const user = said[at];
  const text = textOf(user?.content);
  const lastAnswer = said.findLastIndex(({ role }) => !isToolRole(role));
  return {
    text,
    attachments: partsOf(user?.content)
      .map(describe)
      .filter((text) => text !== null),
    toolResults: said.slice(lastAnswer + 1).map(({ content }) => textOf(content)),
    step: user
      ? stepDue(
          text,
          said.slice(at + 1).map(({ role }) => isToolRole(role)),
        )
      : null,
    tokens: promptTokensOf(messages, tools),
  };
}

/** Agents give them in the middle of the conversation too. */
function isInstruction(role: ChatMessage["role"]): boolean {
  return role === "system" || role === "developer";
}

function isToolRole(role: ChatMessage["role"]): boolean {
  return role === "tool" || role === "function";
}

function partsOf(content: Content): Part[] {
  return Array.isArray(content) ? content : [];
}

function textOf(content: Content): string {
  if (typeof content === "string") return content;
  return partsOf(content)
    .map((part) => part.text)
    .filter((text) => text !== undefined)
    .join("\n");
}

function describe({ image_url: image, input_audio: audio, file }: Part): string | null {
  if (image) return describeImage(image.url);
  if (audio) return describeMedia(audio.data);
  if (file) return describeFile({ name: file.filename, data: file.file_data, at: null });
  return null;
}

function promptTokensOf(messages: ChatMessage[], tools: ChatBody["tools"]): number {
  const texts = messages.map(({ content }) => textOf(content));
  const calls = messages.map((message) => JSON.stringify(message.tool_calls) ?? "");
  const images = messages.flatMap(({ content }) => partsOf(content)).filter(isImage).length;
  const offered = tools ? JSON.stringify(tools) : "";
  return Math.max(1, countTokens([...texts, ...calls, offered].join("")) + images * imageTokens);
}

function isImage(part: Part): boolean {
  return part.image_url !== undefined;
}
