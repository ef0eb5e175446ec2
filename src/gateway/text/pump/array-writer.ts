// Writes events as one JSON array, for clients of Google's wire that ask for JSON.
import type { GatewayError } from "../../../core/errors.ts";
import { readEvents } from "../../../core/sse.ts";
import type { EventWriter } from "./event-writer.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class ArrayWriter implements EventWriter {
  readonly contentType = "application/json";
  #isOpen = false;

  write(events: Uint8Array, isEnd: boolean): Uint8Array {
    let text = "";
    for (const { data } of readEvents(decoder.decode(events))) {
      text += (this.#isOpen ? ",\n" : "[") + data;
      this.#isOpen = true;
    }
    if (isEnd) text += this.#isOpen ? "\n]" : "[]";
    return encoder.encode(text);
  }

  /** The error's event is the array's last element. */
  fail(_error: GatewayError, event: Uint8Array): Uint8Array {
    return this.write(event, true);
  }
}
