// A search that one wire offers, as the others offer it, and what it costs there.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../core/json.ts";
import { toNormalForm } from "./kit/normal-form.ts";
import type { Dialect } from "./exchange.ts";
import { formats } from "./index.ts";

const address = { model: "m", stream: false, framing: "events" } as const;
const place = { type: "approximate", city: "Oslo", country: "NO" };

function encode(from: Dialect, to: Dialect, fields: JsonObject, model = "some-model") {
  const format = formats[from];
  const plain: Record<Dialect, JsonObject> = {
    chat: { model: "m", messages: [{ role: "user", content: "hi" }] },
    responses: { model: "m", input: "hi" },
    messages: { model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] },
    content: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
  };
  const body = { ...plain[from], ...fields };
  const request = format.read(body, from === "content" ? address : null);
  const exchange = format.client?.decodeRequest(body, request);
  if (!exchange) throw new Error("there is no client side");
  const target = { model, stream: false, outputTokensMax: 100 };
  const encoded = formats[to].upstream?.encodeRequest(toNormalForm(exchange), target);
  if (!encoded) throw new Error("there is no upstream side");
  return { body: encoded.body, ignored: [...exchange.ignored, ...encoded.ignored] };
}

const anthropic = { type: "web_search_20250305", name: "web_search" };

describe("a search", () => {
  test("X-T31 of messages is one of responses, with its bound on all calls", () => {
    const tool = {
      ...anthropic,
      max_uses: 2,
      blocked_domains: ["b.example"],
      user_location: place,
    };
    const { body, ignored } = encode("messages", "responses", { tools: [tool] });
    expect(body).toMatchObject({
      tools: [{ type: "web_search", user_location: place }],
      max_tool_calls: 2,
      include: ["web_search_call.action.sources"],
    });
    expect(ignored).toEqual(["tools.0.blocked_domains"]);
  });

  test("X-T31 of responses is one of messages, which takes one list of domains", () => {
    const filters = { allowed_domains: ["a.example"], blocked_domains: ["b.example"] };
    const tool = { type: "web_search", filters, search_context_size: "low", user_location: place };
    const { body, ignored } = encode("responses", "messages", { tools: [tool], max_tool_calls: 2 });
    expect(body["tools"]).toEqual([
      { ...anthropic, allowed_domains: ["a.example"], user_location: place, max_uses: 2 },
    ]);
    expect(body["tool_choice"]).toBeUndefined();
    expect(ignored).toEqual(["tools.0.search_context_size", "tools.0.filters.blocked_domains"]);
  });

  test("X-T31 goes to the chat models that were made for it", () => {
    const tool = { type: "web_search", search_context_size: "low", user_location: place };
    for (const model of ["gpt-5-search-api", "gpt-4o-mini-search-preview", "sonar-pro"]) {
      const { body, ignored } = encode("responses", "chat", { tools: [tool] }, model);
      expect(body["web_search_options"]).toEqual({
        search_context_size: "low",
        user_location: { type: "approximate", approximate: { city: "Oslo", country: "NO" } },
      });
      expect(ignored).toEqual([]);
    }
  });

  test("X-T32 is named as left out for other chat models, and beside functions for Google's", () => {
    const chat = encode("messages", "chat", { tools: [anthropic] }, "gpt-5");
    expect(chat.body).not.toHaveProperty("web_search_options");
    expect(chat.ignored).toEqual(["tools.0"]);
    const tools = [anthropic, { name: "f", input_schema: { type: "object" } }];
    const google = encode("messages", "content", { tools }, "gemini-2.5-flash");
    expect(google.body["tools"]).toMatchObject([{ functionDeclarations: [{ name: "f" }] }]);
    expect(google.ignored).toEqual(["tools.0"]);
    const shaped = { web_search_options: {}, response_format: { type: "json_object" } };
    expect(encode("chat", "content", shaped, "gemini-2.5-flash").ignored).toEqual([
      "web_search_options",
    ]);
    expect(encode("chat", "content", shaped, "gemini-3-pro").body["tools"]).toEqual([
      { googleSearch: {} },
    ]);
  });

  test("X-T32 gives way to a tool of the client that has its name", () => {
    const tools = [{ googleSearch: {} }, { functionDeclarations: [{ name: "web_search" }] }];
    const { body, ignored } = encode("content", "messages", { tools });
    expect(body["tools"]).toMatchObject([{ name: "web_search", input_schema: {} }]);
    expect(ignored).toEqual(["tools.0.googleSearch"]);
  });

  test("Q2 is found in what is sent under the names of that wire, whoever asked for it", () => {
    const asked: Record<Dialect, JsonObject> = {
      chat: { web_search_options: {} },
      responses: { tools: [{ type: "web_search" }] },
      messages: { tools: [anthropic] },
      content: { tools: [{ googleSearch: {} }] },
    };
    const names: Record<Dialect, string[]> = {
      chat: ["web_search_preview"],
      responses: ["web_search"],
      messages: ["web_search"],
      content: ["googleSearch.reply", "googleSearch"],
    };
    const model = "gpt-5-search-api";
    for (const from of ["chat", "responses", "messages", "content"] as const) {
      const own = formats[from].surcharges?.find(asked[from], {}) ?? [];
      expect(own.find(({ search }) => search)?.search).toEqual({ usesMax: null, isAlone: true });
      for (const to of ["chat", "responses", "messages", "content"] as const) {
        if (from === to) continue;
        const side = formats[to].surcharges;
        const sent = side?.find(encode(from, to, asked[from], model).body, {}) ?? [];
        const foreseen = side?.search?.({ usesMax: null, isAlone: true }, model) ?? [];
        expect(sent.map(({ name }) => name)).toEqual(names[to]);
        expect(foreseen.map(({ name, calls }) => [name, calls?.max])).toEqual(
          sent.map(({ name, calls }) => [name, calls?.max]),
        );
      }
    }
  });

  test("Q2 is foreseen nowhere that it cannot go", () => {
    const beside = { usesMax: 3, isAlone: false };
    expect(formats.chat.surcharges?.search?.(beside, "gpt-5")).toEqual([]);
    expect(formats.content.surcharges?.search?.(beside, "gemini-3-pro")).toEqual([]);
    expect(formats.messages.surcharges?.search?.(beside, "claude")[0]?.calls?.max).toBe(3);
    expect(formats.responses.surcharges?.search?.(beside, "gpt-5")[0]?.calls?.max).toBe(3);
  });
});
