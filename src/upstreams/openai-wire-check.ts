// The list of models on OpenAI's wire. It costs nothing and is for keys alone, so that it also
// tells whether a key is good.
import { isObject, type Json } from "../core/json.ts";
import { takenBody } from "./kit/video-reply.ts";
import { namesIn } from "./kit/model-names.ts";
import { readOpenaiFault } from "./openai-wire-faults.ts";
import { modelsAddress } from "./openai-wire.ts";
import type { Address, VendorCall } from "./upstream.ts";

export async function checkByModels(call: VendorCall, address?: Address): Promise<void> {
  await readList(call, address);
}

export async function listByModels(call: VendorCall, address?: Address): Promise<string[]> {
  return namesIn(await readList(call, address), "id");
}

/** Some answer with the bare list. */
async function readList(
  { target, send }: VendorCall,
  address = modelsAddress(target),
): Promise<Json> {
  const reply = await send({ method: "GET", address });
  if (reply.status === 200 && Array.isArray(reply.json)) return reply.json;
  const body = takenBody(reply, readOpenaiFault);
  return isObject(body) ? (body["data"] ?? null) : null;
}
