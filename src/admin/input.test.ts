import { expect, test } from "bun:test";
import { createIds } from "../core/ids.ts";
import { systemClock } from "../core/clock.ts";
import { systemRandom } from "../core/random.ts";
import { mergePatch, readAccountId, readChannelId, readKeyId } from "./input.ts";

const ids = createIds(systemClock, systemRandom);

test("hazard G2 only what can be an id of its kind is looked up", () => {
  expect(readKeyId(ids.key())).toStartWith("key_");
  expect(readChannelId(ids.channel())).toStartWith("chn_");
  for (const text of ["", "..", "key_", ids.key(), `${ids.account()}x`, "acc_' or 1=1"]) {
    expect(() => readAccountId(text)).toThrow("nothing at this address");
  }
});

test("a patch replaces fields whole, takes out what is null and keeps the rest", () => {
  const current = { name: "a", models: ["x"], mapping: { x: "y" }, limit: 5 };
  const patch = { mapping: { z: "w" }, limit: null };
  expect(mergePatch(current, patch)).toEqual({ name: "a", models: ["x"], mapping: { z: "w" } });
});

test("a patch cannot reach a prototype", () => {
  const patch = JSON.parse('{"__proto__": {"role": "root"}}');
  const merged = mergePatch({ name: "a" }, patch);
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  expect("role" in merged).toBe(false);
});
