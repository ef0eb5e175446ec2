// Tools that are run to their end.
import { expect, test } from "bun:test";
import { generateText, isStepCount, streamText, tool } from "ai";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { modelOf } from "../../harness/dialects.ts";
import { type Desk, place, question, readAll, textOf, toolbox } from "./desk.ts";

export function toolsHold(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];
  const stopWhen = isStepCount(3);

  test(`T16 generateText runs tools to their end, on ${dialect}`, async () => {
    const { calls, tools } = toolbox();
    const prompt = "How far is it to Lisbon?";
    const reply = await generateText({ ...desk.to(id), prompt, tools, stopWhen });
    expect(calls).toEqual([{ name: "find_city", input: { city: "Lisbon" } }]);
    expect(reply.steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
    expect(reply.text).toContain("Lisbon is 300 km away");
  });

  test(`T16 streamText runs tools to their end, on ${dialect}`, async () => {
    const { calls, tools } = toolbox();
    const prompt = "How far is it to Lisbon?";
    const result = streamText({ ...desk.to(id), prompt, tools, stopWhen });
    const seen = await readAll(result);
    expect(calls).toEqual([{ name: "find_city", input: { city: "Lisbon" } }]);
    expect(seen).toMatchObject({ errors: [], finish: "stop" });
    expect(seen.text).toContain("Lisbon is 300 km away");
    expect(await result.steps).toHaveLength(2);
  });

  test(`T16 tools are called in parallel, whole and streamed, on ${dialect}`, async () => {
    for (const isStream of [false, true]) {
      const { calls, tools } = toolbox();
      const prompt = "Use find_city and get_weather for Lisbon.";
      const ask = { ...desk.to(id), prompt, tools, stopWhen };
      const text = isStream ? await textOf(streamText(ask)) : (await generateText(ask)).text;
      expect(text).toMatch(/Lisbon is 300 km away[^]*Sun over Lisbon/);
      expect(calls).toMatchObject([{ name: "find_city" }, { name: "get_weather" }]);
    }
  });

  test(`T16 the choice of a tool is kept, on ${dialect}`, async () => {
    const { tools } = toolbox();
    const ask = { ...desk.to(id), prompt: question, tools };
    const none = await generateText({ ...ask, toolChoice: "none" });
    expect(none.toolCalls).toEqual([]);
    expect(none.text).toContain("lighthouses");
    const any = await generateText({ ...ask, toolChoice: "required" });
    expect(any.toolCalls).toHaveLength(1);
    const named = { type: "tool" as const, toolName: "get_weather" as const };
    const one = await generateText({ ...ask, toolChoice: named });
    expect(one.toolCalls).toMatchObject([{ toolName: "get_weather" }]);
  });

  test(`T16 the failure of a tool is told to the model, on ${dialect}`, async () => {
    const failing = tool({
      inputSchema: place,
      execute: (): string => {
        throw new Error("The road is closed.");
      },
    });
    const ask = { ...desk.to(id), prompt: "How far is it to Lisbon?", stopWhen };
    const reply = await generateText({ ...ask, tools: { find_city: failing } });
    expect(reply.text).toContain("The road is closed.");
  });
}
