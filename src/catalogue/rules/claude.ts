// Rules of Anthropic's models, as data. A model has all that the rows up to its version say; a name
// that is not understood counts as a new model, of whose sampling nothing is known.
import { remembered } from "./remembered.ts";
import { refusesSampling, takesSampling, type SamplingRule } from "./sampling.ts";

export interface ClaudeRules {
  /** Form of the wanted amount of thinking, in tokens or left to the model. */
  thinking: "none" | "budget" | "adaptive";
  /** Values of `output_config.effort`; empty where there is no such field. */
  efforts: readonly string[];
  /** Field that switches thinking off; null where it cannot be. */
  off: "disabled" | "between_tools" | null;
  hasStructuredOutput: boolean;
  sampling: SamplingRule;
  /** A call of a tool may be forced, as long as the model does not think by a budget. */
  canBeForced: boolean;
  /** The most that `max_tokens` may be; null where that is not known. */
  outputTokensMax: number | null;
}

interface Row {
  /** Null for every line of models. */
  line: string | null;
  from: number;
  has: Partial<ClaudeRules>;
}

const oldest: ClaudeRules = {
  thinking: "none",
  efforts: [],
  off: "disabled",
  hasStructuredOutput: false,
  sampling: { taken: "all", whileReasoning: "usual" },
  canBeForced: true,
  outputTokensMax: 4096,
};

const allEfforts = ["low", "medium", "high", "xhigh", "max"];

const oneOfTwo: SamplingRule = { taken: "one", whileReasoning: "usual" };
const newest = { efforts: allEfforts, sampling: refusesSampling };

/** Versions are written without their dot: 4-6 is 406. */
const rows: readonly Row[] = [
  { line: null, from: 305, has: { outputTokensMax: 8192 } },
  { line: null, from: 307, has: { thinking: "budget", outputTokensMax: 64_000 } },
  { line: "opus", from: 400, has: { outputTokensMax: 32_000 } },
  { line: "opus", from: 401, has: { hasStructuredOutput: true, sampling: oneOfTwo } },
  {
    line: null,
    from: 405,
    has: { hasStructuredOutput: true, sampling: oneOfTwo, outputTokensMax: 64_000 },
  },
  { line: "opus", from: 405, has: { efforts: ["low", "medium", "high"] } },
  {
    line: null,
    from: 406,
    has: {
      thinking: "adaptive",
      efforts: ["low", "medium", "high", "max"],
      outputTokensMax: 128_000,
    },
  },
  { line: "opus", from: 407, has: newest },
  { line: "sonnet", from: 500, has: newest },
  { line: "fable", from: 500, has: { ...newest, off: null } },
  { line: "haiku", from: 505, has: newest },
  { line: "fable", from: 501, has: { canBeForced: false } },
  { line: "opus", from: 505, has: { off: null, canBeForced: false } },
  { line: "sonnet", from: 505, has: { off: "between_tools", canBeForced: false } },
];

const unknown: ClaudeRules = {
  thinking: "adaptive",
  efforts: allEfforts,
  off: "disabled",
  hasStructuredOutput: true,
  sampling: takesSampling,
  canBeForced: true,
  outputTokensMax: null,
};

export const claudeRulesOf = remembered(findRules);

function findRules(model: string): ClaudeRules {
  const version = readVersion(model);
  if (!version) return unknown;
  let rules = oldest;
  for (const { line, from, has } of rows) {
    const isMeant = version.number >= from && (line === null || line === version.line);
    if (isMeant) rules = { ...rules, ...has };
  }
  return rules;
}

/** A number of more than two digits is a date. */
const lineFirst = /claude-([a-z]+)-(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?/;
const numberFirst = /claude-(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?/;

function readVersion(model: string): { line: string | null; number: number } | null {
  const name = model.toLowerCase().replaceAll(".", "-");
  const [, line = null, ...numbers] = lineFirst.exec(name) ?? [];
  if (line !== null) return { line, number: toNumber(numbers) };
  const old = numberFirst.exec(name);
  return old && { line: null, number: toNumber(old.slice(1)) };
}

function toNumber([major = "0", minor = "0"]: (string | undefined)[]): number {
  return Number(major) * 100 + Number(minor);
}
