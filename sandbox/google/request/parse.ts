// A request to generate, from untrusted JSON: known fields only, and every rule kept.
import type { Json } from "../../../src/core/json.ts";
import { invalid } from "../errors.ts";
import { checkContents, checkParts, requireContents } from "./contents.ts";
import { generateRequest, type GenerateRequest } from "./messages.ts";
import type { Read } from "./readers.ts";
import { checkSettings } from "./settings.ts";
import { checkTools } from "./tools.ts";

export function parseGenerate(json: Json, model: string): GenerateRequest {
  const given = generateRequest(json, "");
  const contents = requireContents(given.contents);
  checkContents(contents, model);
  if (given.systemInstruction) {
    checkParts(given.systemInstruction.parts, "GenerateContentRequest.system_instruction");
  }
  checkTools(given);
  checkSettings(given.generationConfig ?? {}, model);
  checkCache(given);
  return { ...given, contents };
}

/** Instructions and tools are part of what was cached. */
function checkCache(given: Read<typeof generateRequest>): void {
  const { cachedContent, systemInstruction, tools, toolConfig } = given;
  if (cachedContent === undefined) return;
  if (!/^cachedContents\/[^/]+$/.test(cachedContent)) {
    throw invalid("* GenerateContentRequest.cached_content: is no name of a cached content.");
  }
  if (systemInstruction || tools || toolConfig) {
    throw invalid(
      "CachedContent can not be used with GenerateContent request setting system_instruction, " +
        "tools or tool_config.",
    );
  }
}
