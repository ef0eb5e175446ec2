// What a messages body loses because its model would refuse it.
import type { JsonObject } from "../../../core/json.ts";
import type { LeftOut } from "../../format.ts";
import { dropSampling } from "../../kit/sampling.ts";
import { readObject, readText } from "../wire/fields.ts";

export function fitMessages(body: JsonObject, model: string): readonly LeftOut[] {
  return dropSampling(body, model, isThinking);
}

function isThinking({ thinking }: JsonObject): boolean {
  const type = readText(readObject(thinking)["type"]);
  return type !== null && type !== "disabled";
}
