// The rules of generationConfig, some of which depend on the model.
import { invalid } from "../errors.ts";
import { checkImageConfig } from "../images/config.ts";
import type { GenerationConfig } from "./messages.ts";
import { snakeCase } from "./readers.ts";
import { checkSchema } from "./schema.ts";

const at = "GenerateContentRequest.generation_config";
const stopSequencesMax = 5;
const mediaTypes = ["text/plain", "application/json", "text/x.enum"];

const ranges = [
  ["temperature", 0, 2],
  ["topP", 0, 1],
  ["candidateCount", 1, 8],
  ["presencePenalty", -2, 2],
  ["frequencyPenalty", -2, 2],
] as const satisfies [keyof GenerationConfig, number, number][];

export function checkSettings(config: GenerationConfig, model: string): void {
  for (const [name, low, high] of ranges) {
    const value = config[name];
    if (value !== undefined && (value < low || value > high)) {
      throw invalid(`* ${at}.${snakeCase(name)}: must be in the range [${low}, ${high}].`);
    }
  }
  const { maxOutputTokens = 1, stopSequences = [] } = config;
  if (maxOutputTokens < 1) throw invalid(`* ${at}.max_output_tokens: must be positive.`);
  if (stopSequences.length > stopSequencesMax) {
    throw invalid(`* ${at}.stop_sequences: must not be more than ${stopSequencesMax}.`);
  }
  checkImageConfig(config, model);
  checkOutput(config);
  checkThinking(config, model);
}

function checkOutput({ responseMimeType, responseSchema, responseJsonSchema }: GenerationConfig) {
  const type = responseMimeType ?? "text/plain";
  if (!mediaTypes.includes(type)) {
    throw invalid(`* ${at}.response_mime_type: allowed mimetypes are ${mediaTypes.join(", ")}.`);
  }
  if (responseSchema && responseJsonSchema !== undefined) {
    throw invalid(`* ${at}: response_schema and response_json_schema are mutually exclusive.`);
  }
  if ((responseSchema || responseJsonSchema !== undefined) && type === "text/plain") {
    throw invalid(`* ${at}.response_schema: needs a response_mime_type of application/json.`);
  }
  if (responseSchema) checkSchema(responseSchema, `${at}.response_schema`);
}

function checkThinking({ thinkingConfig = {} }: GenerationConfig, model: string): void {
  const { thinkingBudget: budget, thinkingLevel: level } = thinkingConfig;
  if (budget !== undefined && level !== undefined) {
    throw invalid("You can only set only one of thinking budget and thinking level.");
  }
  const isPro = /gemini-[23].*-pro/.test(model);
  const isOld = /gemini-2\.5/.test(model);
  if (level !== undefined && (isOld || (level === "MINIMAL" && isPro))) {
    throw invalid("Thinking level is not supported for this model.");
  }
  if (budget === undefined || budget === -1) return;
  const [low, high] = isOld && !isPro ? [0, 24_576] : [isPro ? 128 : 0, 32_768];
  if (budget < low || budget > high) {
    throw invalid(`The thinking budget ${budget} is invalid. It must be ${low} to ${high}.`);
  }
}
