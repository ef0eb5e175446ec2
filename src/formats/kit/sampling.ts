// Sampling that a model does not take is left out of the body on its way to it, on every wire and
// whether the body was converted or not.
import { samplingOf } from "../../catalogue/rules/model-sampling.ts";
import type { JsonObject } from "../../core/json.ts";
import type { LeftOut } from "../format.ts";

const none: readonly LeftOut[] = [];
/** Fields on the wires of OpenAI and Anthropic, which call them the same. */
const fields = [
  ["temperature", "temperature"],
  ["top_p", "topP"],
  ["top_k", "topK"],
  ["presence_penalty", "presencePenalty"],
  ["frequency_penalty", "frequencyPenalty"],
] as const satisfies [name: string, field: LeftOut["field"]][];

/** Values a model takes while it reasons although it takes no other: next to nothing is drawn. */
const usual: Readonly<Record<string, (value: number) => boolean>> = {
  temperature: (value) => value === 1,
  top_p: (value) => value >= 0.95,
};

const names = fields.map(([name]) => name);

function hasSampling(body: JsonObject): boolean {
  for (const name of names) if (typeof body[name] === "number") return true;
  return false;
}

/** Changes the body, which is the upstream's own copy. */
export function dropSampling(
  body: JsonObject,
  model: string,
  isReasoning: (body: JsonObject, model: string) => boolean,
): readonly LeftOut[] {
  if (!hasSampling(body)) return none;
  const { taken, whileReasoning } = samplingOf(model);
  if (taken === "all" && whileReasoning === "all") return none;
  const rest = taken !== "none" && isReasoning(body, model) ? whileReasoning : taken;
  const left: LeftOut[] = [];
  for (const [name, field] of fields) {
    const value = body[name];
    if (typeof value !== "number") continue;
    const isSecond = taken === "one" && name === "top_p" && typeof body["temperature"] === "number";
    const isRefused = rest === "none" || (rest === "usual" && !usual[name]?.(value));
    if (!isSecond && !isRefused) continue;
    delete body[name];
    // A penalty of 0 is none, and many clients always send it.
    if (value !== 0 || !name.endsWith("_penalty")) left.push({ name, field });
  }
  return left;
}
