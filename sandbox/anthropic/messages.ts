// Messages and the counting of their tokens: reads the request, has it answered, writes the answer
// in Anthropic's form.
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { readFaults } from "../directives.ts";
import { type AnswerBlock, type Content, writeContent } from "./content.ts";
import { readPrompt } from "./prompt.ts";
import { checkCount, checkMessages } from "./rules/index.ts";
import { parseCount, parseMessages } from "./request/schema.ts";
import { encodeEvents } from "./stream.ts";
import { inputTokensOf, inputUsageOf, usageConstants } from "./usage.ts";
import type { Work, WorkContext } from "./work.ts";

export function prepareMessages(json: unknown, context: WorkContext): Work {
  const body = parseMessages(json, context.wire);
  checkMessages(body, context.wire);
  const prompt = readPrompt(body.messages);
  const faults = readFaults(prompt.text, context.key);
  const content = writeContent(body, prompt, { ...context, isFiltered: faults.filter });
  const { model, isStream } = body;
  const input = inputUsageOf(body);
  const output = {
    output_tokens: content.tokens,
    output_tokens_details: { thinking_tokens: content.thinkingTokens },
  };
  const head = { id: `msg_${context.serial}`, type: "message", role: "assistant", model };
  const ending = endingOf(content);
  const usage = { ...input, ...output, ...usageConstants };
  return {
    model,
    isStream,
    faults,
    body: () => ({
      ...head,
      content: content.blocks.map(renderBlock),
      ...ending,
      container: null,
      diagnostics: null,
      ...(faults.noUsage ? {} : { usage }),
    }),
    events: () => encodeEvents({ head, blocks: content.blocks, ending, input, output, faults }),
  };
}

export function prepareCount(json: unknown, context: WorkContext): Work {
  const body = parseCount(json, context.wire);
  checkCount(body, context.wire);
  const faults = readFaults(readPrompt(body.messages).text, context.key);
  return {
    model: body.model,
    isStream: false,
    faults,
    body: () => ({ input_tokens: inputTokensOf(body) }),
    events: () => [],
  };
}

function endingOf({ stopReason, stopSequence }: Content): object {
  const explanation = "The sandbox was asked to refuse this.";
  const refusal = { type: "refusal", category: "general_harms", explanation };
  return {
    stop_reason: stopReason,
    stop_sequence: stopSequence,
    stop_details: stopReason === "refusal" ? refusal : null,
  };
}

function renderBlock(block: AnswerBlock): object {
  switch (block.type) {
    case "tool_use": {
      const { id, name, type } = block;
      return { type, id, name, input: inputOf(block.arguments), caller: { type: "direct" } };
    }
    default:
      return block;
  }
}

/** Arguments that end in their middle are no object yet. */
function inputOf(text: string): JsonObject {
  try {
    const input: unknown = JSON.parse(text);
    return isObject(input) ? input : {};
  } catch {
    return {};
  }
}
