// What stands behind the last blank line of a stream that has closed.
import { isObject } from "../../core/json.ts";
import type { SseBlock, SseSplitter } from "../../core/sse.ts";

/** Null where nothing stands there, or only the beginning of an event. */
export function lastBlock(splitter: SseSplitter): SseBlock | null {
  const block = splitter.rest();
  const events = block?.events ?? [];
  return events.length > 0 && events.every(({ data }) => isReadable(data)) ? block : null;
}

function isReadable(data: string): boolean {
  if (data === "[DONE]") return true;
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) || Array.isArray(value);
  } catch {
    return false;
  }
}
