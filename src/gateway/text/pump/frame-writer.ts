// Writes events as frames of Amazon's event stream, for clients of Bedrock: each is a chunk whose
// bytes are the JSON of one event, and a failure is an exception.
import { encodeFrame } from "../../../core/frames/event-stream.ts";
import type { GatewayError } from "../../../core/errors.ts";
import { joinBytes, readEvents } from "../../../core/sse.ts";
import { bedrockStreamException } from "../bedrock-exception.ts";
import type { EventWriter } from "./event-writer.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const frameType = "application/vnd.amazon.eventstream";

const json = { ":content-type": "application/json" };
const chunk = { ":event-type": "chunk", ...json, ":message-type": "event" };

export class FrameWriter implements EventWriter {
  readonly contentType = frameType;

  /** Frames need no end: the last event says that nothing follows. */
  write(events: Uint8Array): Uint8Array {
    const frames = readEvents(decoder.decode(events)).map(({ data }) => chunkOf(data));
    return frames.length === 1 && frames[0] ? frames[0] : joinBytes(frames);
  }

  fail(error: GatewayError): Uint8Array {
    const type = bedrockStreamException(error);
    const headers = { ":exception-type": type, ...json, ":message-type": "exception" };
    return encodeFrame(headers, encoder.encode(JSON.stringify({ message: error.message })));
  }
}

function chunkOf(data: string): Uint8Array {
  const bytes = Buffer.from(data).toString("base64");
  return encodeFrame(chunk, encoder.encode(`{"bytes":"${bytes}"}`));
}

/** Stands between any two frames and says nothing: Anthropic's own event for quiet spells. */
export const pingFrame = chunkOf('{"type":"ping"}');
