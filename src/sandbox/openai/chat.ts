// Chat completions: reads the conversation, has it answered, writes the answer in OpenAI's form.
import { readFaults, withoutDirectives } from "../directives.ts";
import { type Assignment, type Finish, type Shape, write, type Written } from "../writer/write.ts";
import { type ChatPrompt, readPrompt } from "./prompt.ts";
import { type ChatBody, parseChat } from "./schema.ts";
import { encodeChunks, splitArguments, splitWords } from "./stream.ts";
import { toolsToCall } from "./tools.ts";
import { reasoningTokensFor, usageOf } from "./usage.ts";
import type { Work, WorkContext } from "./work.ts";

const finishReasons = {
  stop: "stop",
  length: "length",
  calls: "tool_calls",
  filter: "content_filter",
} as const satisfies Record<Finish, string>;

const always = { service_tier: "default", system_fingerprint: "fp_sandbox" };

export function prepareChat(json: unknown, context: WorkContext): Work {
  const body = parseChat(json);
  const prompt = readPrompt(body);
  const faults = readFaults(prompt.text, context.bearer);
  const assignment = assign(body, prompt, { words: context.words, isFiltered: faults.filter });
  const choices = Array.from({ length: body.n ?? 1 }, (_, index) => write(assignment, index));
  const usage = usageOf(prompt.tokens, choices);
  const { model } = body;
  const head = { id: `chatcmpl-${context.serial}`, created: context.createdSeconds, model };
  return {
    model,
    isStream: body.stream === true,
    faults,
    body: () => ({
      ...head,
      object: "chat.completion",
      ...always,
      choices: choices.map((choice, index) => renderChoice(choice, index, context.serial)),
      ...(faults.noUsage ? {} : { usage }),
    }),
    events: () =>
      encodeChunks({
        head: { ...head, object: "chat.completion.chunk", ...always },
        choices: choices.map((choice, index) => chunkChoice(choice, index, context.serial)),
        usage: body.stream_options?.include_usage && !faults.noUsage ? usage : null,
        faults,
      }),
  };
}

function assign(
  body: ChatBody,
  prompt: ChatPrompt,
  given: Pick<Assignment, "words" | "isFiltered">,
): Assignment {
  return {
    ...given,
    prompt: withoutDirectives(prompt.text),
    attachments: prompt.attachments,
    toolResults: prompt.toolResults,
    toolsToCall: toolsToCall(body, prompt),
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

function renderChoice(written: Written, index: number, serial: string): object {
  const calls = written.calls.map((call, at) => ({
    id: callId(serial, index, at),
    type: "function",
    function: call,
  }));
  const message = { role: "assistant", content: written.text, refusal: null, annotations: [] };
  return {
    index,
    message: calls.length > 0 ? { ...message, tool_calls: calls } : message,
    logprobs: null,
    finish_reason: finishReasons[written.finish],
  };
}

/** The role first, then what is said or called, then why it ended. */
function chunkChoice(written: Written, index: number, serial: string): object[] {
  const chunk = (delta: object, finishReason: string | null = null): object => ({
    index,
    delta,
    logprobs: null,
    finish_reason: finishReason,
  });
  const content = written.text === null ? null : "";
  const calls = written.calls.flatMap(({ name, arguments: text }, at) => {
    const id = callId(serial, index, at);
    const first = { index: at, id, type: "function", function: { name, arguments: "" } };
    const rest = splitArguments(text).map((piece) => ({
      index: at,
      function: { arguments: piece },
    }));
    return [first, ...rest].map((call) => chunk({ tool_calls: [call] }));
  });
  return [
    chunk({ role: "assistant", content, refusal: null }),
    ...splitWords(written.text ?? "").map((piece) => chunk({ content: piece })),
    ...calls,
    chunk({}, finishReasons[written.finish]),
  ];
}

function callId(serial: string, choice: number, call: number): string {
  return `call_${serial}_${choice}_${call}`;
}
