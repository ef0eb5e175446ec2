// The AI SDK with its google provider, as they are.
import { describe } from "bun:test";
import { createGoogle } from "@ai-sdk/google";
import { aiHolds } from "./ai/behaviour.ts";

describe("the model of @ai-sdk/google", () => {
  aiHolds({
    model: (id, { url, key }) => createGoogle({ baseURL: `${url}/v1beta`, apiKey: key })(id),
    options: {},
    thinking: { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2000 } } },
    returnsThinking: true,
    // The provider drops the first part of a whole answer where it has no words.
    returnsHiddenThinking: { whole: false, streamed: true },
    sendsAddresses: false,
  });
});
