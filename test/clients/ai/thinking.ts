// Thinking: how much of it, what is shown of it, and that it comes back.
import { expect, test } from "bun:test";
import { generateText, isStepCount, streamText } from "ai";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { modelOf } from "../../harness/dialects.ts";
import { proofsIn } from "../../harness/samples.ts";
import { type Desk, question, textOf, toolbox } from "./desk.ts";

export function thinkingHolds(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];

  test(`T16 thinking comes back with its turn, whole and streamed, on ${dialect}`, async () => {
    for (const isStream of [false, true]) {
      const { tools } = toolbox();
      const { thinking: providerOptions, returnsThinking } = desk.client;
      const prompt = "How far is it to Lisbon?";
      const ask = { ...desk.to(id), prompt, tools, stopWhen: isStepCount(3), providerOptions };
      const result = isStream ? streamText(ask) : await generateText(ask);
      if ("fullStream" in result) await textOf(result);
      const [first, second, ...more] = await result.steps;
      expect(more).toEqual([]);
      expect(second?.text).toContain("Lisbon is 300 km away");
      expect(first?.usage.outputTokenDetails.reasoningTokens).toBeGreaterThan(5);
      if (!returnsThinking) continue;
      expect(first?.reasoningText).toMatch(/think|Weighing/);
      expect(proofsIn(desk.stand.tap.bodies.at(-1), dialect)).not.toEqual([]);
    }
  });
}

export function hiddenThinkingHolds(desk: Desk): void {
  /** With this word in a prompt the vendor of messages shows nothing of its thinking. */
  const redacting = "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING";

  test("T16 thinking that is hidden comes back too, whole and streamed", async () => {
    const { thinking: providerOptions, returnsHiddenThinking: returns } = desk.client;
    for (const isStream of [false, true]) {
      const { tools } = toolbox();
      const prompt = `How far is it to Lisbon? ${redacting}`;
      const to = desk.to(modelOf.messages);
      const ask = { ...to, prompt, tools, stopWhen: isStepCount(3), providerOptions };
      const text = isStream ? await textOf(streamText(ask)) : (await generateText(ask)).text;
      expect(text).toContain("Lisbon is 300 km away");
      const isReturned = isStream ? returns.streamed : returns.whole;
      const sent = JSON.stringify(desk.stand.tap.bodies.at(-1));
      expect(sent.includes('"redacted_thinking"')).toBe(isReturned);
    }
  });
}

export function effortHolds(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];

  test(`T7 the SDK's own setting for reasoning is understood, on ${dialect}`, async () => {
    for (const reasoning of ["none", "minimal", "xhigh"] as const) {
      const reply = await generateText({ ...desk.to(id), prompt: question, reasoning });
      expect(reply.text).toContain("lighthouses");
      expect(reply.finishReason).toBe("stop");
    }
  });
}
