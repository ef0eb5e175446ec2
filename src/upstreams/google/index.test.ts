// Addresses of requests to Google, their headers, and the way to ask for a count.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { Target, TextAsk } from "../upstream.ts";
import { google } from "./index.ts";

const target: Target = { baseUrl: "https://vendor.test", key: "goog-key", headers: {} };
const ask: TextAsk = {
  format: "content",
  action: "generate",
  model: "gemini-3-pro",
  stream: false,
  wireHeaders: {},
};
const at = "https://vendor.test/v1beta/models";

function addressOf(part: Partial<TextAsk> = {}, aim: Partial<Target> = {}) {
  return google.text?.address({ ...ask, ...part }, { ...target, ...aim }) ?? null;
}

function urlOf(part: Partial<TextAsk> = {}, baseUrl = target.baseUrl): string | null {
  return addressOf(part, { baseUrl })?.url ?? null;
}

test("it speaks content and its embeddings alone, whatever the channel says", () => {
  expect(google.type).toBe("google");
  expect(google.text?.formats(null)).toEqual(["content", "embedContent", "batchEmbedContents"]);
  expect(google.text?.formats("content")).toEqual(google.text?.formats(null));
});

describe("the address", () => {
  test("names the model and what is wanted of it", () => {
    expect(urlOf()).toBe(`${at}/gemini-3-pro:generateContent`);
    expect(urlOf({ stream: true })).toBe(`${at}/gemini-3-pro:streamGenerateContent?alt=sse`);
    expect(urlOf({ action: "count" })).toBe(`${at}/gemini-3-pro:countTokens`);
    expect(urlOf({ action: "count", stream: true })).toBe(`${at}/gemini-3-pro:countTokens`);
  });

  test("is none for what Google has not", () => {
    expect(urlOf({ action: "compact" })).toBeNull();
    for (const format of ["chat", "completions", "responses", "messages", "embeddings"] as const) {
      expect(urlOf({ format })).toBeNull();
    }
  });

  test.each(["", "/", "/v1beta", "/v1beta/", "/v1", "/v1/"])(
    "is the same when the base URL ends with '%s'",
    (end) => {
      expect(urlOf({}, `https://vendor.test/deep${end}`)).toBe(
        "https://vendor.test/deep/v1beta/models/gemini-3-pro:generateContent",
      );
    },
  );

  test("keeps a host or folder that only looks like a version", () => {
    expect(urlOf({}, "https://v1")).toBe("https://v1/v1beta/models/gemini-3-pro:generateContent");
    expect(urlOf({}, "https://vendor.test/v10")).toStartWith("https://vendor.test/v10/v1beta/");
  });

  test.each([
    ["publishers/x/models/y", "publishers/x/models/y"],
    ["models/gemini-3-pro", "gemini-3-pro"],
    ["a b?key=c#d%2e", "a%20b%3Fkey%3Dc%23d%252e"],
    ["x:countTokens", "x%3AcountTokens"],
    ["team\\..\\x", "team%5C..%5Cx"],
    ["half \ud800", "half%20%EF%BF%BD"],
    ["...", "..."],
  ])("holds the model %p", (model, path) => {
    const url = `${at}/${path}:generateContent`;
    expect(urlOf({ model })).toBe(url);
    expect(new URL(url).pathname).toBe(`/v1beta/models/${path}:generateContent`);
  });

  test.each(["..", ".", "", "../files", "x/../../../v1/keys", "x/./y", "x//y", "models/..", "x/"])(
    "is none for the model %p, which would lead elsewhere",
    (model) => {
      expect(urlOf({ model })).toBeNull();
    },
  );
});

describe("the headers", () => {
  const headersOf = (wireHeaders: Record<string, string>, headers: Record<string, string>) =>
    addressOf({ wireHeaders }, { headers })?.headers;

  test("carry the key, which the URL never does", () => {
    expect(addressOf()?.headers).toEqual({ "x-goog-api-key": "goog-key" });
    for (const action of ["generate", "count"] as const) {
      expect(urlOf({ action, stream: true })).not.toContain("goog-key");
    }
  });

  test("carry the client's, unless the channel has its own", () => {
    const wireHeaders = { "X-Goog-Api-Client": "a", "x-server-timeout": "9" };
    expect(headersOf(wireHeaders, { "x-goog-api-client": "b", "X-Team": "c" })).toEqual({
      "x-goog-api-client": "b",
      "x-server-timeout": "9",
      "x-team": "c",
      "x-goog-api-key": "goog-key",
    });
  });

  test("have one key, whoever else sets it", () => {
    const other = { "X-Goog-Api-Key": "other" };
    expect(headersOf(other, other)).toEqual({ "x-goog-api-key": "goog-key" });
  });
});

describe("a count", () => {
  const contents = [{ parts: [{ text: "hello" }] }];
  const adjusted = (body: JsonObject, part: Partial<TextAsk> = { action: "count" }) =>
    google.text?.adjust?.(body, { ...ask, ...part }, "https://google.test");

  test("of contents alone stays as it is", () => {
    expect(adjusted({ contents })).toEqual({ contents });
  });

  test("of a whole request is wrapped and names the model", () => {
    const systemInstruction = { parts: [{ text: "be brief" }] };
    expect(adjusted({ contents, systemInstruction })).toEqual({
      generateContentRequest: { contents, systemInstruction, model: "models/gemini-3-pro" },
    });
  });

  test.each(["generateContentRequest", "generate_content_request"])(
    "that is wrapped already as %s gets the upstream's name of the model",
    (name) => {
      const model = "models/publishers/x/models/y";
      const body = { [name]: { contents, model: "models/public" } };
      expect(adjusted(body, { action: "count", model: "publishers/x/models/y" })).toEqual({
        generateContentRequest: { contents, model },
      });
    },
  );

  test("is the only body that is changed", () => {
    const body = { contents, generationConfig: {} };
    expect(adjusted(body, {})).toBe(body);
  });
});
