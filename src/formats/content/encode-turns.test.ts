import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { CallPart, Exchange, MediaPart, Part, Proof, ResultPart, Turn } from "../exchange.ts";
import { toNormalForm } from "../kit/normal-form.ts";
import { decodeContentRequest } from "./decode-request.ts";
import { encodeTurns } from "./encode-turns.ts";
import { readContentRequest } from "./read.ts";

const body = { contents: [{ parts: [{ text: "x" }] }] };
const address = { model: "m", stream: false, framing: "events" } as const;
const base = decodeContentRequest(body, readContentRequest(body, address));

function encode(turns: Turn[], more: Partial<Exchange> = {}, model: string = "gemini-2.5-pro") {
  return encodeTurns(toNormalForm({ ...base, ...more, turns }), model);
}

function text(value: string): Part {
  return { kind: "text", text: value };
}

function user(...parts: Part[]): Turn {
  return { role: "user", parts };
}

function assistant(...parts: Part[]): Turn {
  return { role: "assistant", parts };
}

function call(id: string, more: Partial<CallPart> = {}): CallPart {
  return { kind: "call", id, name: "f", input: '{"a":1}', isCustom: false, ...more };
}

function result(callId: string, more: Partial<ResultPart> = {}): ResultPart {
  return {
    kind: "result",
    callId,
    name: "f",
    content: [{ kind: "text", text: "done" }],
    isError: false,
    isCustom: false,
    ...more,
  };
}

function media(source: MediaPart["source"], kind: MediaPart["media"] = "image"): MediaPart {
  return { kind: "media", media: kind, source, at: "messages.0.content.1" };
}

const own: Proof = { dialect: "content", data: "QUJD", on: "call" };

describe("roles", () => {
  test("X-M01 X-M03 instructions lead, and those in the middle are told by the user", () => {
    expect(
      encode(
        [
          user(text("a")),
          { role: "system", parts: [text("b")] },
          user(text("c")),
          assistant(text("d")),
          user(text("e")),
        ],
        { system: [{ kind: "text", text: "s" }] },
      ),
    ).toEqual({
      systemInstruction: { parts: [{ text: "s" }] },
      contents: [
        { role: "user", parts: [{ text: "a" }, { text: "b" }, { text: "c" }] },
        { role: "model", parts: [{ text: "d" }] },
        { role: "user", parts: [{ text: "e" }] },
      ],
    });
  });

  test("X-M06 X-M07 empty texts are left out, and turns of one role are one", () => {
    const turns = [
      user(text("a")),
      user(text(""), text("b")),
      assistant(text("")),
      user(text("c")),
    ];
    expect(encode(turns).contents).toEqual([
      { role: "user", parts: [{ text: "a" }, { text: "b" }, { text: "c" }] },
    ]);
  });

  test("instructions alone are what is asked", () => {
    expect(encode([], { system: [{ kind: "text", text: "s" }] })).toEqual({
      systemInstruction: null,
      contents: [{ role: "user", parts: [{ text: "s" }] }],
    });
    expect(() => encode([])).toThrow("empty");
  });

  test("X-M04 a conversation that ends with an answer is refused cleanly", () => {
    try {
      encode([user(text("a")), assistant(text("{"))]);
      throw new Error("it was accepted");
    } catch (error) {
      expect(error).toBeInstanceOf(GatewayError);
      expect(error).toMatchObject({ code: "invalid_request" });
    }
  });

  test("a conversation that begins with an answer gets a user's turn before it", () => {
    const { contents } = encode([assistant(text("a")), user(text("b"))]);
    expect(contents.map(({ role }) => role)).toEqual(["user", "model", "user"]);
  });

  test("a refusal in the history is what the model said", () => {
    const { contents } = encode([
      user(text("a")),
      assistant({ kind: "refusal", text: "no" }),
      user(text("b")),
    ]);
    expect(contents[1]).toEqual({ role: "model", parts: [{ text: "no" }] });
  });
});

describe("calls and results", () => {
  test("X-T11 the text of a result reaches the response, whatever its blocks", () => {
    const content = [
      { kind: "text", text: "one" },
      { kind: "text", text: "two" },
      media({ kind: "text", text: "three" }, "document"),
    ] satisfies ResultPart["content"];
    const { contents } = encode([
      user(text("q")),
      assistant(call("c1")),
      user(result("c1", { content })),
    ]);
    expect(contents.slice(1)).toEqual([
      { role: "model", parts: [{ functionCall: { id: "c1", name: "f", args: { a: 1 } } }] },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c1", name: "f", response: { output: "one\ntwo\nthree" } } },
        ],
      },
    ]);
  });

  test("X-T13 a result that is an error says so", () => {
    const { contents } = encode([
      user(text("q")),
      assistant(call("c1")),
      user(result("c1", { isError: true })),
    ]);
    expect(contents[2]).toMatchObject({
      parts: [{ functionResponse: { response: { error: "done" } } }],
    });
  });

  test("X-T14 results stand in the order of their calls, before what the user adds", () => {
    const { contents } = encode([
      user(text("q")),
      assistant(call("c1"), call("c2")),
      user(result("c2"), text("go on"), result("c1")),
    ]);
    expect(contents[2]).toMatchObject({
      parts: [
        { functionResponse: { id: "c1" } },
        { functionResponse: { id: "c2" } },
        { text: "go on" },
      ],
    });
  });

  test("X-T16 a result without content is a response without text", () => {
    const { contents } = encode([
      user(text("q")),
      assistant(call("c1")),
      user(result("c1", { content: [] })),
    ]);
    expect(contents[2]).toMatchObject({
      parts: [{ functionResponse: { response: { output: "" } } }],
    });
  });

  test("X-T17 a call without a result gets one, and a result without a call is text", () => {
    const { contents } = encode([user(text("q")), assistant(call("c1")), user(result("other"))]);
    expect(contents[2]).toMatchObject({
      parts: [
        { functionResponse: { id: "c1", response: {} } },
        { text: expect.any(String) },
        { text: "done" },
      ],
    });
  });

  test("images of results go into them as bytes, and behind them as addresses", () => {
    const content = [
      media({ kind: "bytes", type: "image/png", base64: "AAAA" }),
      media({ kind: "url", url: "https://example.com/a", type: null }),
    ];
    const { contents } = encode([
      user(text("q")),
      assistant(call("c1"), call("c2")),
      user(result("c1", { content }), result("c2"), text("go on")),
    ]);
    expect(contents[2]).toEqual({
      role: "user",
      parts: [
        {
          functionResponse: {
            id: "c1",
            name: "f",
            response: { output: "" },
            parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }],
          },
        },
        { functionResponse: { id: "c2", name: "f", response: { output: "done" } } },
        { fileData: { mimeType: "image/jpeg", fileUri: "https://example.com/a" } },
        { text: "go on" },
      ],
    });
  });

  test("X-T26 free text, and what is no JSON object, goes as input", () => {
    const inputs: [Partial<CallPart>, object][] = [
      [{ isCustom: true, input: "ls" }, { input: "ls" }],
      [{ input: "" }, {}],
      [{ input: '{"a":' }, { input: '{"a":' }],
      [{ input: "[1]" }, { input: "[1]" }],
    ];
    for (const [more, args] of inputs) {
      const { contents } = encode([user(text("q")), assistant(call("c1", more))]);
      expect(contents[1]).toMatchObject({ parts: [{ functionCall: { args } }] });
    }
  });
});

describe("signatures", () => {
  test("X-H04 what Google signed goes back on the same part over two turns", () => {
    const { contents } = encode(
      [
        user(text("q")),
        assistant(
          {
            kind: "reasoning",
            text: "hm",
            proof: { dialect: "content", data: "VEhP" },
            isRedacted: false,
          },
          { kind: "text", text: "so", proof: { dialect: "content", data: "VEVY", on: "text" } },
          call("c1", { proof: own }),
          call("c2"),
        ),
        user(result("c1"), result("c2")),
        assistant(call("c3", { proof: { ...own, data: "VFdP" } })),
        user(result("c3")),
      ],
      {},
      "gemini-3-pro",
    );
    expect(contents[1]).toMatchObject({
      parts: [
        { text: "hm", thought: true, thoughtSignature: "VEhP" },
        { text: "so", thoughtSignature: "VEVY" },
        { functionCall: { id: "c1" }, thoughtSignature: "QUJD" },
        { functionCall: { id: "c2" } },
      ],
    });
    const [, first, , second] = contents;
    expect(JSON.stringify(first)).not.toContain("skip_");
    expect(second).toMatchObject({ parts: [{ thoughtSignature: "VFdP" }] });
  });

  test("reasoning that another vendor signed, or nobody, is left out", () => {
    const reasoning = (proof: Proof | null): Part => ({
      kind: "reasoning",
      text: "hm",
      proof,
      isRedacted: false,
    });
    const { contents } = encode([
      user(text("q")),
      assistant(reasoning({ dialect: "messages", data: "s" }), reasoning(null), text("a")),
      assistant(call("c1", { proof: { dialect: "chat", data: "s", on: "call" } })),
    ]);
    expect(contents[1]).toEqual({
      role: "model",
      parts: [{ text: "a" }, { functionCall: { id: "c1", name: "f", args: { a: 1 } } }],
    });
  });

  test("models that check signatures are told not to look on the first call of each turn", () => {
    const { contents } = encode(
      [
        user(text("q")),
        assistant(call("c1"), call("c2")),
        user(result("c1"), result("c2")),
        assistant(call("c3")),
      ],
      {},
      "gemini-3-flash",
    );
    const signatures = contents.flatMap(({ parts }) =>
      Array.isArray(parts)
        ? parts.map((part) => JSON.stringify(part).includes("skip_thought"))
        : [],
    );
    expect(signatures).toEqual([false, true, false, false, false, true, false]);
  });

  test("X-H06 copies of a signature are sent once, on the call where there is one", () => {
    const { contents } = encode([
      user(text("q")),
      assistant(
        {
          kind: "reasoning",
          text: "hm",
          proof: { dialect: "content", data: "QUJD" },
          isRedacted: false,
        },
        { kind: "text", text: "so", proof: { ...own, on: "text" } },
        call("c1", { proof: own }),
        call("c2", { proof: own }),
      ),
    ]);
    expect(contents[1]).toEqual({
      role: "model",
      parts: [
        { text: "so" },
        { functionCall: { id: "c1", name: "f", args: { a: 1 } }, thoughtSignature: "QUJD" },
        { functionCall: { id: "c2", name: "f", args: { a: 1 } } },
      ],
    });
  });
});

describe("media", () => {
  function encodeOne(part: MediaPart): unknown {
    return encode([user(part)]).contents[0];
  }

  test("X-M10 X-M13 bytes go inline with their type", () => {
    for (const type of ["image/jpeg", "application/pdf", "audio/wav", "video/mp4"]) {
      expect(encodeOne(media({ kind: "bytes", type, base64: "AAAA" }))).toEqual({
        role: "user",
        parts: [{ inlineData: { mimeType: type, data: "AAAA" } }],
      });
    }
    expect(encodeOne(media({ kind: "text", text: "hi" }, "document"))).toEqual({
      role: "user",
      parts: [{ inlineData: { mimeType: "text/plain", data: "aGk=" } }],
    });
  });

  test("X-M12 addresses go as files with a type said, guessed by name, or by kind", () => {
    const typed: [string, string | null, MediaPart["media"], string][] = [
      ["https://example.com/a.png", "image/webp", "image", "image/webp"],
      ["https://example.com/a.PNG?x=1", null, "image", "image/png"],
      ["https://example.com/a", null, "image", "image/jpeg"],
      ["https://example.com/a", null, "document", "application/pdf"],
      ["https://example.com/a.zip", null, "video", "video/mp4"],
    ];
    for (const [url, type, kind, mimeType] of typed) {
      expect(encodeOne(media({ kind: "url", url, type }, kind))).toEqual({
        role: "user",
        parts: [{ fileData: { mimeType, fileUri: url } }],
      });
    }
  });

  test("a file that another vendor keeps is refused where the client wrote it", () => {
    expect(() => encodeOne(media({ kind: "file", id: "file_1", dialect: "responses" }))).toThrow(
      "messages.0.content.1",
    );
    expect(encodeOne(media({ kind: "file", id: "gs://a/b", dialect: "content" }))).toEqual({
      role: "user",
      parts: [{ fileData: { fileUri: "gs://a/b" } }],
    });
  });
});
