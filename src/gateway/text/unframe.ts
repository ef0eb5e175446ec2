// A stream of binary frames as server-sent events, for pumps that read those alone. What breaks the
// framing breaks the stream: a frame with a wrong checksum, and one that never ended, whatever came
// before it.
import { FrameSplitter, type EventFrame } from "../../core/frames/event-stream.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Chunk, OutboundReply } from "../../core/outbound.ts";
import { encodeEvent, joinBytes } from "../../core/sse.ts";
import type { TextFacet } from "../../upstreams/upstream.ts";
import { isEventStream } from "../stream/pump.ts";

/** Events as they come. */
export type EventSource = Pick<OutboundReply, "take">;

/** Null when the reply is no stream of events. */
export function eventsOf(reply: OutboundReply, { readFrame }: TextFacet): EventSource | null {
  if (isEventStream(reply)) return reply;
  const isFramed = reply.mediaType.includes("application/vnd.amazon.eventstream");
  return isFramed && readFrame ? new Unframed(reply, readFrame) : null;
}

class Unframed implements EventSource {
  readonly #reply: EventSource;
  readonly #readFrame: NonNullable<TextFacet["readFrame"]>;
  readonly #splitter = new FrameSplitter();

  constructor(reply: EventSource, readFrame: NonNullable<TextFacet["readFrame"]>) {
    this.#reply = reply;
    this.#readFrame = readFrame;
  }

  take(ready: () => void): Chunk | undefined {
    for (;;) {
      const { fault } = this.#splitter;
      if (fault !== null) throw broken(fault);
      const chunk = this.#reply.take(ready);
      if (!chunk) return undefined;
      if (!chunk.value) return this.#end(chunk);
      const frames = this.#splitter.push(chunk.value);
      if (frames.length > 0) return { value: this.#toEvents(frames) };
    }
  }

  #end(chunk: Chunk): Chunk {
    if (this.#splitter.pendingBytes > 0) throw broken("the stream ended in the midst of a frame");
    return chunk;
  }

  #toEvents(frames: readonly EventFrame[]): Uint8Array {
    const events = frames.map((frame) => {
      const { event, data } = this.#readFrame(frame);
      return encodeEvent(data, event ?? undefined);
    });
    const [only] = events;
    return only && events.length === 1 ? only : joinBytes(events);
  }
}

function broken(cause: string): GatewayError {
  return new GatewayError("bad_response_body", { cause });
}
