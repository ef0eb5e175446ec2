// Take out of a messages body the fields that its model would refuse. Thinking that is left to the
// model is put as a budget where the model wants one, and goes where it cannot think at all.
import { claudeRulesOf } from "../../../catalogue/rules/claude.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { LeftOut } from "../../format.ts";
import { dropSampling } from "../../kit/sampling.ts";
import { readNumber, readObject, readText } from "../../kit/fields.ts";
import { resumesWithoutThinking } from "./open-turn.ts";
import { encodeThinking } from "../../kit/claude/thinking.ts";

const thinkingLeftOut: LeftOut = { name: "thinking", field: "reasoning" };
const effortLeftOut: LeftOut = { name: "output_config.effort", field: "reasoning" };

export function fitMessages(body: JsonObject, model: string): readonly LeftOut[] {
  const left = readObject(body["thinking"])["type"] === "adaptive" ? fitThinking(body, model) : [];
  return [...left, ...dropSampling(body, model, isThinking)];
}

function fitThinking(body: JsonObject, model: string): LeftOut[] {
  const capabilities = claudeRulesOf(model);
  if (capabilities.thinking === "adaptive") return [];
  const { thinking } = encodeThinking({
    reasoning: { effort: null, budgetTokens: null, isShown: null },
    capabilities,
    maxTokens: readNumber(body["max_tokens"]) ?? 0,
    isBarred: resumesWithoutThinking(body["messages"]),
  });
  if (thinking) body["thinking"] = thinking;
  else delete body["thinking"];
  const left = thinking ? [] : [thinkingLeftOut];
  return capabilities.efforts.length === 0 && dropEffort(body) ? [...left, effortLeftOut] : left;
}

function dropEffort(body: JsonObject): boolean {
  const { effort, ...rest } = readObject(body["output_config"]);
  if (effort === undefined) return false;
  if (Object.keys(rest).length > 0) body["output_config"] = rest;
  else delete body["output_config"];
  return true;
}

function isThinking({ thinking }: JsonObject): boolean {
  const type = readText(readObject(thinking)["type"]);
  return type !== null && type !== "disabled";
}
