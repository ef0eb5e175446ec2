// The fields of a messages request that must have a certain type. Unknown fields pass.
import { compile, Type } from "../../core/schema.ts";
import { nullable } from "../kit/openai-fields.ts";

const maybeText = { type: ["string", "null"] };
const maybeObject = { type: ["object", "null"] };
const maybeFlag = { type: ["boolean", "null"] };

const Message = Type.Object({
  role: Type.Unsafe<string>({ type: "string", enum: ["user", "assistant", "system"] }),
  content: Type.Unsafe<unknown>({ type: ["string", "array"] }),
});

const outputFormat = { ...maybeObject, properties: { type: maybeText, schema: maybeObject } };

const tool = {
  type: "object",
  properties: {
    type: maybeText,
    name: { type: "string", minLength: 1 },
    description: maybeText,
    input_schema: maybeObject,
    strict: maybeFlag,
    cache_control: maybeObject,
  },
};

export const messagesFields = {
  model: Type.String({ minLength: 1, maxLength: 256 }),
  messages: Type.Array(Message, { minItems: 1 }),
  system: Type.Optional(Type.Unsafe<unknown>({ type: ["string", "array", "null"] })),
  max_tokens: nullable("integer", { minimum: 0, maximum: 100_000_000 }),
  stream: nullable("boolean"),
  temperature: nullable("number"),
  top_p: nullable("number"),
  top_k: nullable("integer"),
  stop_sequences: nullable("array", { items: { type: "string" } }),
  tools: nullable("array", { items: tool }),
  tool_choice: nullable("object", {
    properties: { type: maybeText, name: maybeText, disable_parallel_tool_use: maybeFlag },
  }),
  thinking: nullable("object", {
    properties: { type: maybeText, budget_tokens: { type: ["integer", "null"] } },
  }),
  effort: nullable("string"),
  output_config: nullable("object", {
    properties: { effort: maybeText, format: outputFormat },
  }),
  output_format: nullable("object", { properties: outputFormat.properties }),
  metadata: nullable("object", { properties: { user_id: maybeText } }),
  service_tier: nullable("string"),
  speed: nullable("string"),
  cache_control: nullable("object"),
  container: Type.Optional(Type.Unsafe<unknown>({ type: ["string", "object", "null"] })),
  mcp_servers: nullable("array"),
  context_management: nullable("object"),
  inference_geo: nullable("string"),
};

export const messagesRequest = compile(Type.Object(messagesFields));
