// The last response of a socket that nobody stores: the next frame may go on from it by its id, as
// it may at the vendor, for as long as the socket is open.
import { isObject, parseJson, type Json, type JsonObject } from "../../core/json.ts";
import type { SseEvent } from "../../core/sse.ts";

interface Kept {
  id: string;
  items: readonly Json[];
}

const ending = "response.completed";
const itemEnding = "response.output_item.done";

export class KeptTurns {
  readonly #bytesMax: number;
  #kept: Kept | null = null;
  /** Input of the response that is being made; null where its vendor stores it. */
  #input: readonly Json[] | null = null;
  /** Items of the response that is being made: some vendors leave them out at its end. */
  #output: Json[] = [];

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The body with all that was said before in place of its id. */
  resume(body: JsonObject): JsonObject {
    const { previous_response_id: id, ...rest } = body;
    const isKnown = this.#kept !== null && id === this.#kept.id;
    const earlier = isKnown && this.#kept ? this.#kept.items : [];
    const whole = isKnown ? { ...rest, input: [...earlier, ...itemsOf(body["input"])] } : body;
    this.#output = [];
    this.#input = body["store"] === false ? itemsOf(whole["input"]) : null;
    return whole;
  }

  /** Sees what goes to the client. */
  see({ event: name, data }: SseEvent): void {
    // Only what may end an item or the response is parsed: a stream has thousands of pieces.
    const mayEnd = (type: string) => name === type || data.includes(type);
    if (!this.#input || !(mayEnd(ending) || mayEnd(itemEnding))) return;
    const event = readEvent(data);
    const { type = name, item, response } = event;
    if (type === itemEnding && item !== undefined) this.#output.push(item);
    if (type !== ending || !isObject(response)) return;
    const { id, output } = response;
    if (typeof id !== "string" || !Array.isArray(output)) this.#kept = null;
    else this.#keep(id, [...this.#input, ...(output.length > 0 ? output : this.#output)]);
  }

  /** Items that have become too long to be said again in a frame are not kept. */
  #keep(id: string, items: readonly Json[]): void {
    this.#kept = JSON.stringify(items).length > this.#bytesMax ? null : { id, items };
  }
}

function readEvent(data: string): JsonObject {
  try {
    const event: unknown = parseJson(Buffer.from(data));
    return isObject(event) ? event : {};
  } catch {
    return {};
  }
}

function itemsOf(input: Json | undefined): readonly Json[] {
  if (Array.isArray(input)) return input;
  return typeof input === "string" ? [{ role: "user", content: input }] : [];
}
