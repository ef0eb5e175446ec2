// Whole answers over real HTTP: words, limits, media, caches.
import { afterAll, describe, expect, test } from "bun:test";
import type { Anthropic } from "@anthropic-ai/sdk";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg" +
  "gg==";
const pdf = Buffer.from("%PDF-1.7\n%%EOF").toString("base64");

function post(body: object) {
  return fetch(`${sandbox.url}/anthropic/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "sk-sandbox-a", "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ model: "m", max_tokens: 500, ...body }),
  });
}

async function answerTo(content: unknown, body: object = {}): Promise<Anthropic.Message> {
  const response = await post({ messages: [{ role: "user", content }], ...body });
  expect(response.status).toBe(200);
  return (await response.json()) as Anthropic.Message;
}

function textOf({ content }: Anthropic.Message): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

describe("an answer", () => {
  test("speaks of the prompt, in the vendor's form", async () => {
    const answer = await answerTo("Where do lighthouses stand?");
    expect(textOf(answer)).toContain("lighthouses");
    expect(answer).toMatchObject({
      type: "message",
      role: "assistant",
      model: "m",
      stop_reason: "end_turn",
      stop_sequence: null,
      stop_details: null,
    });
    expect(answer.id).toStartWith("msg_");
  });

  test("is the same to the same request", async () => {
    const [one, other] = [await answerTo("Tell me of rivers"), await answerTo("Tell me of rivers")];
    expect(one.content).toEqual(other.content);
    expect(one.id).not.toBe(other.id);
  });

  test("counts its tokens and those of the whole prompt", async () => {
    const { usage } = await answerTo("Tell me of rivers");
    const more = await answerTo("Tell me of rivers", { system: "Be brief, and friendly." });
    expect(usage.output_tokens).toBeGreaterThan(20);
    expect(usage.input_tokens).toBeGreaterThan(0);
    expect(more.usage.input_tokens).toBeGreaterThan(usage.input_tokens);
  });

  test("follows the last of several user messages", async () => {
    const messages = [
      { role: "user", content: "Tell me of rivers" },
      { role: "assistant", content: "They flow." },
      { role: "user", content: "And now of mountains" },
      { role: "user", content: [{ type: "text", text: "or rather of valleys" }] },
    ];
    expect(textOf(await answerTo("", { messages }))).toContain("valleys");
  });
});

describe("the end of an answer", () => {
  test("comes at the token limit", async () => {
    const answer = await answerTo("Tell me of rivers", { max_tokens: 5 });
    expect(answer.stop_reason).toBe("max_tokens");
    expect(answer.usage.output_tokens).toBe(5);
    expect(textOf(answer)).toHaveLength(20);
  });

  test("comes before the first of the stop sequences, and says which", async () => {
    const stops = { stop_sequences: ["zebra", "rivers", "asked about"] };
    const answer = await answerTo("Tell me of rivers", stops);
    expect(answer).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "asked about" });
    expect(textOf(answer)).toBe("You ");
    expect(answer.usage.output_tokens).toBe(1);
  });

  test("comes without a word when nothing but the cache is wanted", async () => {
    const answer = await answerTo("Tell me of rivers", { max_tokens: 0 });
    expect(answer).toMatchObject({ content: [], stop_reason: "max_tokens" });
  });

  test("is a refusal when the prompt asks for one", async () => {
    const answer = await answerTo("Tell me of rivers sandbox:filter");
    expect(answer.stop_reason).toBe("refusal");
    expect(answer.stop_details).toMatchObject({ type: "refusal", category: "general_harms" });
    expect(answer.usage.output_tokens).toBeGreaterThan(0);
  });
});

describe("what comes with the prompt", () => {
  const image = { type: "base64", media_type: "image/png", data: png };
  const document = { type: "base64", media_type: "application/pdf", data: pdf };

  test.each([
    [{ type: "image", source: image }, "an image of type image/png, 1 by 1 pixels"],
    [{ type: "image", source: { type: "url", url: "https://a.test/b" } }, "an image at https://a"],
    [{ type: "image", source: { type: "file", file_id: "file_1" } }, "from the file file_1"],
    [{ type: "document", source: document }, "a document of type application/pdf, 14 bytes"],
    [
      {
        type: "document",
        title: "notes",
        source: { type: "text", media_type: "text/plain", data: "häh" },
      },
      "a document of type text/plain, 4 bytes titled notes",
    ],
    [
      { type: "search_result", source: "a", title: "Seas", content: [{ type: "text", text: "b" }] },
      "a search result titled Seas",
    ],
  ])("is described by what it is: %j", async (block, words) => {
    const answer = await answerTo([block, { type: "text", text: "What is this?" }]);
    expect(textOf(answer)).toContain(words);
  });
});

describe("a cache mark", () => {
  const marked = (mark: object) => ({
    system: [{ type: "text", text: "a".repeat(400), cache_control: mark }],
  });
  const none = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 };

  test("makes what stands before it come from the cache", async () => {
    const { usage } = await answerTo("Rivers", marked({ type: "ephemeral" }));
    expect(usage).toMatchObject({
      input_tokens: 2,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 0,
      cache_creation: none,
    });
  });

  test("with a lifetime makes it go into the cache", async () => {
    const { usage } = await answerTo("Rivers", marked({ type: "ephemeral", ttl: "1h" }));
    expect(usage).toMatchObject({
      input_tokens: 2,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 100,
      cache_creation: { ...none, ephemeral_1h_input_tokens: 100 },
    });
  });

  test("on the whole request covers all of it", async () => {
    const { usage } = await answerTo("Rivers", { cache_control: { type: "ephemeral" } });
    expect(usage).toMatchObject({ input_tokens: 0, cache_read_input_tokens: 2 });
  });
});

test("structured output fits its schema", async () => {
  const schema = {
    type: "object",
    properties: { city: { type: "string" }, size: { type: "integer" } },
    required: ["city", "size"],
    additionalProperties: false,
  };
  const format = { type: "json_schema", schema };
  const answer = await answerTo("Where is Paris?", { output_config: { format } });
  const value = JSON.parse(textOf(answer)) as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(["city", "size"]);
  expect(value["city"]).toBeString();
  expect(value["size"]).toBeInteger();
});
