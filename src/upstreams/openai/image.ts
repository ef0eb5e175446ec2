// Images by OpenAI itself.
import { gptImages } from "../kit/gpt-image/facet.ts";
import { readOpenaiFault } from "../openai-wire-faults.ts";
import { imagesAddress } from "../openai-wire.ts";

export const image = gptImages({
  address: ({ target }, kind) => imagesAddress(target, kind),
  readFault: readOpenaiFault,
});
