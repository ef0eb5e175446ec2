// The fields of a responses request that must have a certain type. Unknown fields pass.
import { compile, Type } from "../../core/schema.ts";
import { nullable } from "../kit/openai-fields.ts";

export const responsesRequest = compile(
  Type.Object({
    model: Type.String({ minLength: 1, maxLength: 256 }),
    input: Type.Optional(Type.Unsafe<unknown>({ type: ["string", "array", "null"] })),
    instructions: nullable("string"),
    previous_response_id: nullable("string", { minLength: 1 }),
    max_output_tokens: nullable("integer", { minimum: 0, maximum: 100_000_000 }),
    max_tool_calls: nullable("integer", { minimum: 0 }),
    temperature: nullable("number"),
    top_p: nullable("number"),
    top_logprobs: nullable("integer", { minimum: 0 }),
    stream: nullable("boolean"),
    stream_options: nullable("object", {
      properties: { include_obfuscation: { type: ["boolean", "null"] } },
    }),
    store: nullable("boolean"),
    background: nullable("boolean"),
    tools: nullable("array", { items: { type: "object" } }),
    tool_choice: Type.Optional(Type.Unsafe<unknown>({ type: ["string", "object", "null"] })),
    parallel_tool_calls: nullable("boolean"),
    reasoning: nullable("object", {
      properties: { effort: { type: ["string", "null"] }, summary: { type: ["string", "null"] } },
    }),
    text: nullable("object", {
      properties: { format: { type: ["object", "null"] }, verbosity: { type: ["string", "null"] } },
    }),
    metadata: nullable("object"),
    include: nullable("array", { items: { type: "string" } }),
    truncation: nullable("string"),
    service_tier: nullable("string"),
    prompt: nullable("object"),
    prompt_cache_key: nullable("string"),
    safety_identifier: nullable("string"),
    user: nullable("string"),
    context_management: nullable("array"),
  }),
);
