import { describe, expect, test } from "bun:test";
import { type Assignment, write } from "./write.ts";

const assignment: Assignment = {
  prompt: "What is the weather in Paris tomorrow?",
  attachments: [],
  toolResults: [],
  toolsToCall: [],
  shape: { kind: "prose" },
  words: 30,
  tokensMax: null,
  stop: [],
  reasoningTokens: 0,
  isFiltered: false,
};

describe("prose", () => {
  test("is the same for the same prompt and speaks of it", () => {
    const { text, finish } = write(assignment);
    expect(text).toContain("weather");
    expect(text?.split(" ")).toHaveLength(30);
    expect(finish).toBe("stop");
    expect(write(assignment).text).toBe(text);
  });

  test("differs by prompt and by variant", () => {
    const { text } = write(assignment);
    expect(write({ ...assignment, prompt: "Tell me about Roman bridges" }).text).not.toBe(text);
    expect(write(assignment, 1).text).not.toBe(text);
  });

  test("is found for a prompt without any words", () => {
    expect(write({ ...assignment, prompt: "?!" }).text).toContain("this");
  });

  test("ends before a stop sequence", () => {
    const { text, finish } = write({ ...assignment, stop: ["zzz", "Paris"] });
    expect(text).toBe("You asked about weather, ");
    expect(finish).toBe("stop");
  });

  test("keeps to its limit of tokens, reasoning included", () => {
    for (const tokensMax of [1, 2, 7, 20]) {
      const written = write({ ...assignment, tokensMax, reasoningTokens: 64 });
      expect(written.finish).toBe("length");
      expect(written.reasoningTokens).toBeGreaterThan(0);
      expect(written.tokens + written.reasoningTokens).toBeLessThanOrEqual(tokensMax);
    }
  });

  test("is not cut inside a character", () => {
    const { text } = write({
      ...assignment,
      prompt: "😀",
      toolResults: ["😀😀😀😀😀x"],
      tokensMax: 6,
    });
    expect(text?.isWellFormed()).toBeTrue();
  });
});

describe("tool calls", () => {
  const tool = {
    name: "weather",
    schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    isStrict: false,
    input: null,
  };

  test("take their arguments from the prompt", () => {
    const written = write({ ...assignment, toolsToCall: [tool] });
    expect(written).toMatchObject({ text: null, finish: "calls" });
    expect(written.calls).toEqual([{ name: "weather", arguments: '{"city":"Paris"}' }]);
  });

  test("are given what the prompt puts in backquotes, as it stands there", () => {
    const prompt = "Ask The Oracle about `cat *.txt | wc -l` and no more.";
    const { calls } = write({ ...assignment, prompt, toolsToCall: [tool] });
    expect(calls).toEqual([{ name: tool.name, arguments: '{"city":"cat *.txt | wc -l"}' }]);
  });

  test("are the input itself where it is an object, and lines where it is a text in quotes", () => {
    const inputs = ['{"city":"Ur","days":[1]}', '"a\\nb"', '"a', "{x}", "0"];
    const written = inputs.map((input) =>
      write({ ...assignment, toolsToCall: [{ ...tool, input }] }),
    );
    expect(written.map(({ calls }) => calls[0]?.arguments)).toEqual([
      '{"city":"Ur","days":[1]}',
      '{"city":"a\\nb"}',
      '{"city":"\\"a"}',
      '{"city":"{x}"}',
      '{"city":"0"}',
    ]);
  });

  test("keep to the limit of tokens", () => {
    for (const tokensMax of [1, 2, 4, 7, 9]) {
      const written = write({ ...assignment, toolsToCall: [tool, tool], tokensMax });
      expect(written.finish).toBe("length");
      expect(written.tokens).toBeLessThanOrEqual(tokensMax);
    }
  });
});
