// The bound on the output, which Google reads in either spelling and takes as none when it is 0.
import type { JsonObject } from "../../core/json.ts";
import { numberField, objectField } from "./schema.ts";

export function boundContent(body: JsonObject, outputTokensMax: number): JsonObject {
  const generation = objectField(body, "generationConfig") ?? {};
  const { max_output_tokens: _snake, ...config } = generation;
  const bound = numberField(generation, "maxOutputTokens") || outputTokensMax;
  const { generation_config: _config, ...rest } = body;
  const maxOutputTokens = Math.min(bound, outputTokensMax);
  return { ...rest, generationConfig: { ...config, maxOutputTokens } };
}
