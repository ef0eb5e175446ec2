import { describe, expect, test } from "bun:test";
import { EventCutter, textCall, textFormats, textOfEvent } from "./text-formats.ts";

const ask = {
  model: "some-model",
  system: "Be brief.",
  messages: [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello" },
    { role: "user", content: "Why?" },
  ],
  temperature: 0.5,
  tokensMax: 100,
  more: { top_p: 0.9 },
} as const;

describe("a question", () => {
  test.each(textFormats)(
    "in %s has its path, the system's words and the fields on top",
    (format) => {
      const { path, body } = textCall({ ...ask, format });
      const text = JSON.stringify(body);
      expect(path).toMatch(/^\/v1(?:beta)?\//);
      for (const part of ["Be brief.", "Why?", "0.5", "100", "top_p"]) expect(text).toContain(part);
    },
  );

  test.each(textFormats)(
    "in %s carries a picture, and neither its name nor a role twice",
    (format) => {
      const picture = { name: "cat.png", type: "image/png", base64: "AAAA" };
      const messages = [{ role: "user", content: "What is it?", pictures: [picture] }] as const;
      const text = JSON.stringify(textCall({ ...ask, format, messages }).body);
      for (const part of ["image/png", "AAAA", "What is it?"]) expect(text).toContain(part);
      expect(text).not.toContain("cat.png");
      expect(text.split('"user"')).toHaveLength(2);
    },
  );

  test("says nothing of what is left to the model", () => {
    const { body } = textCall({ ...ask, format: "chat", system: "", temperature: null, more: {} });
    expect(Object.keys(body)).toEqual(["model", "stream", "max_tokens", "messages"]);
  });
});

describe("a stream", () => {
  test("is cut into events wherever its pieces end", () => {
    const cutter = new EventCutter();
    const stream = 'event: x\r\ndata: {"a":1}\r\n\r\n: comment\n\ndata: {"b":2}\n\ndata: [DO';
    const events = Array.from(stream).flatMap((letter) => cutter.push(letter));
    expect(events).toEqual(['{"a":1}', '{"b":2}']);
    expect(cutter.push("NE]\n\n")).toEqual(["[DONE]"]);
  });

  test.each([
    ["chat", { choices: [{ delta: { content: "Hi" } }] }],
    ["responses", { type: "response.output_text.delta", delta: "Hi" }],
    ["messages", { type: "content_block_delta", delta: { type: "text_delta", text: "Hi" } }],
    [
      "content",
      { candidates: [{ content: { parts: [{ text: "no", thought: true }, { text: "Hi" }] } }] },
    ],
  ] as const)("of %s says its text, and throws where it has failed", (format, event) => {
    expect(textOfEvent(format, JSON.stringify(event))).toBe("Hi");
    const failure = JSON.stringify({ type: "error", error: { message: "broken" } });
    expect(() => textOfEvent(format, failure)).toThrow("broken");
  });
});
