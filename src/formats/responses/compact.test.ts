import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Reply } from "../exchange.ts";
import { compactionRequest, encodeCompaction } from "./compact.ts";
import { frameOf, usageOf } from "./fixtures/shapes.ts";
import { compaction, responses } from "./index.ts";

const says = (role: string, text: string) => ({ role, content: text });

function summaryReply(text: string): Reply {
  const parts = [
    { kind: "reasoning" as const, text: "hmm", proof: null, isRedacted: false },
    { kind: "text" as const, text },
  ];
  return {
    id: null,
    choices: [{ parts, stop: "stop", stopSequence: null }],
    usage: usageOf(900, 80),
  };
}

describe("T12 condensing a conversation", () => {
  test("asks the same model, shows it everything, and gives it no tools", () => {
    const input = [says("user", "a"), says("assistant", "b")];
    const tools = [{ type: "function", name: "f" }];
    const request = compactionRequest({ model: "m", input, tools, instructions: "be kind" });
    expect(request).toContainAllKeys(["model", "instructions", "input", "tool_choice", "store"]);
    expect(request["model"]).toBe("m");
    expect(request["input"]).toMatchObject([...input, { role: "user" }]);
    expect(request["instructions"]).toMatch(/handover summary[^]*be kind$/);
  });

  test("a text as input is what the user said", () => {
    expect(compactionRequest({ model: "m", input: "a" })["input"]).toMatchObject([
      { role: "user", content: [{ text: "a" }] },
      { role: "user" },
    ]);
  });

  test("nothing cannot be condensed", () => {
    expect(() => compactionRequest({ model: "m" })).toThrow(GatewayError);
  });

  test("X-U18 answers with the user's last words and one closed item, and with usage", () => {
    const input = [says("user", "a"), says("assistant", "b"), says("user", "c")];
    expect(encodeCompaction(summaryReply("all of it"), frameOf({ input }))).toMatchObject({
      id: "resp_r1",
      object: "response.compaction",
      created_at: 1_700_000_000,
      output: [
        { type: "message", id: "msg_r1_0", role: "user", content: [{ text: "a" }] },
        { type: "message", id: "msg_r1_1", role: "user", content: [{ text: "c" }] },
        { type: "compaction", id: "cmp_r1", encrypted_content: expect.any(String) },
      ],
      usage: { input_tokens: 900, output_tokens: 80, prompt_tokens: 900 },
    });
  });

  test("keeps few and short words of the user", () => {
    const kept = (input: JsonObject[]) => {
      const { output } = encodeCompaction(summaryReply("s"), frameOf({ input }));
      return Array.isArray(output) ? output.length - 1 : null;
    };
    expect(kept(Array.from({ length: 40 }, (_, at) => says("user", `word ${at}`)))).toBe(5);
    expect(kept([says("user", "x".repeat(9000)), says("user", "short")])).toBe(1);
    const image = { role: "user", content: [{ type: "input_image", image_url: "https://x.y/z" }] };
    expect(kept([image])).toBe(0);
  });

  test("an empty summary would lose the conversation, so it is an error", () => {
    expect(() => encodeCompaction(summaryReply(" \n"), frameOf())).toThrow(GatewayError);
    const nothing: Reply = { id: null, choices: [], usage: null };
    expect(() => encodeCompaction(nothing, frameOf())).toThrow(GatewayError);
  });

  test("its output is accepted as the next input, by every kind of upstream", () => {
    const { output } = encodeCompaction(summaryReply("all of it"), frameOf({ input: "a" }));
    const body = {
      model: "m",
      input: [...(Array.isArray(output) ? output : []), says("user", "b")],
    };
    const request = responses.read(body, null);
    expect(request.origins.preferred).toBeNull();
    const exchange = responses.client?.decodeRequest(body, request);
    const texts = exchange?.turns.flatMap(({ parts }) =>
      parts.map((part) => (part.kind === "text" ? part.text : part.kind)),
    );
    expect(texts).toEqual([
      "a",
      "This is a summary of the conversation up to here:\n\nall of it",
      "b",
    ]);
  });

  test("as a format it decodes to the request for the summary", () => {
    const body = { model: "m", input: [says("user", "a")], tools: [{ type: "web_search" }] };
    const exchange = compaction.client?.decodeRequest(body, compaction.read(body, null));
    expect(exchange?.tools).toEqual([]);
    expect(exchange?.ignored).toEqual([]);
    expect(exchange?.turns).toHaveLength(2);
    expect(compaction.client?.encodeReply(summaryReply("s"), frameOf())["object"]).toBe(
      "response.compaction",
    );
  });

  test("the vendor's own answer to it passes through as a reply", () => {
    const output = [{ type: "compaction", id: "cmp_1", encrypted_content: "gAAAA" }];
    const usage = { input_tokens: 5, output_tokens: 1 };
    const reply = { id: "resp_1", object: "response.compaction", output, usage };
    expect(compaction.readReply(reply)).toMatchObject({ origins: ["resp_1", "gAAAA", "cmp_1"] });
  });
});
