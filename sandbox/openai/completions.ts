// Legacy completions: one or more prompts in, plain text out.
import { readFaults, withoutDirectives } from "../directives.ts";
import { countTokens } from "../writer/tokens.ts";
import { type Assignment, write, type Written } from "../writer/write.ts";
import { type CompletionBody, parseCompletion } from "./schema.ts";
import { encodeChunks, splitWords } from "./stream.ts";
import { usageOf } from "./usage.ts";
import { secondsOf, type Work, type WorkContext } from "./work.ts";

const defaultTokensMax = 16;

interface PlainPrompt {
  text: string;
  tokens: number;
}

export function prepareCompletion(json: unknown, context: WorkContext): Work {
  const body = parseCompletion(json);
  const prompts = readPrompts(body.prompt);
  const faults = readFaults(prompts.map(({ text }) => text).join("\n"), context.bearer);
  const given = { words: context.words, isFiltered: faults.filter };
  const choices = prompts.flatMap(({ text }) => {
    const assignment = assign(body, withoutDirectives(text), given);
    return Array.from({ length: body.n ?? 1 }, (_, index) => write(assignment, index));
  });
  const promptTokens = prompts.reduce((total, { tokens }) => total + tokens, 0);
  const usage = usageOf(promptTokens, choices);
  const { model } = body;
  const object = "text_completion";
  const head = { id: `cmpl-${context.serial}`, object, created: secondsOf(context), model };
  const events = (): Uint8Array[] =>
    encodeChunks({
      head,
      choices: choices.map((choice, index) => chunkChoice(choice, index)),
      usage: body.stream_options?.include_usage && !faults.noUsage ? usage : null,
      faults,
    });
  return {
    model,
    faults,
    body: () => ({
      ...head,
      choices: choices.map((choice, index) => renderChoice(choice, index)),
      ...(faults.noUsage ? {} : { usage }),
    }),
    events: body.stream === true ? events : null,
  };
}

/** Also reads the input of embeddings, which has the same forms. */
export function readPrompts(prompt: CompletionBody["prompt"]): PlainPrompt[] {
  if (typeof prompt === "string") return [textPrompt(prompt)];
  if (prompt.every((entry) => typeof entry === "number")) return [idsPrompt(prompt.length)];
  return prompt.map((entry) =>
    typeof entry === "string" ? textPrompt(entry) : idsPrompt([entry].flat().length),
  );
}

function textPrompt(text: string): PlainPrompt {
  return { text, tokens: Math.max(1, countTokens(text)) };
}

/** Token ids cannot be read here; only their number is known. */
function idsPrompt(count: number): PlainPrompt {
  return { text: `${count} token ids`, tokens: Math.max(1, count) };
}

function assign(
  body: CompletionBody,
  prompt: string,
  given: Pick<Assignment, "words" | "isFiltered">,
): Assignment {
  return {
    ...given,
    prompt,
    attachments: [],
    toolResults: [],
    toolsToCall: [],
    shape: { kind: "prose" },
    tokensMax: body.max_tokens ?? defaultTokensMax,
    stop: [body.stop ?? []].flat(),
    reasoningTokens: 0,
  };
}

function renderChoice({ text, finish }: Written, index: number): object {
  return { text, index, logprobs: null, finish_reason: finishReasonOf(finish) };
}

function chunkChoice({ text, finish }: Written, index: number): object[] {
  const chunk = (piece: string, finishReason: string | null): object => ({
    text: piece,
    index,
    logprobs: null,
    finish_reason: finishReason,
  });
  const pieces = splitWords(text ?? "").map((piece) => chunk(piece, null));
  return [...pieces, chunk("", finishReasonOf(finish))];
}

function finishReasonOf(finish: Written["finish"]): string {
  return finish === "filter" ? "content_filter" : finish;
}
