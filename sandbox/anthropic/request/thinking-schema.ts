// The thinking that a request wants.
import { type Static, Type } from "../../../src/core/schema.ts";
import { closed, orNull, type Reader, reader, readTagged } from "./read.ts";

const display = orNull(Type.Enum(["summarized", "omitted"]));
const enabled = Type.Object(
  { type: Type.Literal("enabled"), budget_tokens: Type.Integer({ minimum: 1024 }), display },
  closed,
);
const adaptive = Type.Object({ type: Type.Literal("adaptive"), display }, closed);
const disabled = Type.Object({ type: Type.Literal("disabled") }, closed);
const betweenTools = Type.Object({ type: Type.Literal("between_tools") }, closed);

export type Thinking =
  | Static<typeof enabled>
  | Static<typeof adaptive>
  | Static<typeof disabled>
  | Static<typeof betweenTools>;

const readers = {
  enabled: reader(enabled),
  adaptive: reader(adaptive),
  disabled: reader(disabled),
  between_tools: reader(betweenTools),
};

export const readThinking: Reader<Thinking> = (json, path) =>
  readTagged<Thinking>(readers, json, path);

export function isThinkingOn(thinking: Thinking | null): boolean {
  return thinking?.type === "enabled" || thinking?.type === "adaptive";
}
