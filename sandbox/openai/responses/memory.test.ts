import { expect, test } from "bun:test";
import { ResponseMemory, type StoredResponse } from "./memory.ts";

const stored = (characters: number): StoredResponse => ({
  response: {},
  input: [{ type: "compaction", id: "cmp_1", encrypted_content: "" }],
  output: [],
  characters,
});

test("the oldest responses go when there are too many", () => {
  const memory = new ResponseMemory();
  for (let at = 0; at < 2005; at++) memory.keep("key", `resp_${at}`, stored(1));
  expect(memory.get("key", "resp_4")).toBeNull();
  expect(memory.get("key", "resp_5")).not.toBeNull();
});

test("the oldest responses go when they hold too much", () => {
  const memory = new ResponseMemory();
  const much = 40 * 1024 * 1024;
  memory.keep("key", "resp_1", stored(much));
  memory.keep("key", "resp_2", stored(much));
  expect(memory.get("key", "resp_1")).toBeNull();
  expect(memory.get("key", "resp_2")).not.toBeNull();
  expect(memory.forget("key", "resp_2")).toBeTrue();
  memory.keep("key", "resp_3", stored(1));
  memory.keep("key", "resp_4", stored(much));
  expect(memory.get("key", "resp_3")).not.toBeNull();
});

test("a response and its items belong to one key", () => {
  const memory = new ResponseMemory();
  memory.keep("key", "resp_1", stored(1));
  expect(memory.get("ke", "resp_1")).toBeNull();
  expect(memory.findItem("key", "cmp_1")?.id).toBe("cmp_1");
  expect(memory.findItem("ke", "cmp_1")).toBeNull();
  expect(memory.findItem("key", "cmp_2")).toBeNull();
  expect(memory.forget("other", "resp_1")).toBeFalse();
});
