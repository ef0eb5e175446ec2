// The AI SDK's second step on a vendor of the responses wire that stores nothing, unasked.
import { expect, setDefaultTimeout, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { rootKey, startGateway } from "../harness/gateway.ts";
import { placeSchema } from "../harness/samples.ts";
import { Vendor } from "../harness/vendor.ts";

globalThis.AI_SDK_LOG_WARNINGS = false;
setDefaultTimeout(60_000);

const call = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "find_city",
  arguments: '{"city":"Oslo"}',
  status: "completed",
};
const says = (id: string, text: string) => ({
  type: "message",
  id,
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});

test("T20 the second step goes on from the first, of which the vendor keeps nothing", async () => {
  using vendor = new Vendor(({ body }, reply) => {
    const isSecond = JSON.stringify(body["input"]).includes("function_call_output");
    reply.json({
      id: isSecond ? "resp_2" : "resp_1",
      object: "response",
      created_at: 1_790_000_000,
      status: "completed",
      model: "vendor-model",
      store: false,
      output: isSecond ? [says("msg_2", "It is far.")] : [says("msg_1", "Let me look."), call],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    });
  });
  await using gateway = await startGateway({
    config: JSON.stringify({
      channels: [vendor.channel({ models: ["m"], format: "responses" })],
      unpriced: "free",
    }),
  });
  const { text } = await generateText({
    model: createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: rootKey })("m"),
    prompt: "How far is Oslo?",
    tools: {
      find_city: tool({
        inputSchema: jsonSchema<{ city: string }>(placeSchema),
        execute: ({ city }) => `${city} is 300 km away`,
      }),
    },
    stopWhen: isStepCount(3),
  });
  expect(text).toBe("It is far.");
  const sent = JSON.stringify(vendor.requests.at(-1)?.body["input"]);
  expect(sent).toContain("Let me look.");
  expect(sent).toContain('"type":"function_call"');
  expect(sent).toContain("300 km away");
  expect(sent).not.toContain("item_reference");
});
