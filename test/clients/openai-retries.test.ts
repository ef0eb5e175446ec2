// The official openai client on a line that breaks: what it sends again under its key is made and
// charged once, though the vendor had answered before the line broke.
import { expect, test } from "bun:test";
import { OpenAI } from "openai";
import { balanceOf, eventually } from "../harness/books.ts";
import { startGateway } from "../harness/gateway.ts";
import { completion, delta, usageChunk, Vendor } from "../harness/vendor.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

const priceMicros = 1000;
const vendor = kept(new Vendor((_request, reply) => reply.cut()));
const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [vendor.channel({ models: ["flat"] })],
      prices: [{ model: "flat", call_micros: priceMicros }],
    }),
  }),
);

const messages = [{ role: "user" as const, content: "Hello?" }];
const headers = { "Idempotency-Key": "turn-7" };

/** A client whose first answers are lost on their way. */
function clientOf(apiKey: string, losses: number): { client: OpenAI; sent: () => number } {
  let sent = 0;
  const client = new OpenAI({
    apiKey,
    baseURL: `${gateway.url}/v1`,
    maxRetries: 3,
    fetch: async (input, init) => {
      const response = await fetch(String(input), init);
      if (sent++ >= losses) return response;
      await response.body?.cancel();
      throw new TypeError("the line broke");
    },
  });
  return { client, sent: () => sent };
}

test("T21 a whole answer that was lost on its way is sent again, not made again", async () => {
  const customer = await gateway.customer(1_000_000);
  const before = vendor.requests.length;
  vendor.script = (_request, reply) => reply.json(completion("The weir held."));
  const { client, sent } = clientOf(customer.key, 2);
  const answer = await client.chat.completions.create({ model: "flat", messages }, { headers });
  expect(answer.choices[0]?.message.content).toBe("The weir held.");
  expect([sent(), vendor.requests.length - before]).toEqual([3, 1]);
  expect((await balanceOf(gateway, customer.id)).used_micros).toBe(priceMicros);
});

test("T21 a stream that was lost before its end is taken up from its beginning", async () => {
  const customer = await gateway.customer(1_000_000);
  const before = vendor.requests.length;
  const gate = Promise.withResolvers<void>();
  vendor.script = async (_request, reply) => {
    reply.stream();
    reply.event(delta({ role: "assistant", content: "The weir " }));
    await gate.promise;
    for (const event of [delta({ content: "held." }, "stop"), usageChunk(), "[DONE]"]) {
      reply.event(event);
    }
    reply.end();
  };
  const { client, sent } = clientOf(customer.key, 1);
  const body = { model: "flat", messages, stream: true } as const;
  const asked = client.chat.completions.create(body, { headers });
  await eventually("the second try", async () => sent() > 0 || undefined);
  gate.resolve();
  let text = "";
  for await (const chunk of await asked) text += chunk.choices[0]?.delta.content ?? "";
  expect(text).toBe("The weir held.");
  expect([sent(), vendor.requests.length - before]).toEqual([2, 1]);
  expect((await balanceOf(gateway, customer.id)).used_micros).toBe(priceMicros);
});
