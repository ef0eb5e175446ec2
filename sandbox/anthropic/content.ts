// The blocks of an answer: thinking first, then words or calls.
import { withoutDirectives } from "../directives.ts";
import { countTokens, cutToTokens } from "../writer/tokens.ts";
import { type Assignment, type Finish, type Shape, write, type Written } from "../writer/write.ts";
import type { Prompt } from "./prompt.ts";
import type { MessagesBody } from "./request/schema.ts";
import { isThinkingOn } from "./request/thinking-schema.ts";
import { isRedacted, redact, sign, writeThought } from "./thoughts.ts";
import { toolsToCall } from "./tools.ts";

export type AnswerBlock =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; arguments: string };

export interface Content {
  blocks: AnswerBlock[];
  stopReason: string;
  stopSequence: string | null;
  thinkingTokens: number;
  /** With the thinking. */
  tokens: number;
}

interface Setting {
  serial: string;
  words: number;
  isFiltered: boolean;
}

const stopReasons = {
  stop: "end_turn",
  length: "max_tokens",
  calls: "tool_use",
  filter: "refusal",
} as const satisfies Record<Finish, string>;

export function writeContent(body: MessagesBody, prompt: Prompt, setting: Setting): Content {
  const thought = thoughtFor(body, prompt);
  const written = write(assign(body, prompt, { ...setting, thought }));
  const { text, stopSequence } = cutAtStop(written, body.stopSequences);
  const cut = text === null || stopSequence === null ? written.tokens : countTokens(text);
  const thinking = cutToTokens(thought, written.reasoningTokens);
  return {
    blocks: [
      ...thinkingBlocks(body, prompt, thinking),
      ...(text === null || text === "" ? [] : [{ type: "text" as const, text }]),
      ...written.calls.map((call, at) => ({
        type: "tool_use" as const,
        id: `toolu_${setting.serial}_${at}`,
        ...call,
      })),
    ],
    stopReason: stopSequence === null ? stopReasons[written.finish] : "stop_sequence",
    stopSequence,
    thinkingTokens: written.reasoningTokens,
    tokens: cut + written.reasoningTokens,
  };
}

function assign(
  body: MessagesBody,
  prompt: Prompt,
  { words, isFiltered, thought }: Setting & { thought: string },
): Assignment {
  return {
    prompt: withoutDirectives(prompt.text),
    attachments: prompt.attachments,
    toolResults: prompt.toolResults,
    toolsToCall: toolsToCall(body, prompt),
    shape: shapeOf(body),
    words,
    tokensMax: body.maxTokens,
    // The vendor tells which of them it met, so they are looked for here.
    stop: [],
    reasoningTokens: countTokens(thought),
    isFiltered,
  };
}

function shapeOf({ output: { format } }: MessagesBody): Shape {
  if (!format) return { kind: "prose" };
  return { kind: "schema", schema: format.schema, isStrict: true };
}

function thoughtFor({ thinking, output }: MessagesBody, prompt: Prompt): string {
  const isBetween = thinking?.type === "between_tools" && prompt.toolResults.length > 0;
  if (!isThinkingOn(thinking) && !isBetween) return "";
  const thought = writeThought(withoutDirectives(prompt.text), output.effort ?? "high");
  return thinking?.type === "enabled" ? cutToTokens(thought, thinking.budget_tokens) : thought;
}

function thinkingBlocks(body: MessagesBody, prompt: Prompt, thought: string): AnswerBlock[] {
  if (thought === "") return [];
  if (isRedacted(prompt.text)) return [{ type: "redacted_thinking", data: redact(thought) }];
  const { thinking } = body;
  const isShown = !(thinking && "display" in thinking && thinking.display === "omitted");
  const shown = isShown ? thought : "";
  return [{ type: "thinking", thinking: shown, signature: sign(shown) }];
}

interface Stopped {
  text: string | null;
  stopSequence: string | null;
}

/** The earlier of two sequences ends the text. */
function cutAtStop({ text, finish }: Written, sequences: readonly string[]): Stopped {
  if (text === null || finish === "filter") return { text, stopSequence: null };
  const [met] = sequences
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter(({ at }) => at !== -1)
    .toSorted((one, other) => one.at - other.at);
  if (!met) return { text, stopSequence: null };
  return { text: text.slice(0, met.at), stopSequence: met.sequence };
}
