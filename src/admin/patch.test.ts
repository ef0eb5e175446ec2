import { expect, test } from "bun:test";
import { word } from "../core/schema-words.ts";
import { Type } from "../core/schema.ts";
import { thrown } from "./fixtures/control-plane.ts";
import { patchOf } from "./patch.ts";

const body = patchOf(
  { name: Type.String({ minLength: 1 }), limit: Type.Optional(Type.Integer()) },
  {
    example: { name: "n" },
    words: { status: word("on", "off") },
    order: ["status", "name", "limit"],
  },
);

test("a patch has some of the fields, and null where one may be missing", () => {
  const patches: ReturnType<typeof body.parse>[] = [
    {},
    { name: "n" },
    { limit: null },
    { limit: 5, status: "off" },
  ];
  for (const patch of patches) {
    expect(body.parse(patch)).toEqual(patch);
  }
});

test("a patch that does not fit is refused with its field, in the words of the field", async () => {
  const refused: [Parameters<typeof body.parse>[0], string][] = [
    [{ name: null }, "name is required"],
    [{ name: "" }, "name must not have fewer than 1 characters"],
    [{ limit: "5" }, "limit must be integer"],
    [{ status: "asleep" }, "status must be one of on, off"],
    [{ status: null }, "status must be one of on, off"],
    [{ colour: 1 }, "colour is not known"],
  ];
  for (const [patch, words] of refused) expect(await thrown(() => body.parse(patch))).toBe(words);
});

test("the reference has its fields in order, each optional, null where it may be missing", () => {
  expect(JSON.parse(JSON.stringify(body.schema))).toEqual({
    type: "object",
    properties: {
      status: { type: "string", enum: ["on", "off"] },
      name: { type: "string", minLength: 1 },
      limit: { anyOf: [{ type: "integer" }, { type: "null" }] },
    },
  });
});
