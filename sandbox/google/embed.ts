// Embeddings: vectors of length one that are the same for the same text.
import { readFaults } from "../directives.ts";
import { seedOf } from "../writer/seed.ts";
import { invalid } from "./errors.ts";
import { textOf } from "./prompt.ts";
import { checkParts } from "./request/contents.ts";
import { batchEmbedRequest, embedRequest, type EmbedRequest } from "./request/messages.ts";
import type { Prepare } from "./work.ts";

const defaultDimensions = 768;
const dimensionsMax = 3072;
const batchMax = 100;

export const prepareEmbed: Prepare = (json, { key }) => {
  const request = embedRequest(json, "");
  checkRequest(request, "EmbedContentRequest");
  return {
    faults: readFaults(textOf(request.content), key),
    body: () => ({ embedding: vectorOf(request) }),
  };
};

export const prepareBatchEmbed: Prepare = (json, { key, model }) => {
  const { requests = [] } = batchEmbedRequest(json, "");
  if (requests.length === 0 || requests.length > batchMax) {
    throw invalid(`* BatchEmbedContentsRequest.requests: must be 1 to ${batchMax} requests.`);
  }
  requests.forEach((request, index) => {
    const at = `BatchEmbedContentsRequest.requests[${index}]`;
    if (request.model !== `models/${model}`) {
      throw invalid(`* ${at}.model: must be the model of the address.`);
    }
    checkRequest(request, at);
  });
  const texts = requests.map(({ content }) => textOf(content));
  return {
    faults: readFaults(texts.join("\n"), key),
    body: () => ({ embeddings: requests.map(vectorOf) }),
  };
};

function checkRequest({ content, outputDimensionality = 1 }: EmbedRequest, at: string): void {
  if (!content) throw invalid(`* ${at}.content: contents is not specified`);
  checkParts(content.parts, `${at}.content`);
  if (outputDimensionality < 1 || outputDimensionality > dimensionsMax) {
    throw invalid(`* ${at}.output_dimensionality: must be 1 to ${dimensionsMax}.`);
  }
}

function vectorOf({ content, outputDimensionality = defaultDimensions }: EmbedRequest) {
  const seed = seedOf(textOf(content));
  // Far apart for neighbours, and never all zero.
  const values = Array.from({ length: outputDimensionality }, (_, at) => Math.sin(seed * (at + 1)));
  const length = Math.hypot(...values) || 1;
  return { values: values.map((value) => value / length) };
}
