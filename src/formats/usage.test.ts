import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readOpenaiUsage } from "./kit/openai-usage.ts";
import { addMessagesUsage, readMessagesUsage } from "./messages/usage.ts";
import { laterUsage, toUsage } from "./usage.ts";

const plain = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

describe("a report", () => {
  test("whose total has more than input and output counts the rest as output", () => {
    // Counted the way of xAI and Google's compatible address: reasoning stands beside the answer.
    const usage = readOpenaiUsage({
      prompt_tokens: 14,
      completion_tokens: 14,
      total_tokens: 348,
      completion_tokens_details: { reasoning_tokens: 320 },
    });
    expect(usage).toEqual({ inputTokens: 14, outputTokens: 334, ...plain, reasoningTokens: 320 });
  });

  test("whose total is less, or not a count, changes nothing", () => {
    const counts = { prompt_tokens: 10, completion_tokens: 5 };
    for (const total_tokens of [0, 12, -3, "99", Number.NaN]) {
      expect(readOpenaiUsage({ ...counts, total_tokens })?.outputTokens).toBe(5);
    }
  });

  test("with more reasoning than output had it counted beside the output", () => {
    expect(toUsage({ input: 3, output: 2, reasoning: 7 })?.outputTokens).toBe(9);
    expect(toUsage({ input: 3, output: 7, reasoning: 7 })?.outputTokens).toBe(7);
  });

  test("that leaves input or output open is none", () => {
    expect(toUsage({ input: null, output: 5, total: 9 })).toBeNull();
    expect(toUsage({ input: 4, output: null, total: 9 })).toBeNull();
  });
});

describe("a vendor's own names", () => {
  const counts = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 };

  test.each<[string, object, object]>([
    ["DeepSeek", { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }, reads(64)],
    ["Moonshot", { cached_tokens: 64 }, reads(64)],
    ["Mistral", { num_cached_tokens: 64 }, reads(64)],
    ["Mistral", { prompt_token_details: { cached_tokens: 64 } }, reads(64)],
    ["Zhipu", { prompt_tokens_details: { cached_tokens: 64 } }, reads(64)],
    ["vLLM", { prompt_tokens_details: null }, reads(0)],
    [
      "DashScope",
      { prompt_tokens_details: { cached_tokens: 60, cache_creation_input_tokens: 40 } },
      { ...reads(60), cacheWriteTokens: 40 },
    ],
    [
      "OpenRouter",
      { cost: 0.1, prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 40 } },
      { ...reads(60), cacheWriteTokens: 40 },
    ],
    // A detail that is there goes before a name at the top.
    ["nobody", { cached_tokens: 64, prompt_tokens_details: { cached_tokens: 10 } }, reads(10)],
  ])("%s's cache, as %j, is read", (_vendor, own, expected) => {
    expect(readOpenaiUsage({ ...counts, ...own })).toMatchObject({
      inputTokens: 100,
      outputTokens: 5,
      ...expected,
    });
  });

  test("xAI's cache reads beyond the prompt stand beside it", () => {
    const usage = readOpenaiUsage({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 18,
      prompt_tokens_details: { cached_tokens: 100 },
      completion_tokens_details: { reasoning_tokens: 3 },
      cost_in_usd_ticks: 1_200_000,
    });
    expect(usage).toMatchObject({ inputTokens: 110, cacheReadTokens: 100, outputTokens: 8 });
  });

  test("Cohere's billed units are what is charged", () => {
    const usage = readOpenaiUsage({
      billed_units: { input_tokens: 8, output_tokens: 578 },
      tokens: { input_tokens: 1394, output_tokens: 582 },
      cached_tokens: 1344,
    });
    expect(usage).toEqual({ inputTokens: 8, outputTokens: 578, ...plain });
  });

  test("what was read and written is a part of the input, whatever is reported", () => {
    const count = fc.nat(200_000);
    const details = fc.record(
      { cached_tokens: count, cache_creation_input_tokens: count, cache_write_tokens: count },
      { requiredKeys: [] },
    );
    const report = fc.record(
      {
        prompt_tokens: count,
        completion_tokens: count,
        total_tokens: count,
        prompt_tokens_details: details,
        prompt_token_details: details,
        prompt_cache_hit_tokens: count,
        cached_tokens: count,
        num_cached_tokens: count,
      },
      { requiredKeys: ["prompt_tokens", "completion_tokens"] },
    );
    fc.assert(
      fc.property(report, (reported) => {
        const usage = readOpenaiUsage(reported);
        if (!usage) throw new Error("nothing was read");
        const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
        expect(cacheReadTokens + cacheWriteTokens).toBeLessThanOrEqual(inputTokens);
        expect(inputTokens).toBeGreaterThanOrEqual(reported.prompt_tokens);
        expect(outputTokens).toBeGreaterThanOrEqual(reported.completion_tokens);
        // Nobody pays the full price for more than the prompt that was reported.
        expect(inputTokens - cacheReadTokens).toBeLessThanOrEqual(reported.prompt_tokens);
      }),
    );
  });
});

function reads(cacheReadTokens: number): object {
  return { cacheReadTokens };
}

describe("several reports", () => {
  const first = { inputTokens: 90, outputTokens: 91, ...plain };

  test("are settled by the last one, also downwards", () => {
    const last = { inputTokens: 80, outputTokens: 11, ...plain };
    expect(laterUsage(first, last)).toEqual(last);
  });

  test("are not undone by one that counts nothing", () => {
    const empty = { inputTokens: 0, outputTokens: 0, ...plain };
    expect(laterUsage(first, empty)).toEqual(first);
    expect(laterUsage(first, null)).toEqual(first);
    expect(laterUsage(null, empty)).toEqual(empty);
  });
});

describe("messages", () => {
  test("count every iteration, of which the top leaves some out", () => {
    const usage = readMessagesUsage({
      input_tokens: 23_000,
      output_tokens: 1000,
      iterations: [
        { type: "compaction", input_tokens: 180_000, output_tokens: 3500 },
        { type: "message", input_tokens: 23_000, output_tokens: 1000 },
      ],
    });
    expect(usage).toEqual({ inputTokens: 203_000, outputTokens: 4500, ...plain });
  });

  test("keep the input that was told where a later report has none", () => {
    const start = { input_tokens: 3, cache_creation_input_tokens: 800_000, output_tokens: 1 };
    const told = addMessagesUsage(null, start);
    const last = addMessagesUsage(told, { input_tokens: 0, output_tokens: 9 });
    expect(last).toMatchObject({
      inputTokens: 800_003,
      cacheWriteTokens: 800_000,
      outputTokens: 9,
    });
  });

  test("take an input that a later report corrects", () => {
    const told = addMessagesUsage(null, { input_tokens: 40, output_tokens: 1 });
    const last = addMessagesUsage(told, {
      input_tokens: 0,
      cache_read_input_tokens: 30,
      output_tokens: 9,
    });
    expect(last).toMatchObject({ inputTokens: 30, cacheReadTokens: 30 });
  });
});
