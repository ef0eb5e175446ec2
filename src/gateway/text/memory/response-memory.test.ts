import { describe, expect, test } from "bun:test";
import type { AccountId } from "../../../core/ids.ts";
import { encodeJson, parseJson, type JsonObject } from "../../../core/json.ts";
import type { Asker } from "../../../distribution/asker.ts";
import type { KeptNames } from "../../../formats/recollection.ts";
import type { KeptBytes } from "./kept-bytes.ts";
import { type MemoryLimits, ResponseMemory } from "./response-memory.ts";

const ann: Asker = { accountId: "acc_ann" as AccountId, makerId: null };
const bob: Asker = { accountId: "acc_bob" as AccountId, makerId: null };
const limits: MemoryLimits = { bytesMax: 20_000, entryBytesMax: 10_000, idleMsMax: 1000 };

function open(given: Partial<MemoryLimits> = {}) {
  const time = { nowMs: 0, sweep: () => {} };
  const now = () => time.nowMs;
  const memory = new ResponseMemory(
    {
      clock: { nowMs: now, monotonicMs: now },
      timers: {
        after: () => () => {},
        every(_periodMs, run) {
          time.sweep = run;
          return () => {};
        },
      },
    },
    { ...limits, ...given },
  );
  return { memory, time };
}

function reply(
  id: string,
  bytes = 10,
  input: JsonObject[] | null = [],
): [names: KeptNames, kept: KeptBytes] {
  const item = { id: `msg_${id}`, text: "x".repeat(bytes) };
  const kept = { reply: encodeJson({ id, output: [item] }), request: input && encodeJson(input) };
  return [{ id, itemIds: [item.id] }, kept];
}

const read = (bytes: Uint8Array | null | undefined) => bytes && parseJson(bytes);
const knows = (memory: ResponseMemory, id: string) => memory.find(ann, id) !== null;

describe("a reply", () => {
  test("is found by its id and by those of its items", () => {
    const { memory } = open();
    memory.keep(ann, ...reply("a", 3, [{ role: "user", content: "hé" }]));
    const kept = memory.find(ann, "a");
    expect(read(kept?.reply)).toEqual({ id: "a", output: [{ id: "msg_a", text: "xxx" }] });
    expect(read(kept?.request)).toEqual([{ role: "user", content: "hé" }]);
    expect(memory.findItem(ann, "msg_a")).toBe(kept);
    expect(memory.find(ann, "msg_a")).toBeNull();
    expect(memory.findItem(ann, "a")).toBeNull();
  });

  test("is another account's as little as nobody's", () => {
    const { memory } = open();
    memory.keep(ann, ...reply("a"));
    expect(memory.find(bob, "a")).toBeNull();
    expect(memory.findItem(bob, "msg_a")).toBeNull();
    memory.forget(bob, "a");
    expect(knows(memory, "a")).toBeTrue();
  });

  test("is gone with its items once it is forgotten", () => {
    const { memory } = open();
    memory.keep(ann, ...reply("a"));
    memory.keep(ann, ...reply("b"));
    memory.forget(ann, "a");
    expect(knows(memory, "a")).toBeFalse();
    expect(memory.findItem(ann, "msg_a")).toBeNull();
    expect(memory.findItem(ann, "msg_b")).not.toBeNull();
    memory.forget(ann, "b");
    expect(memory.bytes).toBe(0);
  });

  test("goes when nobody has used it for long enough", () => {
    const { memory, time } = open();
    memory.keep(ann, ...reply("a"));
    memory.keep(ann, ...reply("b"));
    time.nowMs = 900;
    expect(memory.findItem(ann, "msg_a")).not.toBeNull();
    time.nowMs = 1500;
    expect(knows(memory, "b")).toBeFalse();
    expect(memory.findItem(ann, "msg_b")).toBeNull();
    expect(knows(memory, "a")).toBeTrue();
  });

  test("gives its memory back although nobody asks for it", () => {
    const { memory, time } = open();
    memory.keep(ann, ...reply("a"));
    time.nowMs = 500;
    memory.keep(ann, ...reply("b"));
    const { bytes } = memory;
    time.nowMs = 1200;
    time.sweep();
    expect(memory.bytes).toBe(bytes / 2);
    time.nowMs = 1600;
    time.sweep();
    expect(memory.bytes).toBe(0);
  });
});

describe("the memory", () => {
  test("holds as many bytes as it may, and lets go of what was used longest ago", () => {
    const { memory } = open();
    for (const id of ["a", "b", "c"]) memory.keep(ann, ...reply(id, 5000));
    expect(knows(memory, "a")).toBeTrue();
    memory.keep(bob, ...reply("d", 5000));
    expect(["a", "b", "c"].filter((id) => knows(memory, id))).toEqual(["a", "c"]);
    expect(memory.find(bob, "d")).not.toBeNull();
    expect(memory.bytes).toBeWithin(18_000, limits.bytesMax + 1);
  });

  test("lets go of an account's that has much of it before those of others", () => {
    const { memory } = open();
    memory.keep(bob, ...reply("bob"));
    const large = Array.from({ length: 12 }, (_, at) => `large${at}`);
    for (const id of large) memory.keep(ann, ...reply(id, 4000));
    expect(memory.find(bob, "bob")).not.toBeNull();
    expect(knows(memory, "large11")).toBe(true);
    expect(memory.bytes).toBeLessThanOrEqual(20_000);
  });

  test("is one account's as a whole while nobody else needs it", () => {
    const { memory } = open();
    for (const id of ["one", "two", "three"]) memory.keep(ann, ...reply(id, 4000));
    expect(["one", "two", "three"].map((id) => knows(memory, id))).toEqual([true, true, true]);
  });

  test("counts small replies too, so that there cannot be endlessly many", () => {
    const { memory } = open();
    for (let at = 0; at < 1000; at++) memory.keep(ann, ...reply(`r${at}`, 0));
    const left = Array.from({ length: 1000 }, (_, at) => `r${at}`).filter((id) =>
      knows(memory, id),
    );
    expect(left.length).toBeWithin(5, 40);
    expect(left.at(-1)).toBe("r999");
  });

  test("keeps a reply without what came before it when both are too much", () => {
    const { memory } = open();
    memory.keep(ann, ...reply("a", 5000, [{ text: "y".repeat(5000) }]));
    expect(memory.find(ann, "a")).toMatchObject({ request: null });
    expect(memory.findItem(ann, "msg_a")).not.toBeNull();
    memory.keep(ann, ...reply("b", 5000, null));
    expect(memory.find(ann, "b")).toMatchObject({ request: null });
  });

  test("keeps nothing of a reply that is too much alone", () => {
    const { memory } = open();
    memory.keep(ann, ...reply("a", 10_000));
    expect(knows(memory, "a")).toBeFalse();
    expect(memory.bytes).toBe(0);
  });
});
