// Frames of a socket for responses: what a client asks for in one, and an error as an event.
import { GatewayError, invalid } from "../../core/errors.ts";
import { isObject, parseJson, type JsonObject } from "../../core/json.ts";

/** The body that a POST would have; throws the 400 of a frame that asks for nothing of it. */
export function readFrame(frame: string | Uint8Array): JsonObject {
  const event = typeof frame === "string" ? parseOrNull(frame) : null;
  if (!isObject(event)) {
    throw new GatewayError("invalid_request", { message: "A frame must be text, a JSON object." });
  }
  const { type, stream: _stream, ...body } = event;
  if (type !== "response.create") throw invalid("type", "must be response.create.");
  if (body["background"] === true) throw invalid("background", "must be left out on a socket.");
  if (body["generate"] === false) throw invalid("generate", "must be left out here.");
  if (body["stream_id"] !== undefined) throw invalid("stream_id", "must be left out here.");
  return { ...body, stream: true };
}

function parseOrNull(text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    return null;
  }
}

/** An error for clients of the wire; some look for the fault at the top, some below. */
export function errorFrame(status: number, error: JsonObject, requestId: string | null): string {
  const { code = null, message = "", param = null } = error;
  const headers = requestId === null ? {} : { "x-request-id": requestId };
  const event = { type: "error", status, error, code, message, param, sequence_number: 0, headers };
  return JSON.stringify(event);
}
