// The AI SDK with its anthropic provider, as they are.
import { describe } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { aiHolds } from "./ai/behaviour.ts";

describe("the model of @ai-sdk/anthropic", () => {
  aiHolds({
    model: (id, { url, key }) => createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(id),
    options: {},
    thinking: { anthropic: { thinking: { type: "enabled", budgetTokens: 2000 } } },
    returnsThinking: true,
    returnsHiddenThinking: { whole: true, streamed: true },
    sendsAddresses: true,
  });
});
