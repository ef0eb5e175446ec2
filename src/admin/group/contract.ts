// Groups as they go over the wire.
import { text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { rateFields } from "../contract/basics.ts";

export const GroupView = Type.Object({
  name: text(),
  multiplier: Type.Number(),
  declared: Type.Boolean(),
  ...rateFields,
});
export type GroupView = Static<typeof GroupView>;
