import { expect, test } from "bun:test";
import { countWorkingKeys, restingModels } from "./key-counts.ts";

const key = { last4: "1234", status: "enabled", reason: null } as const;
const ready = { ...key, rests_until: null, rests_for: null };
const restingFor = (...models: string[]) => ({ ...key, rests_until: 5, rests_for: models });
const resting = { ...key, rests_until: 5, rests_for: null };
const disabled = { ...ready, status: "disabled" } as const;

test("a key that rests for one model works, and one that rests for all does not", () => {
  expect(countWorkingKeys([ready, restingFor("m"), resting, disabled])).toBe(2);
});

test("a model rests where every key that works rests for it", () => {
  expect(restingModels([restingFor("m", "n")])).toEqual(["m", "n"]);
  expect(restingModels([restingFor("m", "n"), restingFor("n"), resting])).toEqual(["n"]);
  expect(restingModels([restingFor("m"), ready])).toEqual([]);
  expect(restingModels([resting])).toEqual([]);
});
