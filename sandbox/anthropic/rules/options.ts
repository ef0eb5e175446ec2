// Rules for the settings of a request, each on its own and next to the others.
import { invalid, Refusal } from "../errors.ts";
import type { CountBody, MessagesBody } from "../request/schema.ts";
import { segmentsOf } from "../segments.ts";
import { isThinkingOn } from "../request/thinking-schema.ts";
import { type CustomTool, isCustom } from "../request/tool-schema.ts";
import { hasTrait, outputTokensMax } from "./model-limits.ts";
import { checkOutputSchema } from "./output-schema.ts";

export function checkOptions(body: CountBody): void {
  checkThinking(body);
  checkEffort(body);
  checkTools(body);
  checkToolChoice(body);
  const { format } = body.output;
  if (format) checkOutputSchema(format.schema, "output_config.format.schema");
}

const cacheMarksMax = 4;

export function checkCacheMarks(body: CountBody): void {
  const marks = segmentsOf(body).filter(({ mark }) => mark !== null).length;
  if (marks <= cacheMarksMax) return;
  const message = `A maximum of ${cacheMarksMax} blocks with cache_control may be provided.`;
  throw new Refusal(400, `${message} Found ${marks}.`);
}

export function checkLimits({ model, maxTokens, stopSequences, thinking }: MessagesBody): void {
  const most = outputTokensMax(model);
  if (most !== null && maxTokens > most) {
    const limit = `which is the maximum allowed number of output tokens for ${model}`;
    throw invalid("max_tokens", `${maxTokens} > ${most}, ${limit}`);
  }
  if (stopSequences.some((sequence) => sequence.trim() === "")) {
    throw invalid("stop_sequences", "each stop sequence must contain non-whitespace");
  }
  if (thinking?.type === "enabled" && thinking.budget_tokens >= maxTokens) {
    throw new Refusal(400, "`max_tokens` must be greater than `thinking.budget_tokens`.");
  }
}

/** Newer models take the sampling parameters only where they change nothing. */
export function checkSampling({ model, sampling, thinking }: MessagesBody): void {
  const { temperature = 1, top_p: topP = 1, top_k: topK } = sampling;
  if (hasTrait(model, "refusesSampling")) {
    const isUsed = {
      temperature: temperature !== 1,
      top_p: topP < 0.99,
      top_k: topK !== undefined,
    };
    for (const [name, isRefused] of Object.entries(isUsed)) {
      if (isRefused) throw new Refusal(400, `\`${name}\` is deprecated for this model.`);
    }
  }
  if (!isThinkingOn(thinking)) return;
  const when = "when thinking is enabled or in adaptive mode.";
  if (temperature !== 1) throw new Refusal(400, `\`temperature\` may only be set to 1 ${when}`);
  if (topK !== undefined) throw new Refusal(400, `\`top_k\` must be unset ${when}`);
  if (topP < 0.95) throw new Refusal(400, `\`top_p\` must be at least 0.95 or unset ${when}`);
}

function checkThinking({ model, thinking }: CountBody): void {
  if (thinking?.type === "adaptive" && hasTrait(model, "hasAdaptiveThinking") === false) {
    throw new Refusal(400, "adaptive thinking is not supported on this model");
  }
  const isRefused =
    (thinking?.type === "enabled" && hasTrait(model, "refusesBudgets")) ||
    (thinking?.type === "disabled" && hasTrait(model, "alwaysThinks"));
  if (isRefused) {
    throw new Refusal(400, `"thinking.type.${thinking.type}" is not supported for this model.`);
  }
}

function checkEffort({ model, output: { effort } }: CountBody): void {
  const trait = effort === "xhigh" ? "hasVeryHighEffort" : "hasEffort";
  if (typeof effort === "string" && hasTrait(model, trait) === false) {
    throw new Refusal(400, `This model does not support the effort level '${effort}'.`);
  }
}

function checkTools({ tools }: CountBody): void {
  const names = tools.map(({ name }) => name).filter((name) => name !== undefined);
  if (new Set(names).size < names.length) throw invalid("tools", "Tool names must be unique.");
  tools.forEach((tool, at) => {
    if (isCustom(tool)) checkInputSchema(tool, `tools.${at}.custom.input_schema`);
  });
}

function checkInputSchema({ input_schema: schema, strict }: CustomTool, path: string): void {
  if ("oneOf" in schema || "anyOf" in schema || "allOf" in schema) {
    const message = "input_schema does not support oneOf, allOf, or anyOf at the top level";
    throw invalid(path, message);
  }
  if (strict === true) checkOutputSchema(schema, path);
}

function checkToolChoice({ model, tools, toolChoice: choice, thinking }: CountBody): void {
  if (!choice) return;
  if (tools.length === 0) {
    throw invalid("tool_choice", "may only be specified while providing tools.");
  }
  if (choice.type === "tool" && !tools.some(({ name }) => name === choice.name)) {
    throw new Refusal(400, `Tool '${choice.name}' not found in provided tools`);
  }
  if (choice.type !== "any" && choice.type !== "tool") return;
  if (thinking?.type === "enabled") {
    throw new Refusal(400, "Thinking may not be enabled when tool_choice forces tool use.");
  }
  if (hasTrait(model, "refusesForcedTools")) {
    throw invalid("tool_choice", "this model does not support forced tool use.");
  }
}
