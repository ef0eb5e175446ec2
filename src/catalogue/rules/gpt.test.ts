import { expect, test } from "bun:test";
import { gptRulesOf } from "./gpt.ts";

test.each([
  ["gpt-4.1", "all", [], false],
  ["gpt-4o-mini", "all", [], false],
  ["o1-mini", "none", [], true],
  ["o3", "none", ["low", "medium", "high"], true],
  ["o4-mini-2025-04-16", "none", ["low", "medium", "high"], true],
  ["gpt-5", "none", ["minimal", "low", "medium", "high"], true],
  ["gpt-5-mini-2025-08-07", "none", ["minimal", "low", "medium", "high"], true],
  ["gpt-5-pro", "none", ["high"], true],
  ["gpt-5-chat-latest", "all", [], true],
  ["gpt-5.1", "all", ["none", "low", "medium", "high"], true],
  ["gpt-5.1-codex", "none", ["low", "medium", "high"], true],
  ["gpt-5.2", "all", ["none", "low", "medium", "high", "xhigh"], true],
  ["gpt-5.2-pro", "none", ["medium", "high", "xhigh"], true],
  ["gpt-5.4-mini", "all", ["none", "low", "medium", "high", "xhigh"], true],
  ["gpt-oss-120b", "all", ["low", "medium", "high"], false],
] as const)("X-P10 X-P06 the rules of %s are known", (model, taken, efforts, hasNewBound) => {
  const rules = gptRulesOf(model);
  expect(rules).toMatchObject({ sampling: { taken }, efforts: [...efforts], hasNewBound });
});

test("X-P17 tools rule out reasoning in chat from 5.4 on", () => {
  const idle = (model: string) => gptRulesOf(model)?.isIdleWithTools;
  expect(["gpt-5", "gpt-5.1", "gpt-5.3", "o3"].map(idle)).toEqual([false, false, false, false]);
  expect(["gpt-5.4", "gpt-5.5", "gpt-5.10", "gpt-6"].map(idle)).toEqual([true, true, true, true]);
});

test("X-H19 models from 5.1 on do not reason unless asked, and draw as they are told until then", () => {
  for (const model of ["gpt-5.1", "gpt-5.2", "gpt-5.4"]) {
    expect(gptRulesOf(model)).toMatchObject({
      reasons: false,
      sampling: { taken: "all", whileReasoning: "none" },
    });
  }
  expect(gptRulesOf("gpt-5")?.reasons).toBe(true);
});

test("nothing is known of other names", () => {
  for (const model of ["omni-1", "olmo", "my-o3", "openai/gpt-5", "claude-opus-5", ""]) {
    expect(gptRulesOf(model)).toBeNull();
  }
});
