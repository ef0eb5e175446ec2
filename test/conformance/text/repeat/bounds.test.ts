// Bounds of the answers that are kept for who asks again, and what is said past them.
import { expect, test } from "bun:test";
import { errorOf } from "../../../harness/ask.ts";
import { balanceOf, eventually, heldOf, readOn } from "../../../harness/books.ts";
import { entryOf } from "../../../harness/entries.ts";
import { StreamReader } from "../../../harness/event-stream.ts";
import { wires } from "../../../harness/wires.ts";
import { chargedMicros, isReplay, RepeatStand, spoken } from "./stand.ts";

/** They move the clock, which processes do not let them. */
const alone = { isOnFiles: true } as const;
const small = new RepeatStand(
  { repeat_account_bytes_max: 1, repeat_read_on_ms: 0, read_on_ms: 0 },
  alone,
);
const daily = new RepeatStand({}, alone);
const ending = new RepeatStand();
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

test("T21 an answer is kept for a day, and then its key is free", async () => {
  const { gateway } = daily;
  const customer = await gateway.customer(1_000_000);
  daily.answers("chat");
  for (const [seconds, finds] of [
    [0, false],
    [0, true],
    [86_000, true],
    [401, false],
  ] as const) {
    gateway.pass(seconds);
    const response = await daily.ask("chat", customer);
    expect([seconds, response.status, isReplay(response)]).toEqual([seconds, 200, finds]);
    await response.text();
  }
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

test("T21 a large answer that does not pack is given again as it was", async () => {
  const customer = await daily.gateway.customer(1_000_000);
  const bytes = crypto.getRandomValues(new Uint8Array(50_000));
  const long = Array.from({ length: 20 }, () => bytes.toBase64()).join("");
  const reply = wires.chat.reply(long, { input: 10, output: 200 });
  daily.vendors.chat.script = (_request, vendor) => vendor.json(reply);
  const asked = { ...customer, idempotencyKey: "large" };
  const first = await (await daily.ask("chat", asked)).text();
  const again = await daily.ask("chat", asked);
  expect([isReplay(again), (await again.text()) === first]).toEqual([true, true]);
  expect(first.length).toBeGreaterThan(1_000_000);
});

test("T21 a stop waits for nobody, and settles what was made on by what came", async () => {
  const { gateway } = ending;
  const customer = await gateway.customer(1_000_000);
  ending.answers("chat", new Promise(() => {}));
  const leaving = new AbortController();
  const { signal } = leaving;
  const first = await ending.ask("chat", { ...customer, stream: true, signal });
  await new StreamReader(first).until(spoken);
  leaving.abort();
  await readOn(gateway, 1);
  const startedAtMs = performance.now();
  expect(await gateway.stop()).toBe(0);
  expect(performance.now() - startedAtMs).toBeLessThan(20_000);
  const entry = await entryOf(gateway, first.headers.get("x-request-id") ?? "");
  expect(entry.kind).toBe("post");
  expect(entry.micros + entry.loss_micros).toBe(entry.held_micros);
});
