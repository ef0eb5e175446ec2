// Sums of surcharges: the most when a request is admitted, and in the end by use.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { noPrice, type ListedPrice } from "../catalogue/model.ts";
import { SurchargeUse, type Surcharge, type ToolCalls } from "../formats/surcharge.ts";
import type { Usage } from "../formats/usage.ts";
import { textCost, textHold } from "./price.ts";
import { Prices } from "./prices.ts";
import { freeSurcharge, readingsOf } from "./surcharge-price.ts";
import { surchargeUseText } from "./surcharge-text.ts";

const once = 1_000_000;

/** Amounts without their brand, to be compared. */
const costOf = (...given: Parameters<typeof textCost>): number => textCost(...given);
const holdOf = (...given: Parameters<typeof textHold>): number => textHold(...given);
const listed: ListedPrice = {
  ...noPrice,
  inputMicrosPerMillion: 1_000_000,
  outputMicrosPerMillion: 10_000_000,
  cacheReadMicrosPerMillion: 100_000,
  audioOutputMicrosPerMillion: 50_000_000,
};
const used: Usage = {
  inputTokens: 100,
  outputTokens: 10,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

const tool = (name: string, max: number, isShared = false): Surcharge => ({
  kind: "hosted_tools",
  name,
  param: "tools.0",
  paths: [],
  calls: { max, isShared, counted: [name], readsMore: true },
});
const plain = (kind: Surcharge["kind"], name: string): Surcharge => ({
  kind,
  name,
  param: kind,
  paths: [],
});
const search = tool("web_search", 5);
const priority = plain("service_tier", "service_tier.priority");
const hour = plain("cache_1h", "cache_1h");
const long = plain("long_context", "long_context");
const audio = plain("audio", "audio");

function priceOf(asked: readonly Surcharge[], own: ListedPrice = listed, multiplierPpm = once) {
  const prices = new Prices("refuse");
  prices.replace(new Map([["m", own]]));
  return prices.surcharged("m", multiplierPpm, asked);
}

describe("a price", () => {
  test("has what is asked for on its text, so that an entry can be recomputed", () => {
    const plainText = "1000000/10000000/100000/1000000/0";
    expect(priceOf([]).text).toBe(plainText);
    expect(priceOf([search, priority, hour, long, audio]).text).toBe(
      `${plainText} long>200000=200/150% web_search=10000x5 service_tier.priority=200/200% ` +
        "cache_1h long_context audio=50000000",
    );
    const own = { ...listed, cacheWriteHourMicrosPerMillion: 7, toolMicros: { web_search: 3 } };
    expect(priceOf([search], own, 2 * once).text).toBe(
      "2000000/20000000/200000/2000000/0 1h=14 web_search=6x5",
    );
  });

  test("leaves out what nobody has listed, and is free only where the whole model is", () => {
    const unknown = tool("crystal_ball", 1);
    expect(priceOf([unknown, search]).surcharges.map((one) => one.surcharge)).toEqual([search]);
    const mute = { ...listed, audioOutputMicrosPerMillion: null };
    expect(priceOf([audio], mute).surcharges).toEqual([]);
    const free = new Prices("free").surcharged("nobody's", once, [unknown, search]);
    expect(free.surcharges).toHaveLength(2);
    expect(holdOf(free, { inputTokensMax: 100, outputTokensMax: 10 })).toBe(0);
  });
});

describe("a cost", () => {
  const sent = [search, priority];

  test("has the calls that were counted, within their bound, and the tier that was given", () => {
    const price = priceOf(sent);
    const use = new SurchargeUse();
    use.tell("web_search", 2);
    expect(costOf(price, used, { sent, use })).toBe(20_000 + 400);
    use.tell("web_search", 1_000_000);
    use.give("service_tier", "default");
    expect(costOf(price, used, { sent, use })).toBe(50_000 + 200);
    expect(surchargeUseText(price.surcharges, used, { sent, use })).toBe(" web_search=5");
    expect(costOf(price, used, { sent: [], use })).toBe(200);
    expect(costOf(price, used)).toBe(200);
  });

  test("is by the lifetime of what was written, whether or not it was asked for", () => {
    const written = { ...used, cacheWriteTokens: 100, cacheWriteHourTokens: 60 };
    expect(costOf(priceOf([]), written)).toBe(40 + 120 + 100);
    const untold = { ...used, cacheWriteTokens: 100 };
    expect(costOf(priceOf([hour]), untold, { sent: [hour], use: null })).toBe(200 + 100);
  });
});

test("a hold of tools with one bound is that of the dearest", () => {
  const bound = { inputTokensMax: 0, outputTokensMax: 0 };
  const pictures = tool("image_generation.high", 5, true);
  const shared = [tool("web_search", 5, true), pictures];
  expect(holdOf(priceOf(shared), bound)).toBe(5 * 250_000);
  expect(holdOf(priceOf([search, pictures]), bound)).toBe(5 * 260_000);
});

test("Q2 a search that may go by several wires is held as the dearest, and charged as the one it went by", () => {
  const bound = { inputTokensMax: 0, outputTokensMax: 0 };
  const foreign = { ...tool("web_search", 2), wire: "messages" };
  const google = { ...tool("googleSearch", 10), wire: "content" };
  const price = priceOf([search, foreign, google]);
  expect(holdOf(price, bound)).toBe(10 * 14_000);
  expect(price.text).toEndWith(
    " web_search=10000x5 messages:web_search=10000x2 content:googleSearch=14000x10",
  );
  const use = new SurchargeUse();
  use.tell("web_search", 9);
  const sent = [foreign];
  expect(costOf(price, { ...used, inputTokens: 0, outputTokens: 0 }, { sent, use })).toBe(20_000);
  expect(surchargeUseText(price.surcharges, used, { sent, use })).toBe(" messages:web_search=2");
});

test("no usage within its bounds costs more than was held", () => {
  const all = [search, tool("googleMaps", 1), priority, hour, long, audio];
  const asked = fc.subarray(all);
  const count = (max: number) => fc.integer({ min: 0, max });
  const inputTokensMax = 400_000;
  const outputTokensMax = 1000;
  fc.assert(
    fc.property(
      fc.record({
        sent: asked,
        input: count(inputTokensMax),
        output: count(outputTokensMax),
        write: count(inputTokensMax),
        hourly: fc.option(count(inputTokensMax), { nil: undefined }),
        spoken: fc.option(count(outputTokensMax), { nil: undefined }),
        calls: count(20),
      }),
      ({ sent, input, output, write, hourly, spoken, calls }) => {
        const price = priceOf(sent);
        const use = new SurchargeUse();
        use.tell("web_search", calls);
        use.tell("googleMaps", calls);
        if (spoken !== undefined) use.tell("audio", spoken);
        const writes = Math.min(write, input);
        const isHourly = sent.includes(hour) && hourly !== undefined;
        const usage = {
          ...used,
          inputTokens: input,
          outputTokens: output,
          cacheWriteTokens: writes,
          ...(isHourly && { cacheWriteHourTokens: Math.min(hourly, writes) }),
        };
        const held = holdOf(price, { inputTokensMax, outputTokensMax });
        expect(costOf(price, usage, { sent, use })).toBeLessThanOrEqual(held);
      },
    ),
  );
});

describe("what hosted tools have read again", () => {
  const tool = (calls: Partial<ToolCalls>) =>
    freeSurcharge({
      kind: "hosted_tools",
      name: "t",
      param: "tools.0",
      paths: [],
      calls: { max: 3, counted: [], readsMore: true, ...calls },
    });

  test("is as often as they may be called, of those that share a bound once", () => {
    expect(readingsOf([])).toBe(0);
    expect(readingsOf([tool({}), tool({ max: 4 })])).toBe(7);
    expect(readingsOf([tool({ isShared: true }), tool({ isShared: true, max: 5 })])).toBe(5);
    expect(readingsOf([tool({ readsMore: false })])).toBe(0);
  });

  test("is never more than the vendor goes on by itself", () => {
    expect(readingsOf([tool({ max: 1000, readingsMax: 10 })])).toBe(10);
  });
});
