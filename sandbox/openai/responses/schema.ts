// The bodies that the Responses endpoints take. What is not in these schemas is refused by name.
import { compile, type Static, Type } from "../../../src/core/schema.ts";
import { check } from "../check.ts";
import { Refusal } from "../errors.ts";
import { orNull } from "../schema.ts";
import { closed } from "./parts.ts";

const unread = Type.Optional(Type.Unknown());
const effort = Type.Enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
const summary = Type.Enum(["auto", "concise", "detailed"]);
const includable = Type.Enum([
  "file_search_call.results",
  "web_search_call.results",
  "web_search_call.action.sources",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
  "code_interpreter_call.outputs",
  "reasoning.encrypted_content",
  "message.output_text.logprobs",
]);

const model = Type.String({ minLength: 1 });
const conversation = {
  input: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Unknown())])),
  instructions: orNull(Type.String()),
  previous_response_id: orNull(Type.String()),
};
const cache = {
  prompt_cache_key: orNull(Type.String()),
  prompt_cache_options: unread,
  prompt_cache_retention: orNull(Type.Enum(["in_memory", "24h"])),
};
const tools = {
  tools: Type.Optional(Type.Array(Type.Unknown())),
  tool_choice: unread,
  parallel_tool_calls: orNull(Type.Boolean()),
};
const manner = {
  reasoning: orNull(
    Type.Object(
      {
        effort: orNull(effort),
        summary: orNull(summary),
        generate_summary: orNull(summary),
        context: orNull(Type.String()),
        mode: Type.Optional(Type.String()),
      },
      closed,
    ),
  ),
  text: Type.Optional(
    Type.Object(
      { format: unread, verbosity: orNull(Type.Enum(["low", "medium", "high"])) },
      closed,
    ),
  ),
  truncation: orNull(Type.Enum(["auto", "disabled"])),
};

const createSchema = Type.Object(
  {
    model,
    ...conversation,
    ...cache,
    ...tools,
    ...manner,
    background: orNull(Type.Boolean()),
    client_metadata: orNull(Type.Record(Type.String(), Type.String())),
    context_management: orNull(Type.Array(Type.Unknown())),
    conversation: unread,
    include: orNull(Type.Array(includable)),
    max_output_tokens: orNull(Type.Integer()),
    max_tool_calls: orNull(Type.Integer({ minimum: 1 })),
    metadata: orNull(Type.Record(Type.String(), Type.String())),
    moderation: unread,
    prompt: unread,
    safety_identifier: orNull(Type.String()),
    service_tier: orNull(Type.Enum(["auto", "default", "flex", "scale", "priority", "fast"])),
    store: orNull(Type.Boolean()),
    stream: orNull(Type.Boolean()),
    stream_options: orNull(
      Type.Object({ include_obfuscation: Type.Optional(Type.Boolean()) }, closed),
    ),
    temperature: orNull(Type.Number({ minimum: 0, maximum: 2 })),
    top_logprobs: orNull(Type.Integer({ minimum: 0, maximum: 20 })),
    top_p: orNull(Type.Number({ minimum: 0, maximum: 1 })),
    user: Type.Optional(Type.String()),
  },
  closed,
);
const countSchema = Type.Object(
  { model, ...conversation, ...tools, ...manner, conversation: unread, personality: unread },
  closed,
);
const compactSchema = Type.Object(
  { model, ...conversation, ...cache, service_tier: orNull(Type.String()) },
  closed,
);

export type CreateBody = Static<typeof createSchema>;
type CountBody = Static<typeof countSchema>;
type CompactBody = Static<typeof compactSchema>;

const createChecker = compile(createSchema);
const countChecker = compile(countSchema);
const compactChecker = compile(compactSchema);

export const parseCount = (json: unknown): CountBody => check(countChecker, json);
export const parseCompact = (json: unknown): CompactBody => check(compactChecker, json);

const outputTokensMin = 16;
const metadataPairsMax = 16;

export function parseCreate(json: unknown): CreateBody {
  const body = check(createChecker, json);
  const { max_output_tokens: bound, background, prompt, metadata } = body;
  if (typeof bound === "number" && bound < outputTokensMin) {
    const param = "max_output_tokens";
    const wanted = `Expected a value >= ${outputTokensMin}, but got ${bound} instead.`;
    const message = `Invalid '${param}': integer below minimum value. ${wanted}`;
    throw new Refusal(400, { message, param, code: "integer_below_min_value" });
  }
  if (Object.keys(metadata ?? {}).length > metadataPairsMax) {
    throw unsupported("metadata", `'metadata' has more than ${metadataPairsMax} pairs.`);
  }
  if (background === true) {
    throw unsupported("background", "Background mode is not supported with this model.");
  }
  if (prompt) throw unsupported("prompt", "There is no such prompt.");
  return body;
}

function unsupported(param: string, message: string): Refusal {
  return new Refusal(400, { message, param, code: "unsupported_value" });
}
