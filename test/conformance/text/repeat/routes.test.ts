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

/** Whole and, where the body may ask for it, streamed. */
function samplesOf({ path, entry }: Route): Sample[] {
  const { example } = entry.body ?? {};
  const named = path.includes("mbed") ? "embedA" : modelOf.content;
  const address = path.replace("{model}", named);
  const body = isObject(example) ? example : {};
  const asked = path.startsWith("/v1/responses") ? { ...body, model: modelOf.responses } : body;
  const whole = { path: address, body: asked };
  if (!entry.isStreamed || path.includes("{model}")) return [whole];
  return [whole, { path: address, body: { ...asked, stream: true } }];
}

test("T21 on every paid route of text the same key is answered and charged once", async () => {
  const samples = paid.flatMap(samplesOf);
  expect(samples.length).toBeGreaterThan(15);
  for (const { path, body } of samples) {
    const customer = await stand.gateway.customer(10_000_000);
    const ask = () =>
      fetch(stand.gateway.url + path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${customer.key}`,
          "content-type": "application/json",
          "idempotency-key": "once",
        },
        body: JSON.stringify(body),
      });
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
