import { expect, test } from "bun:test";
import type { LogView } from "../../../src/admin/contract.ts";
import { stepsOf } from "./steps.ts";

const attempt = { number: 1, outcome: "served", started_ms: null, ended_ms: 600 };
const row = (fields: Partial<LogView>) =>
  ({ stream: true, latency_ms: 600, first_byte_ms: 120, tries: [attempt], ...fields }) as LogView;

test("what was served as a stream is split at its first byte", () => {
  const steps = stepsOf(row({}));
  expect(steps.map(({ kind, fromMs, toMs }) => [kind, fromMs, toMs])).toEqual([
    ["wait", 0, 120],
    ["flow", 120, 600],
  ]);
});

test("an attempt that was lost stands before the one that served", () => {
  const lost = { number: 1, outcome: "failed", started_ms: 3, ended_ms: 84 };
  const served = { number: 2, outcome: "served", started_ms: 85, ended_ms: 90 };
  const steps = stepsOf(row({ stream: false, latency_ms: 90, tries: [lost, served] }));
  expect(steps.map(({ kind, fromMs, toMs }) => [kind, fromMs, toMs])).toEqual([
    ["lost", 3, 84],
    ["wait", 85, 90],
  ]);
});

test("a request that reached no channel has no steps", () => {
  expect(stepsOf(row({ tries: [] }))).toEqual([]);
});
