// Calls on a stored response: reading it, reading what it answered, deleting it, and trying to
// cancel it.
import { invalid } from "../check.ts";
import { Refusal } from "../errors.ts";
import { renderItem } from "./items.ts";
import type { ResponseMemory, StoredResponse } from "./memory.ts";

/** The responses of one key. */
interface Shelf {
  bearer: string;
  memory: ResponseMemory;
}

const defaultLimit = 20;
const limitMax = 100;

export function getResponse(shelf: Shelf, id: string): object {
  return find(shelf, id).response;
}

export function deleteResponse({ bearer, memory }: Shelf, id: string): object {
  if (!memory.forget(bearer, id)) throw unknownResponse(id);
  return { id, object: "response", deleted: true };
}

/** Only work in the background can be cancelled, and here none is. */
export function cancelResponse(shelf: Shelf, id: string): never {
  find(shelf, id);
  throw new Refusal(400, { message: "Cannot cancel a synchronous response." });
}

export function listInputItems(shelf: Shelf, id: string, query: URLSearchParams): object {
  const limit = Number(query.get("limit") ?? defaultLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw invalid("limit", `Invalid 'limit': expected an integer from 1 to ${limitMax}.`);
  }
  const { input } = find(shelf, id);
  const ordered = query.get("order") === "asc" ? input : input.toReversed();
  const after = query.get("after");
  const from = after === null ? 0 : ordered.findIndex((item) => item.id === after) + 1;
  if (after !== null && from === 0) throw invalid("after", `No item '${after}' in this list.`);
  const page = ordered.slice(from, from + limit);
  return {
    object: "list",
    data: page.map(renderItem),
    first_id: page.at(0)?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  };
}

function find({ bearer, memory }: Shelf, id: string): StoredResponse {
  const stored = memory.get(bearer, id);
  if (!stored) throw unknownResponse(id);
  return stored;
}

function unknownResponse(id: string): Refusal {
  return new Refusal(404, { message: `Response with id '${id}' not found.`, code: null });
}
