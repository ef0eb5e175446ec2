// Azure OpenAI and AI Foundry: the formats of OpenAI and Anthropic at a resource's own addresses,
// by its key or by a token of Entra. A model is the name of a deployment there.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { UpstreamDialect } from "../../formats/exchange.ts";
import type { FormatName } from "../../formats/format.ts";
import { gptImages } from "../kit/gpt-image/facet.ts";
import { mendText as mend } from "../kit/mend-text.ts";
import { namesIn } from "../kit/model-names.ts";
import { withNewBound } from "../kit/new-bound.ts";
import { takenBody } from "../kit/video-reply.ts";
import { VendorRefusal, type Upstream, type VendorCall } from "../upstream.ts";
import { azureAddress, azureImages, azureModels, azureStored } from "./address.ts";
import { filterFault, readAzureFault } from "./errors.ts";

const chatFormats: readonly FormatName[] = ["chat", "completions", "embeddings"];
const formats: Readonly<Record<UpstreamDialect, readonly FormatName[]>> = {
  chat: chatFormats,
  responses: ["responses", "embeddings"],
  messages: ["messages"],
  // No address here speaks these.
  content: chatFormats,
  converse: chatFormats,
};

export const azure: Upstream = {
  type: "azure",
  text: {
    formats: (dialect) => formats[dialect ?? "chat"],
    address: azureAddress,
    stored: azureStored,
    adjust: (body, { format, model }) => (format === "chat" ? withNewBound(body, model) : body),
    mend,
  },
  image: gptImages({
    address: ({ target, model }, kind) => azureImages(target, model, kind),
    readFault: readAzureFault,
    inspect: refuseFiltered,
  }),
  check: async (call) => void (await readList(call)),
  models: async (call) => namesIn((await readList(call))["data"] ?? null, "id"),
  readFault: readAzureFault,
};

async function readList({ target, send }: VendorCall): Promise<JsonObject> {
  return takenBody(await send({ method: "GET", address: azureModels(target) }), readAzureFault);
}

/** A filter may leave every picture out of an answer of success, and say so beside them. */
function refuseFiltered({ error, data }: JsonObject): void {
  if (!isObject(error) || (Array.isArray(data) && data.length > 0)) return;
  const { message } = error;
  const words = typeof message === "string" ? message : "The content filter left out the images.";
  throw new VendorRefusal(filterFault(words, "prompt"));
}
