// Addresses of Anthropic's requests, and their headers.
import { describe, expect, test } from "bun:test";
import type { FormatName } from "../../formats/format.ts";
import type { Target, TextAsk } from "../upstream.ts";
import { anthropic } from "./index.ts";

const ask: TextAsk = {
  format: "messages",
  action: "generate",
  model: "claude-opus-5",
  stream: false,
  wireHeaders: {},
};
const target: Target = { baseUrl: "https://api.vendor.test", key: "sk-ant", headers: {} };

function addressOf(asked: Partial<TextAsk> = {}, at: Partial<Target> = {}) {
  return anthropic.text?.address({ ...ask, ...asked }, { ...target, ...at }) ?? null;
}

describe("the address", () => {
  test.each([
    ["https://api.vendor.test", "https://api.vendor.test/v1/messages"],
    ["https://api.vendor.test/", "https://api.vendor.test/v1/messages"],
    ["https://api.vendor.test/v1", "https://api.vendor.test/v1/messages"],
    ["https://api.vendor.test/v1/", "https://api.vendor.test/v1/messages"],
    ["https://vendor.test/anthropic", "https://vendor.test/anthropic/v1/messages"],
    ["https://vendor.test/anthropic/v1", "https://vendor.test/anthropic/v1/messages"],
  ])("of %s has the version once", (baseUrl, url) => {
    expect(addressOf({}, { baseUrl })?.url).toBe(url);
  });

  test("of counting tokens is below the one of messages, also for a stream", () => {
    const url = "https://api.vendor.test/v1/messages/count_tokens";
    expect(addressOf({ action: "count" })?.url).toBe(url);
    expect(addressOf({ stream: true })?.url).toBe("https://api.vendor.test/v1/messages");
  });

  test("is missing for what the vendor cannot do", () => {
    expect(addressOf({ action: "compact" })).toBeNull();
    const others: FormatName[] = ["chat", "completions", "responses", "content", "embeddings"];
    for (const format of others) expect(addressOf({ format })).toBeNull();
  });
});

test("only messages are spoken, whatever the channel is set to", () => {
  expect(anthropic.text?.formats(null)).toEqual(["messages"]);
  expect(anthropic.text?.formats("chat")).toEqual(["messages"]);
});

describe("the headers", () => {
  test("carry the key in a header of its own, and a version", () => {
    expect(addressOf()?.headers).toEqual({
      "x-api-key": "sk-ant",
      "anthropic-version": "2023-06-01",
    });
  });

  test("take over the client's version and betas, and nothing else of it", () => {
    const wireHeaders = {
      "Anthropic-Version": "2026-10-21",
      "anthropic-beta": "context-1m,files",
      "x-api-key": "sk-client",
    };
    expect(addressOf({ wireHeaders })?.headers).toEqual({
      "x-api-key": "sk-ant",
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "context-1m,files",
    });
  });

  test("of the channel win over the client's, but not over the key", () => {
    const wireHeaders = { "anthropic-version": "2026-10-21", "anthropic-beta": "files" };
    const headers = {
      "Anthropic-Version": "2023-01-01",
      "anthropic-beta": "batches",
      "X-Team": "a",
      "X-Api-Key": "other",
    };
    expect(addressOf({ wireHeaders }, { headers })?.headers).toEqual({
      "x-api-key": "sk-ant",
      "anthropic-version": "2023-01-01",
      "anthropic-beta": "batches",
      "x-team": "a",
    });
  });
});
