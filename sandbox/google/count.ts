// Counting the tokens of contents, or of a whole request.
import { readFaults } from "../directives.ts";
import { invalid } from "./errors.ts";
import { readPrompt } from "./prompt.ts";
import { checkParts, requireContents } from "./request/contents.ts";
import { countRequest, type GenerateRequest } from "./request/messages.ts";
import type { Read } from "./request/readers.ts";
import { detailsOf, totalOf, unlessZero } from "./usage.ts";
import type { Prepare } from "./work.ts";

export const prepareCount: Prepare = (json, { model, key }) => {
  const prompt = readPrompt(requestOf(countRequest(json, ""), model));
  return {
    faults: readFaults(prompt.text, key),
    body: () => ({
      totalTokens: totalOf(prompt.tokens),
      ...unlessZero("cachedContentTokenCount", prompt.cachedTokens),
      promptTokensDetails: detailsOf(prompt.tokens),
    }),
  };
};

/** A conversation that is only counted need not be one that the model could answer. */
function requestOf(given: Read<typeof countRequest>, model: string): GenerateRequest {
  const { contents, generateContentRequest: whole } = given;
  if (contents && whole) {
    throw invalid("* CountTokensRequest: contents and generate_content_request exclude each other");
  }
  if (whole && whole.model !== `models/${model}`) {
    const at = "CountTokensRequest.generate_content_request.model";
    throw invalid(`* ${at}: must be the model of the address.`);
  }
  const counted = requireContents(contents ?? whole?.contents);
  counted.forEach(({ parts }, index) => checkParts(parts, `CountTokensRequest.contents[${index}]`));
  return { ...whole, contents: counted };
}
