// Answers in words, and answers of a given shape.
import { expect, test } from "bun:test";
import { generateObject, generateText, type ModelMessage, Output, streamText } from "ai";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { modelOf } from "../../harness/dialects.ts";
import { type Desk, place, question, readAll, textOf } from "./desk.ts";

export function textHolds(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];

  test(`T16 generateText gives the answer and its usage, on ${dialect}`, async () => {
    const reply = await generateText({ ...desk.to(id), prompt: question });
    expect(reply.text).toStartWith("You asked about lighthouses");
    expect(reply.finishReason).toBe("stop");
    const { inputTokens = 0, outputTokens = 0, totalTokens } = reply.usage;
    expect(inputTokens).toBeGreaterThan(3);
    expect(outputTokens).toBeGreaterThan(20);
    expect(totalTokens).toBe(inputTokens + outputTokens);
    expect(desk.stand.sandbox.calls().recent.at(-1)).toMatchObject({ model: id, stream: false });
  });

  test(`T16 streamText puts the same answer together, on ${dialect}`, async () => {
    const whole = await generateText({ ...desk.to(id), prompt: question });
    const result = streamText({ ...desk.to(id), prompt: question });
    const seen = await readAll(result);
    expect(seen).toMatchObject({ errors: [], finish: "stop", text: whole.text });
    expect(await result.text).toBe(whole.text);
    const usage = await result.usage;
    expect(usage.inputTokens).toBe(whole.usage.inputTokens ?? -1);
    expect(usage.outputTokens).toBe(whole.usage.outputTokens ?? -1);
  });

  test(`T16 instructions are read by the model, on ${dialect}`, async () => {
    const plain = await generateText({ ...desk.to(id), prompt: question });
    const instructions = "You keep a lighthouse in the far north. Be brief and kind.";
    const told = await generateText({ ...desk.to(id), prompt: question, instructions });
    expect(told.text).toBe(plain.text);
    expect((told.usage.inputTokens ?? 0) - (plain.usage.inputTokens ?? 0)).toBeWithin(10, 30);
  });

  test(`T16 the messages of an answer go on into the next question, on ${dialect}`, async () => {
    const first: ModelMessage[] = [{ role: "user", content: "Tell me about harbours." }];
    for (const isStream of [false, true]) {
      const ask = { ...desk.to(id), messages: first };
      const result = isStream ? streamText(ask) : await generateText(ask);
      if ("fullStream" in result) await textOf(result);
      const { messages } = await result.response;
      const next: ModelMessage[] = [...first, ...messages, { role: "user", content: question }];
      const reply = await generateText({ ...desk.to(id), messages: next });
      expect(reply.text).toStartWith("You asked about lighthouses");
      expect(JSON.stringify(desk.stand.tap.bodies.at(-1))).toContain("You asked about harbours");
    }
  });
}

export function endingsHold(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];

  test(`T16 an answer of a given shape has it, whole and streamed, on ${dialect}`, async () => {
    const ask = { ...desk.to(id), prompt: "Which city is it, Lisbon?" };
    const output = Output.object({ schema: place });
    expect((await generateText({ ...ask, output })).output).toEqual({ city: "Lisbon" });
    const streamed = streamText({ ...ask, output });
    expect((await readAll(streamed)).errors).toEqual([]);
    expect(await streamed.output).toEqual({ city: "Lisbon" });
    expect((await generateObject({ ...ask, schema: place })).object).toEqual({ city: "Lisbon" });
  });

  test(`T16 an answer that is withheld says so, on ${dialect}`, async () => {
    const ask = { ...desk.to(id), prompt: "sandbox:filter Where do lighthouses stand?" };
    expect((await generateText(ask)).finishReason).toBe("content-filter");
    expect(await readAll(streamText(ask))).toMatchObject({ errors: [], finish: "content-filter" });
  });

  test(`T16 an answer that is cut at its limit says so, on ${dialect}`, async () => {
    const ask = { ...desk.to(id), prompt: question, maxOutputTokens: 20 };
    const whole = await generateText(ask);
    expect(whole.finishReason).toBe("length");
    expect(whole.usage.outputTokens).toBeWithin(1, 21);
    expect(await readAll(streamText(ask))).toMatchObject({ errors: [], finish: "length" });
  });
}
