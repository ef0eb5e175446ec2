// The fields of a chat completion request that must have a certain type. Unknown fields pass.
import { compile, Type } from "../../core/schema.ts";
import { nullable, samplingFields } from "../kit/openai-fields.ts";

const roles = ["system", "developer", "user", "assistant", "tool", "function"];

const Message = Type.Object({
  role: Type.Unsafe<string>({ type: "string", enum: roles }),
  content: Type.Optional(Type.Unsafe<unknown>({ type: ["string", "array", "null"] })),
  tool_calls: nullable("array"),
  tool_call_id: nullable("string"),
  audio: nullable("object"),
  name: nullable("string"),
});

export const chatRequest = compile(
  Type.Object({
    ...samplingFields,
    messages: Type.Array(Message, { minItems: 1 }),
    max_completion_tokens: nullable("integer", { minimum: 0, maximum: 100_000_000 }),
    response_format: nullable("object"),
    tools: nullable("array", { items: { type: "object" } }),
    tool_choice: Type.Optional(Type.Unsafe<unknown>({ type: ["string", "object", "null"] })),
    parallel_tool_calls: nullable("boolean"),
    reasoning_effort: nullable("string"),
    logprobs: nullable("boolean"),
    top_logprobs: nullable("integer", { minimum: 0 }),
    metadata: nullable("object"),
  }),
);
