// Models that nobody serves: clients are told not to try again, and with which status is the
// operator's choice.
import { expect, setDefaultTimeout, test } from "bun:test";
import { chatBody } from "../harness/ask.ts";
import { logRow } from "../harness/books.ts";
import { startGateway } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";

setDefaultTimeout(60_000);

const model = "nobody-has-this";
const asked: [path: string, body: object][] = [
  ["/v1/chat/completions", chatBody(model)],
  ["/v1/chat/completions", chatBody(model, { stream: true })],
  ["/v1/completions", { model, prompt: "Hi" }],
  ["/v1/responses", { model, input: "Hi" }],
  ["/v1/messages", chatBody(model, { max_tokens: 9 })],
  ["/v1/embeddings", { model, input: "Hi" }],
  [`/v1beta/models/${model}:generateContent`, { contents: [{ parts: [{ text: "Hi" }] }] }],
  ["/v1/images/generations", { model, prompt: "A fox" }],
  ["/v1/videos", { model, prompt: "A fox" }],
  ["/v1/video/generations", { model, prompt: "A fox" }],
  ["/videoE/v1/videos/text2video", { model_name: model, prompt: "A fox" }],
  ["/v1/chat/completions", chatBody("unpriced")],
];

async function answers(status?: number): Promise<void> {
  using vendor = new Vendor((_request, reply) => reply.json(completion("Hello.")));
  const distribution = status === undefined ? {} : { unknown_model_status: status };
  const channels = [vendor.channel({ models: ["unpriced"] })];
  const config = JSON.stringify({ sandbox: "off", channels, distribution });
  await using gateway = await startGateway({ config });
  for (const [path, body] of asked) {
    const response = await gateway.post(path, body);
    const { headers } = response;
    expect([path, response.status, headers.get("x-should-retry")]).toEqual([
      path,
      status ?? 503,
      "false",
    ]);
    expect(await response.text()).toContain("model_not_found");
    expect(await logRow(gateway, response)).toMatchObject({
      status: status ?? 503,
      outcome: "rejected",
    });
  }
  expect(vendor.requests).toEqual([]);
}

test("Q12 Q4 an unknown model is a 503 that says that trying again is useless", async () => {
  await answers();
});

test("Q12 it is a 404 where the operator wants that, in every format", async () => {
  await answers(404);
});
