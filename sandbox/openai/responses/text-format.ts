// The shape that the answer is to have, which is flat here.
import { compile, type Static, Type } from "../../../src/core/schema.ts";
import type { Shape } from "../../writer/write.ts";
import { checkKind } from "../check.ts";
import { Refusal } from "../errors.ts";
import { orNull } from "../schema.ts";
import { closed } from "./parts.ts";
import { strictProblem } from "./strict-schema.ts";

const plain = Type.Object({ type: Type.Enum(["text", "json_object"]) }, closed);
const schema = Type.Object(
  {
    type: Type.Literal("json_schema"),
    name: Type.String({ pattern: "^[a-zA-Z0-9_-]{1,64}$" }),
    schema: Type.Object({}),
    description: Type.Optional(Type.String()),
    strict: orNull(Type.Boolean()),
  },
  closed,
);
type TextFormat = Static<typeof plain> | Static<typeof schema>;

const plainChecker = compile(plain);
const kinds = { text: plainChecker, json_object: plainChecker, json_schema: compile(schema) };

export function readFormat(json: unknown): TextFormat {
  if (json === undefined) return { type: "text" };
  const format = checkKind<TextFormat>(kinds, json, "text.format");
  if (format.type !== "json_schema" || format.strict !== true) return format;
  const problem = strictProblem(format.schema);
  if (problem === null) return format;
  const message = `Invalid schema for response_format '${format.name}': ${problem}`;
  throw new Refusal(400, { message, param: "text.format.schema", code: "invalid_json_schema" });
}

export function shapeOf(format: TextFormat): Shape {
  if (format.type === "json_schema") {
    return { kind: "schema", schema: format.schema, isStrict: format.strict === true };
  }
  return format.type === "json_object" ? { kind: "object" } : { kind: "prose" };
}
