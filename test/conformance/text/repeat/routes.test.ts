// Every paid route of text, with the example that its reference has: the same key and body are
// answered alike and charged once.
import { expect, test } from "bun:test";
import { isObject } from "../../../../src/core/json.ts";
import type { Route } from "../../../../src/http/route.ts";
import { balanceOf } from "../../../harness/books.ts";
import { modelOf, startDialects } from "../../../harness/dialects.ts";
import { builders } from "../../../harness/route-table.ts";
import { useStand } from "../../../harness/nodes/stand.ts";
import { isReplay } from "./stand.ts";

const stand = useStand(() => startDialects());

interface Sample {
  path: string;
  body: object;
}

const paid = (builders["textRoutes"] ?? []).filter(
  (route) => route.policy === "key" && route.isPaid,
);

/** A model that the format of the address reaches. */
function modelAt(path: string): string {
  if (path.includes("mbed")) return "embedA";
  return /anthropic|invoke/.test(path) ? modelOf.messages : modelOf.content;
}

/** Whole and, where the body may ask for it, streamed. */
function samplesOf({ path, entry }: Route): Sample[] {
  const { example } = entry.body ?? {};
  const address = path.replace("{model}", modelAt(path)).replace(/\{\w+\}/g, "one");
  const body = isObject(example) ? example : {};
  const asked = path.startsWith("/v1/responses") ? { ...body, model: modelOf.responses } : body;
  const whole = { path: address, body: asked };
  if (!entry.isStreamed || path.includes("{model}")) return [whole];
  return [whole, { path: address, body: { ...asked, stream: true } }];
}

function send(key: string, { path, body }: Sample): Promise<Response> {
  return fetch(stand.gateway.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": "once",
    },
    body: JSON.stringify(body),
  });
}

test("T21 on every paid route of text the same key is answered and charged once", async () => {
  const samples = paid.flatMap(samplesOf);
  expect(samples.length).toBeGreaterThan(15);
  for (const { path, body } of samples) {
    const customer = await stand.gateway.customer(10_000_000);
    const ask = () => send(customer.key, { path, body });
    const first = await ask();
    const text = await first.text();
    expect([path, first.status, isReplay(first)]).toEqual([path, 200, false]);
    const { used_micros: used } = await balanceOf(stand.gateway, customer.id);
    const again = await ask();
    expect([path, isReplay(again), await again.text()]).toEqual([path, true, text]);
    const after = await balanceOf(stand.gateway, customer.id);
    expect([path, used > 0, after]).toEqual([
      path,
      true,
      expect.objectContaining({ used_micros: used, held_micros: 0 }),
    ]);
  }
});

test("T21 another address is another request, though its body is the same", async () => {
  const contents = [{ role: "user", parts: [{ text: "Say hello." }] }];
  const said = { messages: [{ role: "user", content: "Say hello." }], max_tokens: 50 };
  const samples = [
    ["/v1beta/models/chatC:generateContent", { contents }],
    ["/v1beta/models/chatC:streamGenerateContent", { contents }],
    ["/v1beta/models/chatB:generateContent", { contents }],
    ["/model/chatB/invoke", said],
    ["/model/chatB/invoke-with-response-stream", said],
    ["/model/chatC/invoke", said],
  ] as const;
  for (const [path, body] of samples) {
    const customer = await stand.gateway.customer(10_000_000);
    expect((await send(customer.key, { path, body })).status).toBe(200);
    const others = samples.filter(([other, same]) => same === body && other !== path);
    for (const [other] of others) {
      const { status } = await send(customer.key, { path: other, body });
      expect([path, other, status]).toEqual([path, other, 409]);
    }
  }
});
