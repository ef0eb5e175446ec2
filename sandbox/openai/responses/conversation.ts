// The conversation that a request is about: what was stored before, and what it adds.
import { Refusal } from "../errors.ts";
import type { WorkContext } from "../work.ts";
import type { Item } from "./items.ts";
import { readItem } from "./read-item.ts";

interface ConversationFields {
  input?: string | unknown[];
  previous_response_id?: string | null;
  conversation?: unknown;
}

interface Conversation {
  items: Item[];
  /** Roughly what the items hold. */
  characters: number;
}

export function readConversation(
  fields: ConversationFields,
  context: WorkContext,
  tail: string,
): Conversation {
  const { bearer, memory } = context;
  if (fields.conversation) {
    const message = "The conversation was not found.";
    throw new Refusal(404, { message, param: "conversation", code: null });
  }
  const id = fields.previous_response_id ?? null;
  const previous = id === null ? null : memory.get(bearer, id);
  if (id !== null && !previous) {
    const message = `Previous response with id '${id}' not found.`;
    const details = { param: "previous_response_id", code: "previous_response_not_found" };
    throw new Refusal(400, { message, ...details });
  }
  let count = 0;
  const desk = { bearer, memory, newId: (prefix: string) => `${prefix}_${tail}_i${count++}` };
  const given = listInput(fields.input).map((item, at) => readItem(item, `input[${at}]`, desk));
  const items = previous ? [...previous.input, ...previous.output, ...given] : given;
  if (items.length === 0) {
    const message = "One of 'input', 'previous_response_id' or 'prompt' must be provided.";
    throw new Refusal(400, { message, param: "input", code: "missing_required_parameter" });
  }
  checkCalls(items);
  const characters = JSON.stringify(fields.input ?? "").length + (previous?.characters ?? 0);
  return { items, characters };
}

function listInput(input: ConversationFields["input"]): unknown[] {
  return typeof input === "string" ? [{ role: "user", content: input }] : (input ?? []);
}

/** Every result answers a call that came before it, and every call has its result. */
function checkCalls(items: readonly Item[]): void {
  const known = new Set<string>();
  const open = new Map<string, string>();
  for (const item of items) {
    if (item.type === "function_call" || item.type === "custom_tool_call") {
      known.add(nameOf(item.type, item.call_id));
      open.set(nameOf(item.type, item.call_id), `${wordsFor(item.type)} ${item.call_id}`);
    } else if (item.type === "function_call_output" || item.type === "custom_tool_call_output") {
      const type = item.type === "function_call_output" ? "function_call" : "custom_tool_call";
      const name = nameOf(type, item.call_id);
      if (!known.has(name)) {
        const words = `${wordsFor(type)} output with call_id ${item.call_id}`;
        throw unpaired(`No tool call found for ${words}.`);
      }
      open.delete(name);
    }
  }
  for (const words of open.values()) throw unpaired(`No tool output found for ${words}.`);
}

function nameOf(type: string, callId: string): string {
  return `${type} ${callId}`;
}

function wordsFor(type: string): string {
  return type.replaceAll("_", " ");
}

function unpaired(message: string): Refusal {
  return new Refusal(400, { message, param: "input" });
}
