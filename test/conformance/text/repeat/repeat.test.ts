// Text that is asked for again under its Idempotency-Key: the same answer, charged once.
import { describe, expect, test } from "bun:test";
import { errorOf } from "../../../harness/ask.ts";
import { balanceOf, eventually, logRow, readOn } from "../../../harness/books.ts";
import { dialects } from "../../../harness/dialects.ts";
import { parseStream, StreamReader } from "../../../harness/event-stream.ts";
import { defaultCounts, wires } from "../../../harness/wires.ts";
import { chargedMicros, isReplay, RepeatStand, spoken } from "./stand.ts";

const stand = new RepeatStand({ repeat_bytes_max: 20_000 });
const { gateway } = stand;

const both = dialects.flatMap((dialect) => [
  { dialect, stream: false, as: "whole" },
  { dialect, stream: true, as: "streamed" },
]);

async function usedBy({ id }: { id: string }): Promise<number> {
  return (await balanceOf(gateway, id)).used_micros;
}

describe.each(both)("T21 $dialect, $as", ({ dialect, stream }) => {
  test("an answer that is there is given again, and costs nothing more", async () => {
    const customer = await gateway.customer(1_000_000);
    stand.answers(dialect);
    const before = stand.calls(dialect);
    const first = await stand.ask(dialect, { ...customer, stream });
    const text = await first.text();
    expect([first.status, isReplay(first)]).toEqual([200, false]);
    expect(text).toContain(spoken);
    const again = await stand.ask(dialect, { ...customer, stream });
    expect([again.status, isReplay(again), await again.text()]).toEqual([200, true, text]);
    expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
    for (const name of ["x-sluice-cost-usd", "x-sluice-ignored"]) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
    expect([stand.calls(dialect), await usedBy(customer)]).toEqual([before + 1, chargedMicros]);
    expect(await logRow(gateway, again)).toMatchObject({
      replay_of: first.headers.get("x-request-id"),
      outcome: "ok",
      micros: 0,
      model: dialect,
      stream,
      output_tokens: 0,
    });
    expect((await logRow(gateway, first)).replay_of).toBeNull();
  });

  test("fifty at once are one request, whose answer all of them get", async () => {
    const customer = await gateway.customer(1_000_000);
    const gate = Promise.withResolvers<void>();
    stand.answers(dialect, gate.promise);
    const before = stand.calls(dialect);
    const asked = Array.from({ length: 50 }, () => stand.ask(dialect, { ...customer, stream }));
    await eventually("the vendor", async () => stand.calls(dialect) > before || undefined);
    gate.resolve();
    const all = await Promise.all(asked);
    const texts = await Promise.all(all.map((response) => response.text()));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(new Set(texts).size).toBe(1);
    expect(all.filter((response) => !isReplay(response))).toHaveLength(1);
    expect([stand.calls(dialect), await usedBy(customer)]).toEqual([before + 1, chargedMicros]);
  });

  test("who leaves and comes back finds it whole", async () => {
    const customer = await gateway.customer(1_000_000);
    const gate = Promise.withResolvers<void>();
    stand.answers(dialect, gate.promise);
    const before = stand.calls(dialect);
    const leaving = new AbortController();
    const { signal } = leaving;
    const first = stand.ask(dialect, { ...customer, stream, signal });
    await eventually("the vendor", async () => stand.calls(dialect) > before || undefined);
    if (stream) await new StreamReader(await first).until(spoken);
    leaving.abort();
    await first.catch(() => {});
    await readOn(gateway, 1);
    const again = stand.ask(dialect, { ...customer, stream });
    gate.resolve();
    const text = await (await again).text();
    expect([isReplay(await again), text.includes(spoken)]).toEqual([true, true]);
    expect([stand.calls(dialect), await usedBy(customer)]).toEqual([before + 1, chargedMicros]);
  });

  test("another body under the key is a 409 that names the header, and nothing is sent", async () => {
    const customer = await gateway.customer(1_000_000);
    stand.answers(dialect);
    await (await stand.ask(dialect, { ...customer, stream })).text();
    const before = stand.calls(dialect);
    const other = await stand.ask(dialect, { ...customer, stream, prompt: "Something else?" });
    expect(other.status).toBe(409);
    expect(JSON.stringify(await other.json())).toContain("key was used for another request");
    expect([stand.calls(dialect), await usedBy(customer)]).toEqual([before, chargedMicros]);
  });

  test("what failed was not charged and is tried anew", async () => {
    const customer = await gateway.customer(1_000_000);
    const refusal = wires[dialect].refusal(400, "No.");
    stand.vendors[dialect].script = (_request, reply) => reply.json(refusal, 400);
    expect((await stand.ask(dialect, { ...customer, stream })).status).toBe(400);
    stand.answers(dialect);
    const again = await stand.ask(dialect, { ...customer, stream });
    expect([again.status, isReplay(again)]).toEqual([200, false]);
    expect(await again.text()).toContain(spoken);
    expect(await usedBy(customer)).toBe(chargedMicros);
  });
});

/** Whole events of what came: their text, and how many they are. */
function wholeEvents(text: string): { text: string; count: number } {
  const whole = text.slice(0, text.lastIndexOf("\n\n") + 2);
  return { text: whole, count: parseStream(whole).data.length };
}

test.each(dialects)(
  "T21 %s: a stream that was cut is taken up where it was, while it is made and afterwards",
  async (dialect) => {
    const customer = await gateway.customer(1_000_000);
    const gate = Promise.withResolvers<void>();
    stand.answers(dialect, gate.promise);
    const before = stand.calls(dialect);
    const leaving = new AbortController();
    const { signal } = leaving;
    const first = await stand.ask(dialect, { ...customer, stream: true, signal });
    const seen = wholeEvents(await new StreamReader(first).until(spoken));
    leaving.abort();
    await readOn(gateway, 1);
    const id = first.headers.get("x-request-id") ?? "";
    const place = `${id}/${seen.count}`;
    // Nothing follows yet, so that its headers wait as well.
    const asking = stand.ask(dialect, { ...customer, stream: true, place });
    await readOn(gateway, 0);
    gate.resolve();
    const taken = await asking;
    expect(taken.headers.get("last-event-id")).toBe(place);
    const rest = await taken.text();
    const again = await stand.ask(dialect, { ...customer, stream: true });
    expect(again.headers.get("last-event-id")).toBe(`${id}/0`);
    const all = await again.text();
    expect(seen.text + rest).toBe(all);
    const later = await stand.ask(dialect, { ...customer, stream: true, place });
    expect(await later.text()).toBe(rest);
    const { count } = wholeEvents(all);
    const ended = await stand.ask(dialect, { ...customer, stream: true, place: `${id}/${count}` });
    expect([isReplay(ended), await ended.text()]).toEqual([true, ""]);
    expect([stand.calls(dialect), await usedBy(customer)]).toEqual([before + 1, chargedMicros]);
  },
);

test.each(["req_01jz3k7m2n/1", "1", "/1", "nonsense"])(
  "T21 a place in another stream (%s) has the answer given from its start",
  async (place) => {
    const customer = await gateway.customer(1_000_000);
    stand.answers("chat");
    const first = await stand.ask("chat", { ...customer, stream: true, place });
    const all = await first.text();
    expect([isReplay(first), first.headers.get("last-event-id")]).toEqual([false, null]);
    const again = await stand.ask("chat", { ...customer, stream: true, place });
    expect(await again.text()).toBe(all);
    expect(again.headers.get("last-event-id")).toBe(`${first.headers.get("x-request-id")}/0`);
  },
);

test("T21 a stream is followed from its first byte on, while it is made", async () => {
  const customer = await gateway.customer(1_000_000);
  const gate = Promise.withResolvers<void>();
  stand.answers("chat", gate.promise);
  const at = gateway.first;
  const [first, second] = [
    await stand.ask("chat", { ...customer, stream: true, at }),
    await stand.ask("chat", { ...customer, stream: true, at }),
  ];
  const readers = [new StreamReader(first), new StreamReader(second)];
  for (const reader of readers) await reader.until(spoken);
  gate.resolve();
  const [one, other] = await Promise.all(readers.map((reader) => reader.rest()));
  expect(one).toBe(other ?? "");
  expect(one).toContain("[DONE]");
  expect(await usedBy(customer)).toBe(chargedMicros);
});

test("T21 a stream that its vendor broke off is not kept: the repeat is a request of its own", async () => {
  const customer = await gateway.customer(1_000_000);
  stand.vendors.chat.script = (_request, reply) => {
    stand.begin("chat", reply);
    reply.cut();
  };
  await (await stand.ask("chat", { ...customer, stream: true })).text();
  const broken = await usedBy(customer);
  stand.answers("chat");
  const again = await stand.ask("chat", { ...customer, stream: true });
  expect([isReplay(again), (await again.text()).includes("[DONE]")]).toEqual([false, true]);
  expect(await usedBy(customer)).toBe(broken + chargedMicros);
});

test.each([false, true])(
  "T21 an answer too large to be kept is a 409 (stream: %p)",
  async (stream) => {
    const customer = await gateway.customer(1_000_000);
    const long = "word ".repeat(10_000);
    const wire = wires.chat;
    stand.vendors.chat.script = (_request, reply) => {
      if (!stream) return reply.json(wire.reply(long, defaultCounts));
      reply.stream();
      reply.chunk(wire.opening() + wire.delta(long) + wire.ending(long, defaultCounts));
      reply.end();
    };
    const first = await stand.ask("chat", { ...customer, stream });
    expect((await first.text()).length).toBeGreaterThan(long.length);
    const used = await usedBy(customer);
    const again = await stand.ask("chat", { ...customer, stream });
    expect([again.status, await errorOf(again)]).toEqual([
      409,
      expect.objectContaining({ code: "conflict", param: "Idempotency-Key" }),
    ]);
    expect(await usedBy(customer)).toBe(used);
  },
);

test("T21 keys are an account's own, and a restricted key's its own", async () => {
  const [one, other] = [await gateway.customer(1_000_000), await gateway.customer(1_000_000)];
  stand.answers("chat");
  for (const customer of [one, other]) {
    const response = await stand.ask("chat", customer);
    expect([response.status, isReplay(response)]).toEqual([200, false]);
  }
  const path = `/api/user/${one.id}`;
  const { username: account } = await gateway.control<{ username: string }>("GET", path);
  const kinds = [
    ["another", {}, true],
    ["restricted", { models: ["chat"] }, false],
  ] as const;
  for (const [name, limits, finds] of kinds) {
    const body = { name, account, ...limits };
    const { key } = await gateway.control<{ key: string }>("POST", "/api/token", body);
    const response = await stand.ask("chat", { key });
    expect([name, response.status, isReplay(response)]).toEqual([name, 200, finds]);
  }
});

test("T21 a key that cannot be one is a 400", async () => {
  const customer = await gateway.customer(1_000_000);
  const before = stand.calls("chat");
  const bad = await stand.ask("chat", { ...customer, idempotencyKey: "x".repeat(256) });
  expect([bad.status, (await errorOf(bad)).param]).toEqual([400, "Idempotency-Key"]);
  expect(stand.calls("chat")).toBe(before);
});
