// The parts of OpenAI's requests that the sandbox reads; everything else is accepted unread.
import { compile, type Static, type TSchema, Type } from "../../src/core/schema.ts";
import { check } from "./check.ts";

export const orNull = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

const part = Type.Object({
  type: Type.String(),
  text: Type.Optional(Type.String()),
  image_url: Type.Optional(Type.Object({ url: Type.String() })),
  input_audio: Type.Optional(Type.Object({ data: Type.String(), format: Type.String() })),
  file: Type.Optional(
    Type.Object({
      filename: Type.Optional(Type.String()),
      file_data: Type.Optional(Type.String()),
    }),
  ),
});

const message = Type.Object({
  role: Type.Enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: orNull(Type.Union([Type.String(), Type.Array(part)])),
  tool_calls: Type.Optional(Type.Unknown()),
});

const toolName = Type.Object({ name: Type.String({ minLength: 1 }) });
const namedTool = {
  type: Type.String(),
  function: Type.Optional(toolName),
  custom: Type.Optional(toolName),
};

const tool = Type.Object({
  type: Type.String(),
  function: Type.Optional(
    Type.Object({
      name: Type.String({ minLength: 1 }),
      parameters: Type.Optional(Type.Unknown()),
      strict: orNull(Type.Boolean()),
    }),
  ),
  custom: Type.Optional(toolName),
});

const toolChoice = Type.Union([
  Type.Enum(["none", "auto", "required"]),
  Type.Object({
    ...namedTool,
    allowed_tools: Type.Optional(
      Type.Object({
        mode: Type.Enum(["auto", "required"]),
        tools: Type.Array(Type.Object(namedTool)),
      }),
    ),
  }),
]);

const responseFormat = Type.Object({
  type: Type.Enum(["text", "json_object", "json_schema"]),
  json_schema: Type.Optional(
    Type.Object({ schema: Type.Optional(Type.Unknown()), strict: orNull(Type.Boolean()) }),
  ),
});

const shared = {
  model: Type.String({ minLength: 1 }),
  n: orNull(Type.Integer({ minimum: 1, maximum: 128 })),
  max_tokens: orNull(Type.Integer({ minimum: 1 })),
  stop: orNull(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 4 })])),
  stream: orNull(Type.Boolean()),
  stream_options: orNull(Type.Object({ include_usage: Type.Optional(Type.Boolean()) })),
};

const chatSchema = Type.Object({
  ...shared,
  messages: Type.Array(message, { minItems: 1 }),
  max_completion_tokens: orNull(Type.Integer({ minimum: 1 })),
  tools: orNull(Type.Array(tool)),
  tool_choice: orNull(toolChoice),
  parallel_tool_calls: orNull(Type.Boolean()),
  response_format: orNull(responseFormat),
  reasoning_effort: orNull(Type.String()),
});

const tokenIds = Type.Array(Type.Integer());

const completionSchema = Type.Object({
  ...shared,
  prompt: Type.Union([
    Type.String(),
    Type.Array(Type.String(), { minItems: 1 }),
    tokenIds,
    Type.Array(tokenIds, { minItems: 1 }),
  ]),
});

const embeddingSchema = Type.Object({
  model: shared.model,
  input: completionSchema.properties.prompt,
  dimensions: orNull(Type.Integer({ minimum: 1, maximum: 3072 })),
  encoding_format: orNull(Type.Enum(["float", "base64"])),
});

export type ChatBody = Static<typeof chatSchema>;
export type ChatMessage = Static<typeof message>;
export type ChatTool = Static<typeof tool>;
export type CompletionBody = Static<typeof completionSchema>;
export type EmbeddingBody = Static<typeof embeddingSchema>;

const chatChecker = compile(chatSchema);
const completionChecker = compile(completionSchema);
const embeddingChecker = compile(embeddingSchema);

export const parseChat = (json: unknown): ChatBody => check(chatChecker, json);
export const parseCompletion = (json: unknown): CompletionBody => check(completionChecker, json);
export const parseEmbedding = (json: unknown): EmbeddingBody => check(embeddingChecker, json);
