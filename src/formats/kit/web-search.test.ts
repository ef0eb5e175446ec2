import { expect, test } from "bun:test";
import type { WebSearch } from "../exchange.ts";
import { readLocation, searchText, unsaidWishes } from "./web-search.ts";

const search: WebSearch = {
  at: "tools.0",
  names: {
    allowedDomains: "tools.0.allowed",
    blockedDomains: "tools.0.blocked",
    location: "tools.0.place",
    contextSize: "tools.0.size",
    usesMax: "tools.0.uses",
  },
  allowedDomains: ["a.example"],
  blockedDomains: [],
  location: null,
  contextSize: "low",
  usesMax: 0,
};

test("X-T31 only what was wished for is named as unsaid", () => {
  const all = ["allowedDomains", "blockedDomains", "location", "contextSize", "usesMax"] as const;
  expect(unsaidWishes(search, all)).toEqual(["tools.0.allowed", "tools.0.size", "tools.0.uses"]);
  expect(unsaidWishes(search, ["blockedDomains", "location"])).toEqual([]);
});

test("a place is what is known of it", () => {
  const place = { type: "approximate", city: "Oslo", country: null, timezone: "", region: 5 };
  expect(readLocation(place)).toEqual({ city: "Oslo" });
  expect(readLocation({ type: "approximate" })).toBeNull();
  expect(readLocation("Oslo")).toBeNull();
});

test("X-T33 an earlier search is told in words, and one of which nothing is known is not", () => {
  const page = { url: "https://a.example", title: null, age: null };
  const part = { kind: "search", queries: ["q"], found: [page], fault: null } as const;
  expect(searchText({ ...part, queries: ["q"], found: [page] })).toBe(
    '\n[Searched the web for "q", and found:\n- <https://a.example>]\n',
  );
  expect(searchText({ ...part, queries: ["q"], found: [] })).toBe(
    '\n[Searched the web for "q".]\n',
  );
  const many = Array.from({ length: 60 }, (_, at) => ({ ...page, url: `https://${at}.example` }));
  expect(searchText({ ...part, queries: [], found: many })?.match(/^- /gm)).toHaveLength(50);
  expect(searchText({ ...part, queries: [], found: [] })).toBeNull();
});
