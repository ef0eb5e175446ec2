// How long and how much of answers is kept for who asks again, and what is said when it is not.
import { expect, test } from "bun:test";
import { errorOf } from "../../../harness/ask.ts";
import { balanceOf, eventually, heldOf } from "../../../harness/books.ts";
import { StreamReader } from "../../../harness/event-stream.ts";
import { chargedMicros, isReplay, RepeatStand, spoken } from "./stand.ts";

const small = new RepeatStand({ repeat_account_bytes_max: 1, repeat_read_on_ms: 0, read_on_ms: 0 });
const off = new RepeatStand({ repeat_ms: 0 });

test("T21 past an account's part the oldest go, and are a 409 instead of a second charge", async () => {
  const { gateway } = small;
  const customer = await gateway.customer(1_000_000);
  small.answers("chat");
  await (await small.ask("chat", customer)).text();
  expect(isReplay(await small.ask("chat", customer))).toBe(true);
  const again = await eventually("the end of what is kept", async () => {
    gateway.pass(61);
    const response = await small.ask("chat", customer);
    return response.status === 409 ? response : undefined;
  });
  expect(await errorOf(again)).toMatchObject({ code: "conflict", param: "Idempotency-Key" });
  expect((await balanceOf(gateway, customer.id)).used_micros).toBe(chargedMicros);
});

test("T21 what is not made on for anybody is given up, and the repeat is made anew", async () => {
  const { gateway } = small;
  const customer = await gateway.customer(1_000_000);
  const never = Promise.withResolvers<void>();
  small.answers("chat", never.promise);
  const leaving = new AbortController();
  const { signal } = leaving;
  const first = await small.ask("chat", { ...customer, stream: true, signal });
  await new StreamReader(first).until(spoken);
  leaving.abort();
  await eventually("its settlement", async () =>
    (await heldOf(gateway, customer.id)) === 0 ? true : undefined,
  );
  small.answers("chat");
  const again = await small.ask("chat", { ...customer, stream: true });
  expect([again.status, isReplay(again), (await again.text()).includes("[DONE]")]).toEqual([
    200,
    false,
    true,
  ]);
});

test("T21 where nothing is kept the header means nothing", async () => {
  const customer = await off.gateway.customer(1_000_000);
  off.answers("chat");
  for (const stream of [false, false, true]) {
    const response = await off.ask("chat", { ...customer, stream });
    expect([response.status, isReplay(response)]).toEqual([200, false]);
    await response.text();
  }
  const { used_micros: usedMicros } = await balanceOf(off.gateway, customer.id);
  expect(usedMicros).toBe(3 * chargedMicros);
});
