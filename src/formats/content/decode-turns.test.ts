import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { Part } from "../exchange.ts";
import { toNormalForm } from "../kit/normal-form.ts";
import { decodeContentRequest } from "./decode-request.ts";
import { decodeTurns } from "./decode-turns.ts";
import { readContentRequest } from "./read.ts";
import { writeSignature } from "./signature.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\nxxxx", "latin1").toString("base64");

function model(...parts: JsonObject[]): JsonObject {
  return { role: "model", parts };
}

function user(...parts: JsonObject[]): JsonObject {
  return { role: "user", parts };
}

function partsOf(...contents: JsonObject[]): Part[] {
  return decodeTurns(contents).turns.flatMap(({ parts }) => parts);
}

function callOf(name: string, more: JsonObject = {}): JsonObject {
  return { functionCall: { name, args: {}, ...more } };
}

function resultOf(name: string, response: JsonObject, more: JsonObject = {}): JsonObject {
  return { functionResponse: { name, response, ...more } };
}

describe("roles and texts", () => {
  test("a content without a role, and a function's, is the user's", () => {
    const { turns } = decodeTurns([
      { parts: [{ text: "a" }] },
      model({ text: "b" }),
      { role: "function", parts: [{ text: "c" }] },
    ]);
    expect(turns.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test("the pieces of a streamed answer that a client kept are one text again", () => {
    expect(
      partsOf(
        model({ text: "Let", thought: true }),
        model({ text: " me", thought: true }),
        model({ text: "", thought: true, thoughtSignature: "QUJD" }),
        model({ text: "Hel" }),
        model({ text: "lo" }),
        model({ text: "", thoughtSignature: "REVG" }),
      ),
    ).toEqual([
      {
        kind: "reasoning",
        text: "Let me",
        proof: { dialect: "content", data: "QUJD" },
        isRedacted: false,
      },
      { kind: "text", text: "Hello", proof: { dialect: "content", data: "REVG", on: "text" } },
    ]);
  });

  test("nothing is added to what is signed, and the user's texts stay apart", () => {
    expect(
      partsOf(
        user({ text: "a" }, { text: "b" }),
        model({ text: "c", thoughtSignature: "QUJD" }, { text: "d" }),
      ),
    ).toMatchObject([{ text: "a" }, { text: "b" }, { text: "c" }, { text: "d" }]);
  });

  test("X-H01 what another vendor signed comes back with its text and signature unchanged", () => {
    const proof = { dialect: "messages", data: "s+/=" } as const;
    const reasoning = { kind: "reasoning", text: "hm", proof, isRedacted: false } as const;
    const shown = { text: "hm", thought: true, thoughtSignature: writeSignature(proof) };
    const hidden = {
      text: "",
      thought: true,
      thought_signature: writeSignature(proof, { text: "hm" }),
    };
    expect(partsOf(model(shown))).toEqual([reasoning]);
    expect(partsOf(model(hidden))).toEqual([reasoning]);
  });

  test("code that Google ran is told as fenced text", () => {
    expect(
      partsOf(
        model(
          { executableCode: { language: "PYTHON", code: "print(1)\n" } },
          { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1\n" } },
        ),
      ),
    ).toEqual([{ kind: "text", text: "\n```python\nprint(1)\n```\n\n```\n1\n```\n" }]);
  });

  test("how a video is looked at is left out and told", () => {
    const part = { fileData: { fileUri: "https://youtu.be/x" }, videoMetadata: { fps: 1 } };
    const { turns, ignored } = decodeTurns([user(part)]);
    expect(ignored).toEqual(["contents.0.parts.0.videoMetadata"]);
    expect(turns[0]?.parts).toMatchObject([{ kind: "media", media: "video" }]);
  });
});

describe("calls and results", () => {
  test("calls without ids get them by their order, and results find them by name and order", () => {
    expect(
      partsOf(
        model(callOf("f"), callOf("g"), callOf("f")),
        user(resultOf("f", { output: "1" }), resultOf("g", { output: "2" })),
        user(resultOf("f", { output: "3" })),
      ),
    ).toMatchObject([
      { kind: "call", id: "call_0", name: "f", input: "{}" },
      { kind: "call", id: "call_1", name: "g" },
      { kind: "call", id: "call_2", name: "f" },
      { kind: "result", callId: "call_0", name: "f", content: [{ text: "1" }] },
      { kind: "result", callId: "call_1", name: "g", content: [{ text: "2" }] },
      { kind: "result", callId: "call_2", name: "f", content: [{ text: "3" }] },
    ]);
  });

  test("results find their calls by id, whatever their order", () => {
    const results = partsOf(
      model(callOf("f", { id: "a" }), callOf("f", { id: "b" })),
      user(resultOf("f", {}, { id: "b" }), resultOf("f", {}, { id: "a" })),
    ).filter(({ kind }) => kind === "result");
    expect(results).toMatchObject([{ callId: "b" }, { callId: "a" }]);
  });

  test("ids are never made twice over a conversation", () => {
    const parts = partsOf(
      model(callOf("f")),
      user(resultOf("f", { output: "1" })),
      model(callOf("f")),
      user(resultOf("f", { output: "2" })),
    );
    expect(parts).toMatchObject([
      { id: "call_0" },
      { callId: "call_0" },
      { id: "call_1" },
      { callId: "call_1" },
    ]);
  });

  test("a later result is not taken for the answer to a call of an earlier turn", () => {
    const parts = partsOf(
      model(callOf("f")),
      user({ text: "never mind" }),
      model(callOf("f")),
      user(resultOf("f", { output: "2" })),
    );
    expect(parts.at(-1)).toMatchObject({ callId: "call_1" });
  });

  test("X-T17 a result without a call stays, and is told to the model as text", () => {
    const body = { contents: [user(resultOf("f", { output: "1" }))] };
    const address = { model: "m", stream: false, framing: "events" } as const;
    const exchange = decodeContentRequest(body, readContentRequest(body, address));
    expect(exchange.turns[0]?.parts).toMatchObject([{ kind: "result", callId: "f#0", name: "f" }]);
    expect(toNormalForm(exchange).turns[0]?.parts).toMatchObject([
      { kind: "text" },
      { kind: "text", text: "1" },
    ]);
  });

  test("X-T13 what a function gave is read from Google's keys and from those of its clients", () => {
    const outputs: [JsonObject, string, boolean][] = [
      [{ output: "sun" }, "sun", false],
      [{ output: { a: 1 } }, '{"a":1}', false],
      [{ result: "sun" }, "sun", false],
      [{ error: "no such city" }, "no such city", true],
      [{ name: "f", content: "sun" }, "sun", false],
      [{ temperature: 20, output: "sun" }, '{"temperature":20,"output":"sun"}', false],
    ];
    for (const [response, text, isError] of outputs) {
      const [, result] = partsOf(model(callOf("f")), user(resultOf("f", response)));
      expect(result).toMatchObject({ content: [{ kind: "text", text }], isError });
    }
    const [, result] = partsOf(model(callOf("f")), user(resultOf("f", {})));
    expect(result).toMatchObject({ content: [], isError: false });
  });

  test("media of a result is kept", () => {
    const parts = [{ inlineData: { mimeType: "image/png", data: png } }];
    const [, result] = partsOf(model(callOf("f")), user(resultOf("f", { output: "x" }, { parts })));
    expect(result).toMatchObject({
      content: [
        { kind: "text", text: "x" },
        { kind: "media", media: "image", at: "contents.1.parts.0.functionResponse.parts.0" },
      ],
    });
  });

  test("a call has the signature that stood on it", () => {
    expect(partsOf(model({ ...callOf("f"), thought_signature: "QUJD" }))).toMatchObject([
      { kind: "call", proof: { dialect: "content", data: "QUJD", on: "call" } },
    ]);
  });

  test("a call that the user makes is refused", () => {
    expect(() => partsOf(user(callOf("f")))).toThrow("contents.0.parts.0.functionCall");
  });
});

describe("media", () => {
  test("bytes have the type that they show", () => {
    expect(partsOf(user({ inline_data: { mime_type: "image/jpg", data: png } }))).toEqual([
      {
        kind: "media",
        media: "image",
        source: { kind: "bytes", type: "image/png", base64: png },
        at: "contents.0.parts.0",
      },
    ]);
  });

  test("texts are documents of text", () => {
    const data = Buffer.from("häh").toString("base64");
    expect(
      partsOf(user({ inlineData: { mimeType: "text/plain", data, displayName: "a.txt" } })),
    ).toEqual([
      {
        kind: "media",
        media: "document",
        source: { kind: "text", text: "häh" },
        name: "a.txt",
        at: "contents.0.parts.0",
      },
    ]);
  });

  test("public addresses are addresses, and Google's files are nobody else's", () => {
    const url = (fileUri: string, mimeType?: string) =>
      partsOf(user({ fileData: mimeType ? { fileUri, mimeType } : { fileUri } }))[0];
    expect(url("https://example.com/a", "application/pdf")).toMatchObject({
      media: "document",
      source: { kind: "url", url: "https://example.com/a", type: "application/pdf" },
    });
    expect(url("https://example.com/a.pdf?x")).toMatchObject({ media: "document" });
    expect(url("https://example.com/a.png")).toMatchObject({ media: "image" });
    for (const own of [
      "gs://bucket/a",
      "https://generativelanguage.googleapis.com/v1beta/files/a",
    ]) {
      expect(url(own, "video/mp4")).toMatchObject({
        media: "video",
        source: { kind: "file", id: own, dialect: "content" },
      });
    }
  });
});
