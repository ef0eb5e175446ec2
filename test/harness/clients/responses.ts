// A client of responses.
import type { JsonObject } from "../../../src/core/json.ts";
import { type Ask, eventsOf, list, type TextClient } from "./client.ts";

interface Item {
  type: string;
  call_id: string;
  name: string;
  arguments: string;
  content?: { type: string; text: string }[];
  summary?: { text: string }[];
}

export const responsesClient: TextClient = {
  path: () => "/v1/responses",
  body: ({ model, prompt, system, image, ...ask }, isStream) => ({
    model,
    input: image === undefined ? prompt : [{ role: "user", content: withImage(prompt, image) }],
    ...(system !== undefined && { instructions: system }),
    ...settingsOf(ask),
    ...(isStream && { stream: true }),
  }),
  next(body, reply, results) {
    const items = list<JsonObject>(reply["output"]);
    const calls = items.filter(({ type }) => type === "function_call");
    const returned = calls.map(({ call_id: id }, at) => ({
      type: "function_call_output",
      call_id: id,
      output: results[at] ?? "",
    }));
    const { input } = body;
    const before = typeof input === "string" ? [{ role: "user", content: input }] : input;
    return { ...body, input: [...list<JsonObject>(before), ...items, ...returned] };
  },
  read(reply) {
    const items = list<Item>(reply["output"]);
    const usage = (reply["usage"] ?? {}) as Record<string, number>;
    const details = (name: string) => (reply["usage"] as JsonObject)?.[name] as JsonObject;
    const why = reply["incomplete_details"] as { reason: string } | null;
    return {
      text: textsOf(items.filter(({ type }) => type === "message").flatMap((one) => one.content)),
      reasoning: textsOf(items.flatMap(({ summary }) => summary)),
      calls: items
        .filter(({ type }) => type === "function_call")
        .map(({ call_id: id, name, arguments: input }) => ({
          id,
          name,
          input: JSON.parse(input) as unknown,
        })),
      stop: why ? why.reason : String(reply["status"]),
      input: usage["input_tokens"] ?? -1,
      output: usage["output_tokens"] ?? -1,
      cacheRead: Number(details("input_tokens_details")?.["cached_tokens"] ?? 0),
      reasoningTokens: Number(details("output_tokens_details")?.["reasoning_tokens"] ?? 0),
    };
  },
  assemble,
};

function textsOf(parts: readonly ({ text: string } | undefined)[]): string {
  return parts.map((part) => part?.text ?? "").join("");
}

function withImage(text: string, url: string): JsonObject[] {
  return [
    { type: "input_text", text },
    { type: "input_image", image_url: url },
  ];
}

function settingsOf(ask: Omit<Ask, "model" | "prompt">): JsonObject {
  const { tools, choice, outputTokensMax, thinks, shape } = ask;
  const isWord = choice === "none" || choice === "auto" || choice === "required";
  return {
    ...(tools && {
      tools: tools.map(({ name, schema }) => ({ type: "function", name, parameters: schema })),
    }),
    ...(choice !== undefined && {
      tool_choice: isWord ? choice : { type: "function", name: choice },
    }),
    ...(outputTokensMax !== undefined && { max_output_tokens: outputTokensMax }),
    ...(thinks && {
      reasoning: { effort: "medium", summary: "auto" },
      include: ["reasoning.encrypted_content"],
    }),
    ...(shape && { text: { format: { type: "json_schema", name: "shape", schema: shape } } }),
  };
}

/** The response of the last event, after a look at whether the events before it led there. */
function assemble(text: string): JsonObject {
  const events = eventsOf(text);
  const numbers = events.map((event) => event["sequence_number"]);
  if (!Bun.deepEquals(numbers, [...events.keys()])) throw new Error(`numbers: ${numbers.join()}`);
  const last = events.at(-1);
  if (!/^response\.(?:completed|incomplete)$/.test(String(last?.["type"]))) {
    throw new Error(`no end: ${text}`);
  }
  const response = last?.["response"] as JsonObject;
  const done = events.filter(({ type }) => type === "response.output_item.done");
  const items = list<JsonObject>(response["output"]);
  if (
    !Bun.deepEquals(
      items,
      done.map(({ item }) => item as JsonObject),
    )
  ) {
    throw new Error(`the end is not what came: ${text}`);
  }
  for (const [at, item] of items.entries()) checkDeltas(item, at, events);
  return response;
}

/** An item is what its own pieces say, whatever came between them. */
function checkDeltas(item: JsonObject, at: number, events: readonly JsonObject[]): void {
  const deltas = events
    .filter((event) => event["output_index"] === at && String(event["type"]).endsWith(".delta"))
    .map(({ delta }) => String(delta))
    .join("");
  const { content, summary } = item;
  const parts = [...list<{ text: string }>(content), ...list<{ text: string }>(summary)];
  const whole = item["arguments"] ?? item["input"] ?? textsOf(parts);
  if (whole !== deltas) throw new Error(`${JSON.stringify(item)} did not come as ${deltas}`);
}
