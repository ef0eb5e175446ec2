// The response object, which repeats much of what was asked.
import type { Usage } from "../usage.ts";
import { secondsOf, type WorkContext } from "../work.ts";
import type { OutputItem } from "./output.ts";
import type { CreateBody } from "./schema.ts";
import { readFormat } from "./text-format.ts";
import type { Tool } from "./tools.ts";

/** Ending of one answer's ids: another one in every run and for every key. */
export function tailOf({ serial, nowMs, bearer }: WorkContext): string {
  const text = `${bearer} ${nowMs} ${serial}`;
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);
}

interface ResponseParts {
  body: CreateBody;
  context: WorkContext;
  tools: Tool[];
  output: OutputItem[];
  /** Null when it is to be kept back. */
  usage: Usage | null;
  /** Reason why the answer is not whole; null when it is. */
  incomplete: string | null;
}

/** `begun` is what a stream shows of it before anything has come. */
export function renderResponse(parts: ResponseParts) {
  const { context, output, usage, incomplete } = parts;
  const createdSeconds = secondsOf(context);
  const head = { id: `resp_${tailOf(context)}`, object: "response", created_at: createdSeconds };
  const echo = echoOf(parts);
  const shared = { error: null, incomplete_details: null, ...echo };
  return {
    begun: { ...head, status: "in_progress", ...shared, output: [], usage: null },
    done: {
      ...head,
      status: incomplete === null ? "completed" : "incomplete",
      ...shared,
      ...(incomplete === null ? {} : { incomplete_details: { reason: incomplete } }),
      completed_at: incomplete === null ? createdSeconds : null,
      output,
      usage: usage && renderUsage(usage),
    },
  };
}

export function renderUsage(usage: Usage): object {
  return {
    input_tokens: usage.prompt_tokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: usage.completion_tokens,
    output_tokens_details: {
      reasoning_tokens: usage.completion_tokens_details.reasoning_tokens,
    },
    total_tokens: usage.total_tokens,
  };
}

function echoOf({ body, tools }: ResponseParts): object {
  const { reasoning, text } = body;
  return {
    model: body.model,
    background: false,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: "default",
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: readFormat(text?.format), verbosity: text?.verbosity ?? "medium" },
    tool_choice: body.tool_choice ?? "auto",
    tools,
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? "disabled",
    user: body.user ?? null,
  };
}
