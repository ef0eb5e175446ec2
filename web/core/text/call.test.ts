import { describe, expect, test } from "bun:test";
import { textCall } from "./call.ts";
import { EventCutter, pieceOf, withPiece, type PlacedCall } from "./events.ts";
import { textFormats } from "./formats.ts";
import { readTools } from "./tools.ts";

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
    expect(pieceOf(format, JSON.stringify(event)).text).toBe("Hi");
    const failure = JSON.stringify({ type: "error", error: { message: "broken" } });
    expect(() => pieceOf(format, failure)).toThrow("broken");
  });
});

describe("tools", () => {
  const plain = { name: "weather", description: "Of a place", parameters: { type: "object" } };

  test.each([
    [[plain]],
    [[{ type: "function", function: plain }]],
    [[{ type: "function", ...plain }]],
    [[{ name: "weather", description: "Of a place", input_schema: { type: "object" } }]],
    [[{ functionDeclarations: [plain] }]],
  ])("are read as any format writes them: %j", (list) => {
    expect(readTools(JSON.stringify(list))).toEqual([plain]);
  });

  test.each(["{", "{}", "[1]", '[{"name":""}]', '[{"name":"a","parameters":3}]'])(
    "that are none are said to be none: %s",
    (text) => expect(readTools(text)).toBeNull(),
  );

  const call = { id: "call_1", name: "weather", arguments: '{"place":"Rome"}' };
  const messages = [
    { role: "user", content: "How is Rome?" },
    { role: "assistant", content: "", calls: [{ ...call, signature: "proof" }] },
    { role: "tool", results: [{ call, content: "sunny" }] },
  ] as const;

  test("go out, and their calls and results go back, as each format has them", () => {
    const bodies = textFormats.map(
      (format) => textCall({ ...ask, format, messages, tools: [plain] }).body,
    );
    const [chat, responses, anthropic, google] = bodies as Record<string, unknown>[];
    expect(chat?.["tools"]).toEqual([{ type: "function", function: plain }]);
    expect(chat?.["messages"]).toMatchObject([
      { role: "system" },
      { role: "user" },
      { content: null, tool_calls: [{ id: "call_1", function: { name: "weather" } }] },
      { role: "tool", tool_call_id: "call_1", content: "sunny" },
    ]);
    expect(responses?.["tools"]).toEqual([{ type: "function", ...plain }]);
    expect(responses?.["input"]).toMatchObject([
      { role: "user" },
      { type: "function_call", call_id: "call_1", arguments: call.arguments },
      { type: "function_call_output", call_id: "call_1", output: "sunny" },
    ]);
    expect(anthropic?.["tools"]).toMatchObject([
      { name: "weather", input_schema: { type: "object" } },
    ]);
    expect(anthropic?.["messages"]).toMatchObject([
      { role: "user" },
      { content: [{ type: "tool_use", id: "call_1", input: { place: "Rome" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1" }] },
    ]);
    expect(google?.["tools"]).toEqual([{ functionDeclarations: [plain] }]);
    expect(google?.["contents"]).toMatchObject([
      { role: "user" },
      { parts: [{ functionCall: { args: { place: "Rome" } }, thoughtSignature: "proof" }] },
      { parts: [{ functionResponse: { name: "weather", response: { result: "sunny" } } }] },
    ]);
  });

  const [begin, end] = ['{"place":', '"Rome"}'];
  test.each([
    [
      "chat",
      [
        {
          choices: [
            {
              delta: {
                tool_calls: [
                  { index: 0, id: "call_1", function: { name: "weather", arguments: begin } },
                ],
              },
            },
          ],
        },
        { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: end } }] } }] },
      ],
    ],
    [
      "responses",
      [
        {
          type: "response.output_item.done",
          output_index: 1,
          item: {
            type: "function_call",
            call_id: "call_1",
            name: "weather",
            arguments: begin + end,
          },
        },
      ],
    ],
    [
      "messages",
      [
        {
          type: "content_block_start",
          index: 1,
          content_block: { type: "tool_use", id: "call_1", name: "weather" },
        },
        {
          type: "content_block_delta",
          index: 1,
          delta: { type: "input_json_delta", partial_json: begin },
        },
        {
          type: "content_block_delta",
          index: 1,
          delta: { type: "input_json_delta", partial_json: end },
        },
      ],
    ],
    [
      "content",
      [
        {
          candidates: [
            {
              content: {
                parts: [
                  { functionCall: { id: "call_1", name: "weather", args: { place: "Rome" } } },
                ],
              },
            },
          ],
        },
      ],
    ],
  ] as const)("are called in a stream of %s, piece by piece", (format, events) => {
    const pieces = events.flatMap((event) => pieceOf(format, JSON.stringify(event)).calls);
    const [made, ...more] = pieces.reduce<readonly PlacedCall[]>(withPiece, []);
    expect(made).toMatchObject(call);
    expect(more).toEqual([]);
  });
});

describe("pictures in an answer", () => {
  test.each([
    [
      "chat",
      { choices: [{ delta: { images: [{ image_url: { url: "data:image/png;base64,AAAA" } }] } }] },
    ],
    [
      "responses",
      {
        type: "response.output_item.done",
        item: { type: "image_generation_call", result: "AAAA" },
      },
    ],
    [
      "content",
      {
        candidates: [
          { content: { parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }] } },
        ],
      },
    ],
  ] as const)("are read of %s, and only those that have no scripts", (format, event) => {
    const text = JSON.stringify(event);
    expect(pieceOf(format, text).pictures).toMatchObject([{ type: "image/png", base64: "AAAA" }]);
    expect(pieceOf(format, text.replace("AAAA", "<x>")).pictures).toEqual([]);
    expect(pieceOf(format, text.replace("image/png", "image/svg+xml")).pictures.length).toBe(
      text.includes("image/png") ? 0 : 1,
    );
  });
});
