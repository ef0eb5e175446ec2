// Chat completions: reads the conversation, has it answered, writes the answer in OpenAI's form.
import { readFaults, withoutDirectives } from "../directives.ts";
import { type Assignment, type Finish, type Shape, write } from "../writer/write.ts";
import type { Written, WrittenCall } from "../writer/write.ts";
import { type Prompt, readPrompt } from "./prompt.ts";
import { type ChatBody, parseChat } from "./schema.ts";
import { encodeChunks, splitArguments, splitWords } from "./stream.ts";
import { writeThinking } from "./thinking.ts";
import { customInput, readChatChoice, toolsToCall, type WishedOffer } from "./tools.ts";
import { reasoningTokensFor, usageOf } from "./usage.ts";
import { secondsOf, type Work, type WorkContext } from "./work.ts";

const finishReasons = {
  stop: "stop",
  length: "length",
  calls: "tool_calls",
  filter: "content_filter",
} as const satisfies Record<Finish, string>;

const always = { service_tier: "default", system_fingerprint: "fp_sandbox" };

/** One of the answers, with what else is needed to write it down. */
interface ChatChoice {
  written: Written;
  index: number;
  thinking: string;
  serial: string;
  customNames: ReadonlySet<string>;
}

export function prepareChat(json: unknown, context: WorkContext): Work {
  const body = parseChat(json);
  const prompt = readPrompt(body);
  const faults = readFaults(prompt.text, context.bearer);
  const tools = toolsFor(body, prompt);
  const given = { words: context.words, isFiltered: faults.filter, toolsToCall: tools };
  const choices = answer(assign(body, prompt, given), body, context.serial);
  const usage = usageOf(
    prompt.tokens,
    choices.map(({ written }) => written),
  );
  const { model } = body;
  const head = { id: `chatcmpl-${context.serial}`, created: secondsOf(context), model };
  const events = (): Uint8Array[] =>
    encodeChunks({
      head: { ...head, object: "chat.completion.chunk", ...always },
      choices: choices.map(chunkChoice),
      usage: body.stream_options?.include_usage && !faults.noUsage ? usage : null,
      faults,
    });
  return {
    model,
    faults,
    body: () => ({
      ...head,
      object: "chat.completion",
      ...always,
      choices: choices.map(renderChoice),
      ...(faults.noUsage ? {} : { usage }),
    }),
    events: body.stream === true ? events : null,
  };
}

function answer(assignment: Assignment, { n, tools }: ChatBody, serial: string): ChatChoice[] {
  const customNames = new Set((tools ?? []).flatMap(({ custom }) => custom?.name ?? []));
  return Array.from({ length: n ?? 1 }, (_, index) => {
    const written = write(assignment, index);
    const thinking = writeThinking(assignment.prompt, written.reasoningTokens, index);
    return { written, index, thinking, serial, customNames };
  });
}

function toolsFor(body: ChatBody, { text, step }: Prompt): WishedOffer[] {
  const isParallel = body.parallel_tool_calls !== false;
  return toolsToCall(readChatChoice(body), { text, step, isParallel });
}

function assign(
  body: ChatBody,
  prompt: Prompt,
  given: Pick<Assignment, "words" | "isFiltered" | "toolsToCall">,
): Assignment {
  return {
    ...given,
    prompt: withoutDirectives(prompt.text),
    attachments: prompt.attachments,
    toolResults: prompt.toolResults,
    shape: shapeOf(body.response_format),
    tokensMax: body.max_completion_tokens ?? body.max_tokens ?? null,
    stop: [body.stop ?? []].flat(),
    reasoningTokens: reasoningTokensFor(body.reasoning_effort),
  };
}

function shapeOf(format: ChatBody["response_format"]): Shape {
  if (format?.type === "json_object") return { kind: "object" };
  if (format?.type !== "json_schema") return { kind: "prose" };
  const { schema, strict } = format.json_schema ?? {};
  return { kind: "schema", schema: schema ?? { type: "object" }, isStrict: strict === true };
}

function renderChoice(choice: ChatChoice): object {
  const { written, index, thinking } = choice;
  const calls = written.calls.map((call, at) => ({
    id: callId(choice, at),
    ...(isCustom(choice, call)
      ? { type: "custom", custom: { name: call.name, input: customInput(call) } }
      : { type: "function", function: call }),
  }));
  return {
    index,
    message: {
      role: "assistant",
      content: written.text,
      ...(thinking === "" ? {} : { reasoning_content: thinking }),
      refusal: null,
      annotations: [],
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
    logprobs: null,
    finish_reason: finishReasons[written.finish],
  };
}

/** The role first, then what is thought, said or called, then why it ended. */
function chunkChoice(choice: ChatChoice): object[] {
  const { written, index, thinking } = choice;
  const chunk = (delta: object, finishReason: string | null = null): object => ({
    index,
    delta,
    logprobs: null,
    finish_reason: finishReason,
  });
  const content = written.text === null ? null : "";
  return [
    chunk({ role: "assistant", content, refusal: null }),
    ...splitWords(thinking).map((piece) => chunk({ reasoning_content: piece })),
    ...splitWords(written.text ?? "").map((piece) => chunk({ content: piece })),
    ...callDeltas(choice).map((call) => chunk({ tool_calls: [call] })),
    chunk({}, finishReasons[written.finish]),
  ];
}

/** Each call with its id and name once, then its input in pieces. */
function callDeltas(choice: ChatChoice): object[] {
  return choice.written.calls.flatMap((call, index): object[] => {
    const { name, arguments: text } = call;
    const head = { index, id: callId(choice, index) };
    if (isCustom(choice, call)) {
      const pieces = splitArguments(customInput(call));
      const rest = pieces.map((input) => ({ index, custom: { input } }));
      return [{ ...head, type: "custom", custom: { name, input: "" } }, ...rest];
    }
    const rest = splitArguments(text).map((piece) => ({ index, function: { arguments: piece } }));
    return [{ ...head, type: "function", function: { name, arguments: "" } }, ...rest];
  });
}

function isCustom({ customNames }: ChatChoice, { name }: WrittenCall): boolean {
  return customNames.has(name);
}

function callId({ serial, index }: ChatChoice, call: number): string {
  return `call_${serial}_${index}_${call}`;
}
