// Rules of OpenAI's models, as data, one line a model. The vendor's own words have the last say: a
// field that it refuses is taken out, whatever stands here.
import { remembered } from "./remembered.ts";
import { refusesSampling, takesSampling, type SamplingRule } from "./sampling.ts";

export type EffortWord = "none" | "minimal" | "low" | "medium" | "high" | "xhigh";

interface GptRules {
  sampling: SamplingRule;
  /** Values of its effort, the least first; empty where the field itself is refused. */
  efforts: readonly EffortWord[];
  /** Without being asked to. */
  reasons: boolean;
  /** In chat completions it takes tools only where it does not reason. */
  isIdleWithTools: boolean;
  /** The older name of the bound on its output is refused. */
  hasNewBound: boolean;
}

const idle: SamplingRule = { taken: "all", whileReasoning: "none" };
const plain: GptRules = {
  sampling: takesSampling,
  efforts: [],
  reasons: false,
  isIdleWithTools: false,
  hasNewBound: false,
};
const reasoner: GptRules = {
  ...plain,
  sampling: refusesSampling,
  efforts: ["low", "medium", "high"],
  reasons: true,
  hasNewBound: true,
};
/** Reasons only when it is asked to, and is like the older ones until then. */
const onRequest: GptRules = { ...reasoner, sampling: idle, reasons: false };
const toXhigh: readonly EffortWord[] = ["low", "medium", "high", "xhigh"];

/**
 * The first row whose pattern fits the model's name says what holds. Resellers put something before
 * it, and have rules of their own.
 */
const rows: readonly [RegExp, GptRules][] = [
  [/^gpt-oss/, { ...plain, efforts: ["low", "medium", "high"], reasons: true }],
  [/^gpt-[34]/, plain],
  [/^o1-(?:mini|preview)/, { ...reasoner, efforts: [] }],
  [/^o\d/, reasoner],
  [/^gpt-5[\d.]*-chat/, { ...plain, hasNewBound: true }],
  [/^gpt-5-pro/, { ...reasoner, efforts: ["high"] }],
  [/^gpt-5-codex/, reasoner],
  [/^gpt-5(?![.\d])/, { ...reasoner, efforts: ["minimal", "low", "medium", "high"] }],
  [/^gpt-5\.\d+-pro/, { ...reasoner, efforts: ["medium", "high", "xhigh"] }],
  [/^gpt-5\.1-codex(?!-max)/, reasoner],
  [/^gpt-5\.\d+-codex/, { ...reasoner, efforts: toXhigh }],
  [/^gpt-5\.1(?!\d)/, { ...onRequest, efforts: ["none", "low", "medium", "high"] }],
  [/^gpt-5\.[23](?!\d)/, { ...onRequest, efforts: ["none", ...toXhigh] }],
  [/^gpt-(?:[5-9]|\d\d)/, { ...onRequest, efforts: ["none", ...toXhigh], isIdleWithTools: true }],
];

/** Null for a name that says nothing. */
export const gptRulesOf = remembered(
  (model): GptRules | null => rows.find(([pattern]) => pattern.test(model))?.[1] ?? null,
);
