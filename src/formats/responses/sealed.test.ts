import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { target } from "./fixtures/shapes.ts";
import { compaction, responses } from "./index.ts";
import { sealReasoning, sealSummary } from "./sealed.ts";

const forwarded = (input: JsonObject[]) =>
  responses.forward({ model: "m", input }, target)["input"];

describe("a body for an upstream of the same wire", () => {
  test("keeps everything but the model's name", () => {
    const body = {
      model: "m",
      input: "hi",
      whatever: { a: [1, null] },
      tools: [{ type: "web_search" }],
    };
    expect(responses.forward(body, target)).toEqual({ ...body, model: "up" });
    expect(body.model).toBe("m");
  });

  test("X-H18 reasoning items lose their plain content, the encrypted stays", () => {
    const item = {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "s" }],
      content: [{ type: "reasoning_text", text: "plain" }],
      encrypted_content: "gAAAA",
    };
    const { content: _plain, ...kept } = item;
    expect(forwarded([item])).toEqual([kept]);
    const { encrypted_content: _encrypted, ...plain } = item;
    expect(forwarded([plain])).toEqual([plain]);
  });

  test("reasoning that a vendor of another dialect made is dropped, and nothing else", () => {
    const foreign = sealReasoning({ dialect: "messages", data: "sig" }, false);
    const message = { role: "user", content: "hi" };
    const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
    expect(
      forwarded([
        message,
        { type: "reasoning", summary: [], encrypted_content: foreign },
        call,
        { type: "item_reference", id: "msg_1" },
      ]),
    ).toEqual([message, call, { type: "item_reference", id: "msg_1" }]);
  });

  test("reasoning that was written here is dropped, for no vendor knows its id", () => {
    const reasoning = (id: string) => ({ type: "reasoning", id, summary: [] });
    const message = { type: "message", id: "msg_req_1_0", role: "assistant", content: [] };
    expect(forwarded([reasoning("rs_req_1_0"), message, reasoning("rs_vendor")])).toEqual([
      message,
      reasoning("rs_vendor"),
    ]);
  });

  test("X-T29 ids of items that are not the vendor's own are left out", () => {
    const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
    const custom = { type: "custom_tool_call", call_id: "c", name: "f", input: "" };
    const message = { type: "message", role: "assistant", content: [] };
    const output = { type: "function_call_output", id: "any", call_id: "c", output: "" };
    const own = [
      { ...call, id: "fc_1" },
      { ...custom, id: "ctc_1" },
      { ...message, id: "msg_1" },
    ];
    expect(
      forwarded([
        { ...call, id: "call_1" },
        { ...custom, id: "call_2" },
        { ...message, id: "3" },
        output,
        ...own,
      ]),
    ).toEqual([call, custom, message, output, ...own]);
  });

  test("X-U25 usage is not asked for, and what else is wanted of a stream stays", () => {
    const asked = (stream_options: JsonObject) =>
      responses.forward({ model: "m", input: "hi", stream_options }, target);
    expect(asked({ include_usage: true })).toEqual({ model: "up", input: "hi" });
    expect(asked({ include_usage: false, include_obfuscation: false })["stream_options"]).toEqual({
      include_obfuscation: false,
    });
  });

  test("T12 our summary of a conversation becomes words, the vendor's own stays closed", () => {
    const own = { type: "compaction", id: "cmp_1", encrypted_content: "gAAAA" };
    expect(
      forwarded([{ type: "compaction", encrypted_content: sealSummary("all of it") }, own]),
    ).toEqual([
      {
        type: "message",
        role: "user",
        content: [
          {
            type: "input_text",
            text: "This is a summary of the conversation up to here:\n\nall of it",
          },
        ],
      },
      own,
    ]);
  });

  test("condensing is never streamed", () => {
    const body = { model: "m", input: "hi", stream: true };
    expect(compaction.read(body, null).stream).toBe(false);
    expect(compaction.forward(body, target)).toEqual({ model: "up", input: "hi" });
  });
});
