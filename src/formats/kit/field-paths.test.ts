// Fields set and left out along their paths.
import { expect, test } from "bun:test";
import { withFields, withoutPaths } from "./field-paths.ts";

const body = {
  model: "m",
  tools: [{ type: "web_search" }, { type: "function", name: "f" }, { googleSearch: {}, f: [1] }],
  messages: [{ content: [{ text: "a", cache_control: { type: "ephemeral", ttl: "1h" } }] }],
};

test("what is named is left out, and what that leaves empty too", () => {
  const untouched = structuredClone(body);
  const left = withoutPaths(body, [
    ["tools", 0],
    ["tools", 2, "googleSearch"],
    ["messages", 0, "content", 0, "cache_control", "ttl"],
  ]);
  expect(left).toEqual({
    model: "m",
    tools: [{ type: "function", name: "f" }, { f: [1] }],
    messages: [{ content: [{ text: "a", cache_control: { type: "ephemeral" } }] }],
  });
  expect(body).toEqual(untouched);
  expect(withoutPaths({ tools: [{ a: {} }], b: 1 }, [["tools", 0, "a"]])).toEqual({ b: 1 });
  expect(withoutPaths({ a: 1 }, [["a"]])).toEqual({});
  expect(
    withoutPaths({ a: 1 }, [
      ["b", "c"],
      ["a", "d"],
    ]),
  ).toEqual({ a: 1 });
});

test("a field is set in a copy", () => {
  const set = withFields(body, [["tools", 0, "max_uses"]], 10);
  expect(set["tools"]).toEqual([{ type: "web_search", max_uses: 10 }, ...body.tools.slice(1)]);
  expect(body.tools[0]).toEqual({ type: "web_search" });
  expect(withFields({ a: 1 }, [["max_tool_calls"]], 3)).toEqual({ a: 1, max_tool_calls: 3 });
});
