import { expect, test } from "bun:test";
import { describeFields } from "./describe-fields.ts";

const words = { name: "Its name.", "tool.name": "The tool's name.", max_size: "The most." };

test("a field is described by its name, in any spelling, and inside of another by both", () => {
  const tool = { type: "array", items: { type: "object", properties: { name: {} } } };
  const schema = { type: "object", properties: { name: {}, maxSize: {}, tool, other: {} } };
  expect(describeFields(schema, words)).toEqual({
    type: "object",
    properties: {
      name: { description: "Its name." },
      maxSize: { description: "The most." },
      tool: {
        type: "array",
        items: { type: "object", properties: { name: { description: "The tool's name." } } },
      },
      other: {},
    },
  });
});

test("what a schema says itself stays, also where only one of several shapes says it", () => {
  const own = { description: "Own." };
  const name = { anyOf: [{ type: "string", ...own }, { type: "null" }] };
  const schema = { properties: { name, max_size: own } };
  expect(describeFields(structuredClone(schema), words)).toEqual(schema);
});
