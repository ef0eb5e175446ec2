// A call that is answered step by step: the events of a POST, as they come.
import { ApiError } from "./api.ts";
import type { Failure } from "../../src/admin/contract.ts";

/** Ends with the last event; what is refused before the first comes as a usual refusal. */
export async function callEvents<Data>(
  path: string,
  body: unknown,
  onEvent: (data: Data) => void,
): Promise<void> {
  const headers = { "content-type": "application/json" };
  const reply = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const isStream = reply.headers.get("content-type")?.startsWith("text/event-stream");
  if (!isStream || !reply.body) {
    throw new ApiError((await reply.json()) as Failure, reply.headers.get("x-request-id"));
  }
  let text = "";
  for await (const piece of pieces(reply.body)) {
    const events = (text + piece).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data:"));
      if (data !== undefined) onEvent(JSON.parse(data.slice(5)) as Data);
    }
  }
}

async function* pieces(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    yield decoder.decode(piece.value, { stream: true });
  }
}
