// Answers of text routes, as far as clients rely on them. Vendors add fields of their own.
import { anyObject, orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";

const tokens = Type.Integer({ minimum: 0 });

const openaiUsage = Type.Object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens,
});

export const chatCompletion = Type.Object({
  id: text(),
  object: Type.Literal("chat.completion"),
  created: whole("Unix seconds."),
  model: text(),
  choices: Type.Array(
    Type.Object({
      index: whole(),
      message: Type.Object({
        role: Type.Literal("assistant"),
        content: orNull(text()),
        tool_calls: Type.Optional(Type.Array(anyObject)),
      }),
      finish_reason: orNull(text("stop, length, tool_calls, content_filter or function_call.")),
    }),
  ),
  usage: Type.Optional(openaiUsage),
});

export const legacyCompletion = Type.Object({
  id: text(),
  object: Type.Literal("text_completion"),
  created: whole("Unix seconds."),
  model: text(),
  choices: Type.Array(Type.Object({ index: whole(), text: text(), finish_reason: orNull(text()) })),
  usage: Type.Optional(openaiUsage),
});

export const embeddingList = Type.Object({
  object: Type.Literal("list"),
  model: text(),
  data: Type.Array(
    Type.Object({
      object: Type.Literal("embedding"),
      index: whole(),
      embedding: Type.Union([Type.Array(Type.Number()), text("Base64 of 32-bit floats.")]),
    }),
  ),
  usage: Type.Object({ prompt_tokens: tokens, total_tokens: tokens }),
});

const vector = Type.Object({ values: Type.Array(Type.Number()) });

export const embeddedContent = Type.Object({ embedding: vector });

export const embeddedContents = Type.Object({ embeddings: Type.Array(vector) });

export const predictedVectors = Type.Object({
  predictions: Type.Array(
    Type.Object({
      embeddings: Type.Optional(vector),
      mimeType: Type.Optional(text()),
      bytesBase64Encoded: Type.Optional(text()),
    }),
  ),
});

export const response = Type.Object({
  id: text(),
  object: Type.Literal("response"),
  created_at: Type.Number(),
  status: word("completed", "failed", "in_progress", "cancelled", "queued", "incomplete"),
  model: text(),
  output: Type.Array(Type.Object({ type: text() })),
  usage: Type.Optional(
    orNull(
      Type.Object({
        input_tokens: tokens,
        output_tokens: tokens,
        total_tokens: tokens,
        prompt_tokens: Type.Optional(tokens),
        completion_tokens: Type.Optional(tokens),
      }),
    ),
  ),
});

export const compactionSchema = Type.Object({
  id: text(),
  object: Type.Literal("response.compaction"),
  created_at: Type.Number(),
  output: Type.Array(Type.Object({ type: text() })),
});

export const inputItemsSchema = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(anyObject),
  has_more: Type.Boolean(),
  first_id: orNull(text()),
  last_id: orNull(text()),
});

export const message = Type.Object({
  id: text(),
  type: Type.Literal("message"),
  role: Type.Literal("assistant"),
  model: text(),
  content: Type.Array(Type.Object({ type: text() })),
  stop_reason: orNull(text()),
  stop_sequence: orNull(text()),
  usage: Type.Object({ input_tokens: tokens, output_tokens: tokens }),
});

export const generated = Type.Object({
  candidates: Type.Array(
    Type.Object({ content: Type.Optional(anyObject), finishReason: Type.Optional(text()) }),
  ),
  usageMetadata: Type.Optional(anyObject),
  modelVersion: Type.Optional(text()),
});
