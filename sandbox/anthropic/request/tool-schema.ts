// Tools as they are offered, and the choice among them.
import { type Static, Type } from "../../../src/core/schema.ts";
import { cacheControl, toolName } from "./blocks.ts";
import { closed, orNull, type Reader, reader, readObject, readTagged } from "./read.ts";

const custom = Type.Object(
  {
    type: orNull(Type.Literal("custom")),
    name: toolName,
    description: Type.Optional(Type.String()),
    input_schema: Type.Object({ type: Type.Literal("object") }, { additionalProperties: true }),
    strict: Type.Optional(Type.Boolean()),
    cache_control: orNull(cacheControl),
    eager_input_streaming: orNull(Type.Boolean()),
    defer_loading: Type.Optional(Type.Boolean()),
    input_examples: Type.Optional(Type.Array(Type.Unknown())),
    allowed_callers: Type.Optional(Type.Array(Type.String())),
  },
  closed,
);

/** A tool that the vendor runs by itself; the sandbox takes it and never uses it. */
const server = Type.Object({
  type: Type.String({ pattern: "_20\\d{6}$" }),
  name: Type.Optional(Type.String()),
  cache_control: orNull(cacheControl),
});

export type CustomTool = Static<typeof custom>;
export type Tool = CustomTool | Static<typeof server>;

const readCustom = reader(custom);
const readServer = reader(server);

export const readTool: Reader<Tool> = (json, path) => {
  const { type } = readObject(json, path);
  const isCustom = type === undefined || type === null || type === "custom";
  return isCustom ? readCustom(json, `${path}.custom`) : readServer(json, path);
};

export function isCustom(tool: Tool): tool is CustomTool {
  return "input_schema" in tool;
}

const parallel = { disable_parallel_tool_use: Type.Optional(Type.Boolean()) };
const auto = Type.Object({ type: Type.Literal("auto"), ...parallel }, closed);
const anyTool = Type.Object({ type: Type.Literal("any"), ...parallel }, closed);
const none = Type.Object({ type: Type.Literal("none") }, closed);
const oneTool = Type.Object(
  { type: Type.Literal("tool"), name: Type.String(), ...parallel },
  closed,
);

export type ToolChoice =
  Static<typeof auto> | Static<typeof anyTool> | Static<typeof none> | Static<typeof oneTool>;

const choiceReaders = {
  auto: reader(auto),
  any: reader(anyTool),
  none: reader(none),
  tool: reader(oneTool),
};

export const readToolChoice: Reader<ToolChoice> = (json, path) =>
  readTagged<ToolChoice>(choiceReaders, json, path);
