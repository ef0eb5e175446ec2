import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readEvents } from "../../core/sse.ts";
import { observeChat } from "../chat/observe.ts";
import { ChatStreamDecoder } from "../chat/decode-stream.ts";
import { chat } from "../chat/index.ts";

const request = chat.read(
  { model: "m", messages: [{ role: "user", content: "hi" }], stream: true },
  null,
);

const event = (choice: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: "1", ...more, choices: [{ index: 0, ...choice }] })}\n\n`;
const word = (content: string, more: object = {}) =>
  event({ delta: { content }, finish_reason: null }, more);

/** An observer that has seen one event, and so knows what its frame is long. */
function begin() {
  const observer = observeChat(request);
  for (const first of readEvents(word("four"))) observer.see(first);
  return observer;
}

const skims = (text: string) => begin().skim(Buffer.from(text));

describe("a skim", () => {
  test("counts what a look would count, however many events come at once", () => {
    const words = fc.array(fc.string({ unit: "grapheme-ascii" }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(words, (texts) => {
        const plain = texts.map((text) => text.replaceAll(/["\\]/g, "x"));
        const [skimming, looking] = [begin(), begin()];
        const block = plain.map((text) => word(text)).join("");
        expect(skimming.skim(Buffer.from(block))).toBe(true);
        for (const seen of readEvents(block)) looking.see(seen);
        const { outputTokensEstimate } = skimming.observed();
        expect(outputTokensEstimate).toBeCloseTo(looking.observed().outputTokensEstimate, 6);
      }),
    );
  });

  test("takes what a vendor puts on every event, and the end of a choice", () => {
    expect(skims(word("a", { usage: null }))).toBe(true);
    expect(skims(word("a") + event({ delta: {}, finish_reason: "stop" }))).toBe(true);
    expect(skims(word('"usage": {"total_tokens": 1} or "error"'))).toBe(true);
  });

  test.each([
    ["usage", word("a", { usage: { total_tokens: 1 } })],
    ["an error", 'data: {"error":{"message":"no"}}\n\n'],
    ["an error of a choice", event({ error: { code: 502, message: "no" } })],
    ["usage in Groq's place", word("a", { x_groq: { usage: { total_tokens: 1 } } })],
    ["the end", "data: [DONE]\n\n"],
    ["a comment", ": keep-alive\n\n"],
    ["an event with a name", `event: x\n${word("a")}`],
    ["a second line", `data: {"a":\ndata: 1}\n\n`],
    ["other line breaks", word("a").replaceAll("\n", "\r\n")],
    ["what is cut", word("a").slice(0, -1)],
    ["nothing", ""],
  ])("leaves %s to a look, alone or among others", (_name, text) => {
    expect(skims(text)).toBe(false);
    if (text === "") return;
    expect(skims(word("a") + text)).toBe(false);
    expect(skims(text + word("a"))).toBe(false);
  });

  test("is not to be trusted before the first look", () => {
    expect(observeChat(request).skim(Buffer.from(word("a")))).toBe(false);
  });
});

describe("a look", () => {
  test("finds the error of a choice", () => {
    const [told] = readEvents(event({ delta: {}, error: { code: 502, message: "gone" } }));
    if (!told) throw new Error("no event");
    expect(observeChat(request).see(told)).toEqual({ kind: "fault", message: "gone" });
    expect(new ChatStreamDecoder().push(told)).toEqual([{ kind: "fault", message: "gone" }]);
  });
});
