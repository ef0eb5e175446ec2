// The bound on the output, which Google reads in either spelling and takes as none when it is 0.
import type { JsonObject } from "../../core/json.ts";
import { numberField, objectField } from "./schema.ts";

export function boundContent(body: JsonObject, outputTokensMax: number): void {
  const { max_output_tokens: _snake, ...config } = objectField(body, "generationConfig") ?? {};
  const named = numberField(objectField(body, "generationConfig") ?? {}, "maxOutputTokens");
  delete body["generation_config"];
  const maxOutputTokens = Math.min(named || outputTokensMax, outputTokensMax);
  body["generationConfig"] = { ...config, maxOutputTokens };
}
