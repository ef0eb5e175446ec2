// The gateway's tokenizer runs in a thread that is started when it is first needed, and what it has
// not counted in time is estimated. Tests of exact counts begin once it is there.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { eventually } from "../books.ts";
import type { Gateway } from "../gateway.ts";

/** Its estimate is another number. */
const text = "Lighthouses stand where land and sea meet, and warn whoever passes by night.";

/** The model is one whose vendor speaks another format than this, so that it is counted here. */
export async function tokenizerIsThere(gateway: Gateway, model: string): Promise<void> {
  const body = { model, messages: [{ role: "user", content: text }] };
  await eventually("the tokenizer", async () => {
    const response = await gateway.post("/v1/messages/count_tokens", body);
    const { input_tokens: counted } = (await response.json()) as { input_tokens: number };
    return counted === countTokens(text) || undefined;
  });
}
