// Losses of a body of Converse that its model would refuse, and the bound on its output.
import type { JsonObject } from "../../core/json.ts";
import type { LeftOut } from "../format.ts";
import { readNumber, readObject } from "../kit/fields.ts";
import { dropSampling } from "../kit/sampling.ts";

const inferenceField = "inferenceConfig";
const ownField = "additionalModelRequestFields";

/** Sampling stands in two places here, and is judged as on every wire. */
export function fitConverse(body: JsonObject, model: string): readonly LeftOut[] {
  const inference = readObject(body[inferenceField]);
  const own = readObject(body[ownField]);
  const { temperature, topP: top_p } = inference;
  const { top_k } = own;
  const sampling: JsonObject = { ...numbers({ temperature, top_p, top_k }) };
  const left = dropSampling(sampling, model, () => isThinking(own));
  for (const { name } of left) {
    if (name === "top_k") setField(body, ownField, without(own, "top_k"));
    else setField(body, inferenceField, without(readObject(body[inferenceField]), names[name]));
  }
  return left;
}

const names: Readonly<Record<string, string>> = { temperature: "temperature", top_p: "topP" };

function numbers(values: Record<string, unknown>): JsonObject {
  const known = Object.entries(values).flatMap(([name, value]) => {
    const number = readNumber(value);
    return number === null ? [] : [[name, number] as const];
  });
  return Object.fromEntries(known);
}

function isThinking({ thinking }: JsonObject): boolean {
  const { type } = readObject(thinking);
  return typeof type === "string" && type !== "disabled";
}

function without(holder: JsonObject, name: string | undefined): JsonObject {
  return Object.fromEntries(Object.entries(holder).filter(([field]) => field !== name));
}

/** An empty object says nothing. */
function setField(body: JsonObject, name: string, value: JsonObject): void {
  if (Object.keys(value).length > 0) body[name] = value;
  else delete body[name];
}

export function boundConverse(body: JsonObject, outputTokensMax: number): void {
  const inference = readObject(body[inferenceField]);
  const named = readNumber(inference["maxTokens"]) ?? outputTokensMax;
  body[inferenceField] = { ...inference, maxTokens: Math.min(named, outputTokensMax) };
}
