// Whether a key of OpenAI's wire is good: the list of models costs nothing and is for keys alone.
import { takenBody } from "./kit/video-reply.ts";
import { readOpenaiFault } from "./openai-wire-faults.ts";
import { modelsAddress } from "./openai-wire.ts";
import type { VendorCall } from "./upstream.ts";

export async function checkByModels(call: VendorCall): Promise<void> {
  const reply = await call.send({ method: "GET", address: modelsAddress(call.target) });
  takenBody(reply, readOpenaiFault);
}
