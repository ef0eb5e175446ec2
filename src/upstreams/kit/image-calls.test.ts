import { describe, expect, test } from "bun:test";
import { VendorRefusal, type Fault, type ImageReply, type ImageUsage } from "../upstream.ts";
import { joinCalls } from "./image-calls.ts";
import { withheld } from "./image-reply.ts";

const usage: ImageUsage = {
  inputTokens: 10,
  outputTokens: 20,
  totalTokens: 30,
  inputTextTokens: 10,
  inputImageTokens: 0,
  outputImageTokens: 20,
  outputTextTokens: null,
};

function reply(base64: string, change: Partial<ImageReply> = {}): ImageReply {
  return {
    images: [{ source: { kind: "bytes", base64 }, revisedPrompt: null, size: null }],
    failures: [],
    quality: null,
    background: null,
    outputFormat: "png",
    usage,
    ...change,
  };
}

function refusal(blame: Extract<Fault["blame"], "load" | "key" | "channel">): VendorRefusal {
  const message = "sk-secret is at fault";
  if (blame === "load") return new VendorRefusal({ blame, message, retryAfterSeconds: null });
  return new VendorRefusal({ blame, message });
}

const sources = ({ images }: ImageReply) =>
  images.map(({ source }) => (source.kind === "bytes" ? source.base64 : source.url));

describe("several calls", () => {
  test("are joined in their order, however they end", async () => {
    const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    const joined = joinCalls(3, async (index) => {
      await gates[index]?.promise;
      return reply(`picture ${index}`);
    });
    for (const gate of gates.toReversed()) gate.resolve();
    const { usage: sum, ...rest } = await joined;
    expect(sources({ usage: sum, ...rest })).toEqual(["picture 0", "picture 1", "picture 2"]);
    expect(rest).toMatchObject({ failures: [], outputFormat: "png" });
    expect(sum).toEqual({
      inputTokens: 30,
      outputTokens: 60,
      totalTokens: 90,
      inputTextTokens: 30,
      inputImageTokens: 0,
      outputImageTokens: 60,
      outputTextTokens: null,
    });
  });

  test("are four at once and no more", async () => {
    let open = 0;
    let most = 0;
    await joinCalls(10, async (index) => {
      most = Math.max(most, ++open);
      await Promise.resolve();
      open--;
      return reply(String(index));
    });
    expect(most).toBe(4);
  });

  test("have no sum of tokens when one was not counted", async () => {
    const joined = await joinCalls(2, async (index) =>
      reply("x", { usage: index === 0 ? usage : null }),
    );
    expect(joined.usage).toBeNull();
  });
});

describe("a call that fails", () => {
  test("by a filter fails alone and says why", async () => {
    const joined = await joinCalls(6, async (index) => {
      if (index === 1) throw withheld("No foxes.");
      return reply(String(index));
    });
    expect(sources(joined)).toEqual(["0", "2", "3", "4", "5"]);
    expect(joined.failures).toEqual([{ code: "content_policy_violation", message: "No foxes." }]);
  });

  test.each(["key", "load", "channel"] as const)(
    "by fault of the %s ends the rest, and its words stay here",
    async (blame) => {
      let calls = 0;
      const joined = await joinCalls(9, async (index) => {
        calls++;
        if (index > 0) throw refusal(blame);
        return reply("0");
      });
      expect(calls).toBeLessThanOrEqual(5);
      expect(sources(joined)).toEqual(["0"]);
      expect(joined.failures).toHaveLength(8);
      expect(JSON.stringify(joined.failures)).not.toContain("secret");
    },
  );
});

describe("without any image", () => {
  test("the first refusal counts", async () => {
    const joined = joinCalls(3, async (index) => {
      throw withheld(`refused ${index}`);
    });
    await expect(joined).rejects.toThrow("refused 0");
  });

  test("what may have been carried out is no refusal", async () => {
    const joined = joinCalls(3, async (index) => {
      throw index === 2 ? new Error("cut off") : refusal("load");
    });
    await expect(joined).rejects.toThrow("cut off");
  });
});
