// Reads one item of a request: checks it, looks up what it refers to, and names it.
import { isObject } from "../../../src/core/json.ts";
import { checkKind, invalid } from "../check.ts";
import { Refusal } from "../errors.ts";
import {
  type GivenItem,
  type GivenMessage,
  type GivenReasoning,
  itemKinds,
} from "./item-schema.ts";
import type { CallItem, Item, MessageItem, ReasoningItem } from "./items.ts";
import type { ResponseMemory } from "./memory.ts";
import { readInputParts, readOutputParts } from "./parts.ts";
import { unseal } from "./sealed.ts";
import { readTools } from "./tools.ts";

/** Context of reading items. */
interface Desk {
  bearer: string;
  memory: ResponseMemory;
  /** Names an item that came without an id. */
  newId(prefix: string): string;
}

const idPrefixes: Readonly<Record<string, string>> = {
  message: "msg",
  function_call: "fc",
  custom_tool_call: "ctc",
  reasoning: "rs",
  compaction: "cmp",
};

export function readItem(json: unknown, at: string, desk: Desk): Item {
  // A bare role and content are a message.
  const isBare = isObject(json) && json["type"] === undefined && json["role"] !== undefined;
  const given = checkKind<GivenItem>(itemKinds, isBare ? { ...json, type: "message" } : json, at);
  const prefix = idPrefixes[given.type];
  if (prefix !== undefined && given.id && !given.id.startsWith(prefix)) {
    const problem = `Expected an ID that begins with '${prefix}'.`;
    throw invalid(`${at}.id`, `Invalid '${at}.id': '${given.id}'. ${problem}`);
  }
  switch (given.type) {
    case "item_reference":
      return desk.memory.findItem(desk.bearer, given.id) ?? refuseUnknown(given.id);
    case "reasoning":
      return readReasoning(given, at, desk);
    case "compaction": {
      const { type, encrypted_content: content } = given;
      const { id } = unseal(content, desk.bearer, given.id ?? null);
      return { type, id, encrypted_content: content };
    }
    default:
      return nameItem(given, at, given.id ?? desk.newId(prefix ?? "item"));
  }
}

type Nameable = Exclude<GivenItem, { type: "item_reference" | "reasoning" | "compaction" }>;

function nameItem(given: Nameable, at: string, id: string): Item {
  switch (given.type) {
    case "message":
      return toMessage(given, at, id);
    case "function_call": {
      const { type, status, arguments: text } = given;
      return { type, id, status: status ?? "completed", ...nameCall(given), arguments: text };
    }
    case "custom_tool_call": {
      const { type, status, input } = given;
      return { type, id, status: status ?? "completed", ...nameCall(given), input };
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const { type, status, call_id, output: said } = given;
      const output = typeof said === "string" ? said : readInputParts(said, `${at}.output`);
      return { type, id, status: status ?? "completed", call_id, output };
    }
    case "additional_tools": {
      const { type, role, tools } = given;
      return { type, id, role, tools: readTools(tools, `${at}.tools`) };
    }
    default:
      return { type: "hosted", id, item: given };
  }
}

type NamedCall = Pick<CallItem, "call_id" | "name" | "namespace">;

function nameCall({ call_id, name, namespace }: NamedCall): NamedCall {
  return namespace === undefined ? { call_id, name } : { call_id, name, namespace };
}

function toMessage(given: GivenMessage, at: string, id: string): MessageItem {
  const { type, role, status, phase } = given;
  const read = role === "assistant" ? readOutputParts : readInputParts;
  const content = read(given.content, `${at}.content`);
  const message = { type, id, status: status ?? "completed", role, content } as const;
  return phase ? { ...message, phase } : message;
}

/** Reasoning is taken back only from its maker: sealed, or by the id of what was stored. */
function readReasoning(given: GivenReasoning, at: string, { bearer, memory }: Desk): Item {
  if (given.content && given.content.length > 0) {
    throw invalid(`${at}.content`, "Reasoning items must not have plaintext 'content'.");
  }
  const { type, summary, encrypted_content: content } = given;
  if (content) {
    const { id } = unseal(content, bearer, given.id ?? null);
    return { type, id, summary, encrypted_content: content } satisfies ReasoningItem;
  }
  const id = given.id ?? "";
  return memory.findItem(bearer, id) ?? refuseUnknown(id);
}

function refuseUnknown(id: string): never {
  const rule = "Items are not persisted when `store` is set to false.";
  const message = `Item with id '${id}' not found. ${rule}`;
  throw new Refusal(400, { message, param: "input", code: "invalid_encrypted_content" });
}
