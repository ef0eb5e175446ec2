// The list of models on OpenAI's wire. It costs nothing and is for keys alone, so that it also
// tells whether a key is good.
import { isObject, type Json } from "../core/json.ts";
import { takenBody } from "./kit/video-reply.ts";
import { namesIn } from "./kit/model-names.ts";
import { readOpenaiFault } from "./openai-wire-faults.ts";
import { modelsAddress } from "./openai-wire.ts";
import type { VendorCall } from "./upstream.ts";

export async function checkByModels(call: VendorCall): Promise<void> {
  await readList(call);
}

export async function listByModels(call: VendorCall): Promise<string[]> {
  return namesIn(await readList(call), "id");
}

/** Some answer with the bare list. */
async function readList({ target, send }: VendorCall): Promise<Json> {
  const reply = await send({ method: "GET", address: modelsAddress(target) });
  if (reply.status === 200 && Array.isArray(reply.json)) return reply.json;
  const body = takenBody(reply, readOpenaiFault);
  return isObject(body) ? (body["data"] ?? null) : null;
}
