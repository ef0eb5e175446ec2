// The last response of a socket that nobody stores: the next frame may go on from it by its id, as
// it may at the vendor, for as long as the socket is open.
import { isObject, parseJson, type Json, type JsonObject } from "../../core/json.ts";

interface Kept {
  id: string;
  items: readonly Json[];
}

const ending = '{"type":"response.completed"';

export class KeptTurns {
  readonly #bytesMax: number;
  #kept: Kept | null = null;
  /** Input of the response that is being made; null where its vendor stores it. */
  #input: readonly Json[] | null = null;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The body with all that was said before in place of its id. */
  resume(body: JsonObject): JsonObject {
    const { previous_response_id: id, ...rest } = body;
    const isKnown = this.#kept !== null && id === this.#kept.id;
    const earlier = isKnown && this.#kept ? this.#kept.items : [];
    const whole = isKnown ? { ...rest, input: [...earlier, ...itemsOf(body["input"])] } : body;
    this.#input = body["store"] === false ? itemsOf(whole["input"]) : null;
    return whole;
  }

  /** Sees what goes to the client. */
  see(event: string): void {
    if (!this.#input || !event.startsWith(ending)) return;
    this.#kept = keptOf(event, this.#input, this.#bytesMax);
  }
}

function itemsOf(input: Json | undefined): readonly Json[] {
  if (Array.isArray(input)) return input;
  return typeof input === "string" ? [{ role: "user", content: input }] : [];
}

/** Null where it has become too long to be said again in a frame. */
function keptOf(event: string, input: readonly Json[], bytesMax: number): Kept | null {
  const completed: unknown = parseJson(Buffer.from(event));
  const response =
    isObject(completed) && isObject(completed["response"]) ? completed["response"] : {};
  const { id, output } = response;
  if (typeof id !== "string" || !Array.isArray(output)) return null;
  const items = [...input, ...output];
  return JSON.stringify(items).length > bytesMax ? null : { id, items };
}
