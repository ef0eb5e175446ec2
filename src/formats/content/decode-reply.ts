// A whole reply is a stream of one event.
import { isObject } from "../../core/json.ts";
import type { Reply } from "../exchange.ts";
import { foldParts } from "../kit/fold.ts";
import { ContentStreamDecoder } from "./decode-stream.ts";
import { isReply } from "./observe.ts";

export function decodeContentReply(body: unknown): Reply | null {
  if (!isObject(body) || !isReply(body)) return null;
  const decoder = new ContentStreamDecoder();
  return foldParts([...decoder.take(body), ...decoder.end()]);
}
