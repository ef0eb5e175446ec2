// An answer as Anthropic streams it: one block after the other, each with a start, deltas and a
// stop.
import { encodeEvent } from "../../src/core/sse.ts";
import type { Faults } from "../directives.ts";
import type { AnswerBlock } from "./content.ts";
import { Refusal } from "./errors.ts";
import { type InputUsage, type OutputUsage, usageConstants } from "./usage.ts";

interface StreamedAnswer {
  head: object;
  blocks: readonly AnswerBlock[];
  ending: object;
  input: InputUsage;
  output: OutputUsage;
  faults: Faults;
}

type Event = { type: string } & Record<string, unknown>;

const piecesCharactersMax = 12;
const overloaded = 529;
/** A ping may come at any time; here it comes amid the first block. */
const eventsBeforePing = 3;

export function encodeEvents(answer: StreamedAnswer): Uint8Array[] {
  const { faults } = answer;
  const events = eventsOf(answer).map(encode);
  if (faults.errorAfter === null) return events;
  const error = encodeEvent(new Refusal(overloaded).render(), "error");
  return [...events.slice(0, faults.errorAfter), error];
}

function encode(event: Event): Uint8Array {
  return encodeEvent(JSON.stringify(event), event.type);
}

function eventsOf({ head, blocks, ending, input, output, faults }: StreamedAnswer): Event[] {
  const { cache_creation: _, ...counts } = input;
  const firstUsage = { ...input, output_tokens: 1, ...usageConstants };
  const lastUsage = { ...counts, ...output, server_tool_use: null };
  const none = { stop_reason: null, stop_sequence: null, stop_details: null, container: null };
  const usage = (known: object): object => (faults.noUsage ? {} : { usage: known });
  const message = { ...head, content: [], ...none, diagnostics: null, ...usage(firstUsage) };
  const events = [
    { type: "message_start", message },
    ...blocks.flatMap(blockEvents),
    { type: "message_delta", delta: { ...ending, container: null }, ...usage(lastUsage) },
    { type: "message_stop" },
  ];
  return events.toSpliced(Math.min(eventsBeforePing, events.length - 2), 0, { type: "ping" });
}

function blockEvents(block: AnswerBlock, index: number): Event[] {
  const { start, deltas } = partsOf(block);
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

interface Parts {
  start: object;
  deltas: object[];
}

function partsOf(block: AnswerBlock): Parts {
  switch (block.type) {
    case "text":
      return {
        start: { type: "text", text: "" },
        deltas: splitWords(block.text).map((text) => ({ type: "text_delta", text })),
      };
    case "thinking": {
      const { signature } = block;
      const pieces = splitWords(block.thinking).map((thinking) => ({
        type: "thinking_delta",
        thinking,
      }));
      return {
        start: { type: "thinking", thinking: "", signature: "" },
        deltas: [...pieces, { type: "signature_delta", signature }],
      };
    }
    case "redacted_thinking":
      return { start: block, deltas: [] };
    case "tool_use": {
      const { id, name, type } = block;
      const pieces = ["", ...splitArguments(block.arguments)];
      return {
        start: { type, id, name, input: {}, caller: { type: "direct" } },
        deltas: pieces.map((text) => ({ type: "input_json_delta", partial_json: text })),
      };
    }
  }
}

/** Text in pieces of a word each. */
function splitWords(text: string): string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}

/** JSON text in short pieces. */
function splitArguments(text: string): string[] {
  return text.match(new RegExp(`[^]{1,${piecesCharactersMax}}`, "gu")) ?? [];
}
