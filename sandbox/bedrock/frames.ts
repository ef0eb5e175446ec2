// Streams as Bedrock frames them, and the ways in which such a stream breaks on demand.
import { encodeFrame } from "../../src/core/frames/event-stream.ts";
import type { SseEvent } from "../../src/core/sse.ts";
import { directivesOf } from "../directives.ts";
import { exceptionFor } from "./errors.ts";

const encoder = new TextEncoder();
const paddings = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

function eventFrame(type: string, payload: object, count: number): Uint8Array {
  const p = paddings.slice(0, 3 + ((count * 7) % (paddings.length - 3)));
  const headers = {
    ":event-type": type,
    ":content-type": "application/json",
    ":message-type": "event",
  };
  return encodeFrame(headers, encoder.encode(JSON.stringify({ ...payload, p })));
}

function exceptionFrame(exception: string, message: string): Uint8Array {
  const headers = {
    ":exception-type": exception[0]?.toLowerCase() + exception.slice(1),
    ":content-type": "application/json",
    ":message-type": "exception",
  };
  return encodeFrame(headers, encoder.encode(JSON.stringify({ message })));
}

const overloaded = 503;

/** Events of Anthropic's wire, each wrapped; an error among them ends the stream. */
export function wrapEvents(events: readonly SseEvent[]): Uint8Array[] {
  return events.map(({ event, data }, at) => {
    if (event === "error")
      return exceptionFrame(exceptionFor(overloaded), "Bedrock is overloaded.");
    const bytes = Buffer.from(event === "message_stop" ? withMetrics(data) : data);
    return eventFrame("chunk", { bytes: bytes.toString("base64") }, at);
  });
}

/** The cloud's own counts, which no client of the wire knows. */
function withMetrics(data: string): string {
  const metrics = { inputTokenCount: 1, outputTokenCount: 1, invocationLatency: 5 };
  return data.replace(/\}$/, `,"amazon-bedrock-invocationMetrics":${JSON.stringify(metrics)}}`);
}

export function frameAll(events: readonly (readonly [type: string, payload: object])[]) {
  return events.map(([type, payload], at) => eventFrame(type, payload, at));
}

/** Frames with what the prompt asks for: an exception, a torn one, or one with a flipped bit. */
export function broken(frames: Uint8Array[], text: string, key: string): Uint8Array[] {
  const names = new Set(directivesOf(text, key).map(({ name }) => name));
  const middle = Math.floor(frames.length / 2);
  if (names.has("throttle-midst")) {
    const exception = exceptionFrame("throttlingException", "Too many tokens, please wait.");
    return [...frames.slice(0, middle), exception];
  }
  if (names.has("throttle-first")) {
    return [exceptionFrame("throttlingException", "Too many requests, please wait.")];
  }
  const last = frames.at(-1) ?? new Uint8Array(0);
  if (names.has("torn-frame")) return [...frames.slice(0, -1), last.slice(0, -5)];
  if (!names.has("wrong-crc")) return frames;
  return frames.map((frame, at) => (at === middle ? flipped(frame) : frame));
}

function flipped(frame: Uint8Array): Uint8Array {
  const wrong = frame.slice();
  const at = wrong.length - 8;
  wrong[at] = (wrong[at] ?? 0) ^ 1;
  return wrong;
}
