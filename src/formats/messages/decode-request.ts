// A messages request as a neutral exchange.
import { invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import {
  noHints,
  noSampling,
  type Effort,
  type Exchange,
  type FieldNames,
  type Hints,
  type OutputShape,
  type Reasoning,
  type TextPart,
} from "../exchange.ts";
import type { TextRequest } from "../format.ts";
import { usualNames } from "../kit/openai-exchange.ts";
import { unsupported } from "../kit/refuse.ts";
import { decodeContent } from "./decode-content.ts";
import { decodeTools } from "./decode-tools.ts";
import { decodeTurns } from "./decode-turns.ts";
import { isSet, readNumber, readObject, readText } from "../kit/fields.ts";

const names: FieldNames = {
  ...usualNames,
  userId: "metadata.user_id",
  cacheKey: "cache_control",
  safety: "safety",
  stop: "stop_sequences",
  parallelCalls: "tool_choice.disable_parallel_tool_use",
  shape: "output_config.format",
  reasoning: "thinking",
  outputTokensMax: "max_tokens",
};

/** Without them another thing would be asked for, and no other dialect has them. */
const untranslatable = ["container", "inference_geo"];
const hintFields = ["cache_control", "context_management", "diagnostics"];

export function decodeRequest(body: JsonObject, { model }: TextRequest): Exchange {
  for (const name of untranslatable) if (isSet(body[name])) throw unsupported(name);
  const { mcp_servers: servers } = body;
  if (Array.isArray(servers) && servers.length > 0) throw unsupported("mcp_servers");
  // Asking for no output fills the vendor's cache; others would answer.
  if (body["max_tokens"] === 0) throw unsupported("max_tokens");
  const ignored = hintFields.filter((name) => isSet(body[name]));
  if (body["speed"] === "fast") ignored.push("speed");
  const { task_budget: taskBudget } = readObject(body["output_config"]);
  if (isSet(taskBudget)) ignored.push("output_config.task_budget");
  return {
    model,
    system: decodeSystem(body["system"], ignored),
    turns: decodeTurns(body["messages"], ignored),
    ...decodeTools(body, ignored),
    shape: decodeShape(body),
    reasoning: decodeReasoning(body),
    outputTokensMax: readNumber(body["max_tokens"]),
    choices: 1,
    stop: readTexts(body["stop_sequences"]),
    sampling: {
      ...noSampling,
      temperature: readNumber(body["temperature"]),
      topP: readNumber(body["top_p"]),
      topK: readNumber(body["top_k"]),
    },
    hints: decodeHints(body),
    names,
    ignored,
  };
}

function decodeSystem(system: unknown, ignored: string[]): TextPart[] {
  return decodeContent(system, "system", ignored).map((part) => {
    if (part.kind === "media") throw unsupported(part.at);
    return part;
  });
}

function decodeShape(body: JsonObject): OutputShape | null {
  const { format } = readObject(body["output_config"]);
  const { type, schema } = readObject(format ?? body["output_format"]);
  if (type !== "json_schema") return null;
  return {
    kind: "schema",
    name: "answer",
    description: null,
    schema: readObject(schema),
    isStrict: null,
  };
}

const efforts: ReadonlySet<string> = new Set<Effort>([
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
]);

function isEffort(word: string): word is Effort {
  return efforts.has(word);
}

function decodeReasoning(body: JsonObject): Reasoning | null {
  const effort = decodeEffort(body);
  const { type, budget_tokens: budget, display } = readObject(body["thinking"]);
  switch (type) {
    case undefined:
    case null:
      return effort && { effort, budgetTokens: null, isShown: null };
    case "disabled":
      return { effort: "none", budgetTokens: null, isShown: null };
    case "enabled":
    case "adaptive":
    case "between_tools":
      return {
        effort,
        budgetTokens: readNumber(budget),
        isShown: display !== "omitted",
        ...(type === "adaptive" && effort === null && { isAdaptive: true }),
      };
    default:
      throw invalid("thinking.type", "is not known");
  }
}

function decodeEffort(body: JsonObject): Effort | null {
  const inner = readText(readObject(body["output_config"])["effort"]);
  const word = inner ?? readText(body["effort"]);
  if (word === null) return null;
  if (!isEffort(word)) {
    throw invalid(inner === null ? "effort" : "output_config.effort", "is not known");
  }
  return word;
}

function decodeHints(body: JsonObject): Hints {
  const { user_id: userId, ...rest } = readObject(body["metadata"]);
  const pairs = Object.entries(rest).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const tier = readText(body["service_tier"]);
  return {
    ...noHints,
    userId: readText(userId),
    metadata: pairs.length === 0 ? null : Object.fromEntries(pairs),
    serviceTier: tier === "standard_only" ? "default" : tier,
  };
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
