// A response as OpenAI streams it: the response, each of its items from its first sign to its end,
// and the response again with all that came.
import { encodeEvent } from "../../../src/core/sse.ts";
import type { Faults } from "../../directives.ts";
import { Refusal } from "../errors.ts";
import { splitArguments, splitWords } from "../stream.ts";
import type { CallItem, CustomCallItem, MessageItem, ReasoningItem } from "./items.ts";
import type { OutputItem } from "./output.ts";
import { type OutputPart, type Part, textOfPart, writeText } from "./parts.ts";

interface Step {
  type: string;
  [field: string]: unknown;
}

interface StreamedResponse {
  /** The response before anything has come. */
  begun: object;
  done: { status: string };
  output: readonly OutputItem[];
  isObfuscated: boolean;
  faults: Faults;
}

export function encodeResponse(streamed: StreamedResponse): Uint8Array[] {
  const { begun, done, output, isObfuscated, faults } = streamed;
  const steps: Step[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...output.flatMap(stepsOf),
  ];
  const { errorAfter } = faults;
  const whole =
    errorAfter === null
      ? [...steps, { type: `response.${done.status}`, response: done }]
      : [...steps.slice(0, errorAfter), failure(begun, errorAfter)];
  return whole.map(({ type, ...fields }, at) => {
    const hidden = isObfuscated && "delta" in fields ? { obfuscation: obfuscate(fields) } : {};
    return encodeEvent(JSON.stringify({ type, sequence_number: at, ...fields, ...hidden }), type);
  });
}

/** Before the response has begun an error stands alone; later the response itself fails. */
function failure(begun: object, errorAfter: number): Step {
  const { message } = new Refusal(500);
  if (errorAfter === 0) return { type: "error", code: "server_error", message, param: null };
  const error = { code: "server_error", message };
  return { type: "response.failed", response: { ...begun, status: "failed", error } };
}

const paddedCharacters = 16;

/** Brings deltas of all lengths to one, so that nothing can be told from their size. */
function obfuscate({ delta }: Record<string, unknown>): string {
  const { length } = String(delta);
  return "x".repeat(paddedCharacters - (length % paddedCharacters));
}

function stepsOf(item: OutputItem, index: number): Step[] {
  const inner = innerSteps(item);
  const at = { output_index: index };
  return [
    { type: "response.output_item.added", ...at, item: inner.empty },
    ...inner.steps.map((step) => ({ ...step, item_id: item.id, ...at })),
    { type: "response.output_item.done", ...at, item },
  ];
}

interface InnerSteps {
  /** The item before anything of it has come. */
  empty: object;
  steps: Step[];
}

function innerSteps(item: OutputItem): InnerSteps {
  switch (item.type) {
    case "reasoning":
      return reasoningSteps(item);
    case "message":
      return messageSteps(item);
    case "function_call":
      return callSteps(item);
    case "custom_tool_call":
      return customCallSteps(item);
  }
}

function reasoningSteps({ type, id, summary }: ReasoningItem): InnerSteps {
  const name = "response.reasoning_summary";
  const steps = summary.flatMap((part, at): Step[] => {
    const place = { summary_index: at };
    return [
      { type: `${name}_part.added`, ...place, part: { ...part, text: "" } },
      ...splitWords(part.text).map((delta) => ({ type: `${name}_text.delta`, ...place, delta })),
      { type: `${name}_text.done`, ...place, text: part.text },
      { type: `${name}_part.done`, ...place, part },
    ];
  });
  return { empty: { type, id, summary: [] }, steps };
}

function messageSteps(item: MessageItem): InnerSteps {
  const steps = item.content.flatMap((part: Part, at): Step[] => {
    const place = { content_index: at };
    const text = textOfPart(part);
    const logprobs: OutputPart[] = [];
    const deltas = splitWords(text).map((delta) => ({
      type: "response.output_text.delta",
      ...place,
      delta,
      logprobs,
    }));
    return [
      { type: "response.content_part.added", ...place, part: writeText("") },
      ...deltas,
      { type: "response.output_text.done", ...place, text, logprobs },
      { type: "response.content_part.done", ...place, part },
    ];
  });
  return { empty: { ...item, status: "in_progress", content: [] }, steps };
}

function callSteps(item: CallItem): InnerSteps {
  const type = "response.function_call_arguments";
  const { arguments: text, name } = item;
  const steps = [
    ...splitArguments(text).map((delta) => ({ type: `${type}.delta`, delta })),
    { type: `${type}.done`, name, arguments: text },
  ];
  return { empty: { ...item, status: "in_progress", arguments: "" }, steps };
}

function customCallSteps(item: CustomCallItem): InnerSteps {
  const type = "response.custom_tool_call_input";
  const steps = [
    ...splitArguments(item.input).map((delta) => ({ type: `${type}.delta`, delta })),
    { type: `${type}.done`, input: item.input },
  ];
  return { empty: { ...item, status: "in_progress", input: "" }, steps };
}
