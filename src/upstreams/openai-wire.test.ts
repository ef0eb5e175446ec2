// Addresses of requests, and their headers.
import { describe, expect, test } from "bun:test";
import { GatewayError } from "../core/errors.ts";
import type { FormatName } from "../formats/format.ts";
import { openaiAddress, storedAddress } from "./openai-wire.ts";
import type { Target, TextAsk } from "./upstream.ts";

const target: Target = { baseUrl: "https://vendor.test", key: "sk-1", headers: {} };
const ask: TextAsk = {
  format: "chat",
  action: "generate",
  model: "m",
  stream: false,
  wireHeaders: {},
};

function urlOf(part: Partial<TextAsk>, baseUrl = target.baseUrl): string | null {
  return openaiAddress({ ...ask, ...part }, { ...target, baseUrl })?.url ?? null;
}

describe("the address", () => {
  const rows: [FormatName, string, string | null, string | null][] = [
    ["chat", "/v1/chat/completions", null, null],
    ["completions", "/v1/completions", null, null],
    ["embeddings", "/v1/embeddings", null, null],
    ["responses", "/v1/responses", "/v1/responses/input_tokens", "/v1/responses/compact"],
    ["messages", "/v1/messages", "/v1/messages/count_tokens", null],
    ["content", "/v1beta/models/m:generateContent", "/v1beta/models/m:countTokens", null],
  ];

  test.each(rows)("of %s is the vendor's own, by action", (format, generate, count, compact) => {
    const absolute = (path: string | null) => path && `https://vendor.test${path}`;
    expect(urlOf({ format })).toBe(absolute(generate));
    expect(urlOf({ format, action: "count" })).toBe(absolute(count));
    expect(urlOf({ format, action: "compact" })).toBe(absolute(compact));
  });

  test("of a stream differs for content alone", () => {
    expect(urlOf({ format: "content", stream: true })).toBe(
      "https://vendor.test/v1beta/models/m:streamGenerateContent?alt=sse",
    );
    expect(urlOf({ format: "messages", stream: true })).toBe("https://vendor.test/v1/messages");
  });

  test("holds any name of a model", () => {
    const model = "team/../a b?#\ud800";
    expect(urlOf({ format: "content", model })).toBe(
      "https://vendor.test/v1beta/models/team%2F..%2Fa%20b%3F%23%EF%BF%BD:generateContent",
    );
  });

  test.each(["", "/", "/v1", "/v1/", "/v1beta", "/v1beta/"])(
    "is the same when the base URL ends with '%s'",
    (end) => {
      for (const [format, generate] of rows) {
        expect(urlOf({ format }, `https://vendor.test/deep${end}`)).toBe(
          `https://vendor.test/deep${generate}`,
        );
      }
    },
  );

  test("keeps a base URL whose last part only looks like a version", () => {
    expect(urlOf({}, "https://vendor.test/v10")).toBe(
      "https://vendor.test/v10/v1/chat/completions",
    );
    expect(urlOf({}, "https://v1")).toBe("https://v1/v1/chat/completions");
  });
});

describe("an address that counts its versions otherwise", () => {
  test.each([
    ["https://vendor.test/api/v4", "https://vendor.test/api/v4/chat/completions"],
    ["https://vendor.test/api/v3/", "https://vendor.test/api/v3/chat/completions"],
    ["https://vendor.test/chat/completions", "https://vendor.test/chat/completions"],
    ["https://vendor.test/x/v1/chat/completions", "https://vendor.test/x/v1/chat/completions"],
  ])("keeps it: %s", (baseUrl, url) => {
    expect(urlOf({}, baseUrl)).toBe(url);
    expect(urlOf({ format: "embeddings" }, baseUrl)).toBe(
      url.replace("chat/completions", "embeddings"),
    );
  });
});

describe("the headers", () => {
  const headersOf = (part: Partial<TextAsk>, headers: Record<string, string> = {}) =>
    openaiAddress({ ...ask, ...part }, { ...target, headers })?.headers;

  test("carry the key on every format", () => {
    for (const format of ["chat", "content", "embeddings"] as const) {
      expect(headersOf({ format })).toEqual({ authorization: "Bearer sk-1" });
    }
  });

  test("carry the client's, unless the channel has its own", () => {
    const wireHeaders = { "openai-beta": "a", "OpenAI-Project": "b" };
    expect(headersOf({ wireHeaders }, { "OpenAI-Beta": "c", "x-team": "d" })).toEqual({
      "openai-beta": "c",
      "openai-project": "b",
      "x-team": "d",
      authorization: "Bearer sk-1",
    });
  });

  test("name a version of messages, which the wire demands", () => {
    const version = (part: Partial<TextAsk>, headers?: Record<string, string>) =>
      headersOf({ format: "messages", ...part }, headers)?.["anthropic-version"];
    expect(version({})).toBe("2023-06-01");
    const wireHeaders = { "anthropic-version": "2026-10-21" };
    expect(version({ wireHeaders })).toBe("2026-10-21");
    expect(version({ wireHeaders }, { "Anthropic-Version": "own" })).toBe("own");
  });
});

describe("a stored response", () => {
  test("is found below its id", () => {
    expect(storedAddress("resp_1", { ...target, baseUrl: "https://vendor.test/v1/" })).toEqual({
      url: "https://vendor.test/v1/responses/resp_1",
      headers: { authorization: "Bearer sk-1" },
    });
    expect(storedAddress("resp_1/input_items", target).url).toBe(
      "https://vendor.test/v1/responses/resp_1/input_items",
    );
    expect(storedAddress("a b?c#d%2e", target).url).toBe(
      "https://vendor.test/v1/responses/a%20b%3Fc%23d%252e",
    );
  });

  test.each(["", "..", "../models", "resp_1/../..", "resp_1//x", "./x", "resp_1/"])(
    "is not at '%s'",
    (path) => {
      expect(() => storedAddress(path, target)).toThrow(GatewayError);
    },
  );
});
