// Generating: reads the conversation, has it answered, writes the answer in Google's form.
import { type Faults, readFaults, withoutDirectives } from "../directives.ts";
import { readJobPlan } from "../jobs.ts";
import { seedOf } from "../writer/seed.ts";
import { writeProse } from "../writer/text.ts";
import { type Assignment, type Shape, write, type Written } from "../writer/write.ts";
import { type CandidateStyle, renderCandidate } from "./candidate.ts";
import { checkGiven, wantsImage } from "./images/config.ts";
import { imageWork } from "./images/generate.ts";
import { type Prompt, readPrompt } from "./prompt.ts";
import type { GenerateRequest, GenerationConfig } from "./request/messages.ts";
import { parseGenerate } from "./request/parse.ts";
import { toJsonSchema } from "./request/schema.ts";
import { safetyRatings } from "./safety.ts";
import { isSigning } from "./signatures.ts";
import { renderChunks } from "./stream.ts";
import { thinkingOf } from "./thinking.ts";
import { toolsToCall } from "./tools.ts";
import { outputOf, usageOf } from "./usage.ts";
import type { Prepare, Work, WorkContext } from "./work.ts";

const thoughtWords = 14;

export const prepareGenerate: Prepare = (json, context) => {
  const request = parseGenerate(json, context.model);
  const prompt = readPrompt(request);
  const faults = readFaults(prompt.text, context.key);
  const plainPrompt = withoutDirectives(prompt.text);
  const isBlocked = faults.filter && /\bblock\b/i.test(plainPrompt);
  if (isBlocked) return blockedWork(prompt, faults, context);
  const config = request.generationConfig ?? {};
  if (!wantsImage(config)) return answeredWork({ request, prompt, plainPrompt, faults }, context);
  checkGiven(request);
  const { outcome } = readJobPlan(prompt.text, context.key);
  return imageWork({ config, prompt, faults, outcome }, context);
};

interface Asked {
  request: GenerateRequest;
  prompt: Prompt;
  plainPrompt: string;
  faults: Faults;
}

function answeredWork({ request, prompt, plainPrompt, faults }: Asked, context: WorkContext): Work {
  const config = request.generationConfig ?? {};
  const thinking = thinkingOf(config, context.model);
  const assignment: Assignment = {
    prompt: plainPrompt,
    attachments: prompt.attachments,
    toolResults: prompt.toolResults,
    toolsToCall: toolsToCall(request, prompt),
    shape: shapeOf(config),
    words: context.words,
    tokensMax: config.maxOutputTokens ?? null,
    stop: config.stopSequences ?? [],
    reasoningTokens: thinking.tokens,
    isFiltered: faults.filter,
  };
  const thought = thinking.isShown ? writeThought(plainPrompt) : null;
  const candidates = Array.from({ length: config.candidateCount ?? 1 }, (_, index) => {
    const written = write(assignment, index);
    const isBare = config.responseMimeType === "text/x.enum";
    return {
      written: isBare ? withoutQuotes(written) : written,
      style: styleOf(index, thought, context),
    };
  });
  const head = headOf(context);
  const counted = faults.noUsage ? null : prompt;
  return {
    faults,
    body: () => ({
      candidates: candidates.map((candidate) => ({
        ...renderCandidate(candidate),
        ...(config.responseLogprobs ? { avgLogprobs: -0.25 } : {}),
      })),
      ...(counted && { usageMetadata: usageOf(counted, outputOf(candidates)) }),
      ...head,
    }),
    chunks: () => renderChunks({ candidates, prompt: counted, head }),
  };
}

/** The prompt itself was caught: there is no candidate at all. */
function blockedWork(prompt: Prompt, faults: Faults, context: WorkContext): Work {
  const output = { candidateTokens: 0, thoughtTokens: 0 };
  const body = {
    promptFeedback: { blockReason: "SAFETY", safetyRatings: safetyRatings(true) },
    ...(faults.noUsage ? {} : { usageMetadata: usageOf(prompt, output) }),
    ...headOf(context),
  };
  return { faults, body: () => body, chunks: () => [body] };
}

function shapeOf(config: GenerationConfig): Shape {
  const { responseMimeType, responseSchema, responseJsonSchema } = config;
  const schema = responseSchema ? toJsonSchema(responseSchema) : responseJsonSchema;
  if (schema !== undefined) return { kind: "schema", schema, isStrict: true };
  return { kind: responseMimeType === "application/json" ? "object" : "prose" };
}

/** The value of an enumeration comes as plain text. */
function withoutQuotes(written: Written): Written {
  return { ...written, text: written.text?.replace(/^"|"$/g, "") ?? null };
}

function writeThought(prompt: string): string {
  return `**Weighing the question**\n\n${writeProse(prompt, seedOf("thought"), thoughtWords)}\n`;
}

function styleOf(index: number, thought: string | null, context: WorkContext): CandidateStyle {
  const isSigned = isSigning(context.model);
  const callPrefix = isSigned ? `call_${context.serial}_${index}` : null;
  return { index, thought, isSigned, callPrefix };
}

function headOf({ model, serial }: WorkContext): object {
  return { modelVersion: model, responseId: `sandbox-${serial}` };
}
