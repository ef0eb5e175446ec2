// Bedrock's lists of models and of profiles. They cost nothing, but need a right of their own: a
// key that may only call models is refused there and is good all the same.
import type { JsonObject } from "../../core/json.ts";
import { namesIn } from "../kit/model-names.ts";
import { takenBody } from "../kit/video-reply.ts";
import { checkByModels, listByModels } from "../openai-wire-check.ts";
import { VendorRefusal, type VendorCall } from "../upstream.ts";
import { readFault } from "./errors.ts";
import { controlAddress, isRuntime, wireModels } from "./place.ts";

const modelsPath = "/foundation-models?byOutputModality=TEXT";
const drawersPath = "/foundation-models?byOutputModality=IMAGE";
const profilesPath = "/inference-profiles?maxResults=1000";

export async function check(call: VendorCall): Promise<void> {
  if (!isRuntime(call.target.baseUrl)) return await checkByModels(call, wireModels(call.target));
  try {
    await read(call, modelsPath);
  } catch (error) {
    if (!(error instanceof VendorRefusal) || error.fault.blame !== "suspect") throw error;
    throw new Error("the key may not list models, which says nothing of it");
  }
}

export async function listBedrockModels(call: VendorCall): Promise<string[]> {
  if (!isRuntime(call.target.baseUrl)) return listByModels(call, wireModels(call.target));
  const [models, drawers, profiles] = await Promise.all([
    read(call, modelsPath),
    read(call, drawersPath),
    read(call, profilesPath).catch((): JsonObject => ({})),
  ]);
  const { inferenceProfileSummaries = null } = profiles;
  return [
    ...[models, drawers].flatMap(({ modelSummaries = null }) => namesIn(modelSummaries, "modelId")),
    ...namesIn(inferenceProfileSummaries, "inferenceProfileId"),
  ];
}

async function read({ target, send }: VendorCall, path: string) {
  const address = controlAddress(path, target);
  return takenBody(await send({ method: "GET", address }), readFault);
}
