// Things that chat has no field of its own for, and where they are written nevertheless: marks of
// the prompt's cache, signatures of calls, and the failure of a tool.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { CacheMark, ResultPart } from "../exchange.ts";
import { readText } from "../kit/openai-exchange.ts";

/** The vendor's own mark, or the one that clients of many resellers write. */
export function readCacheMark(holder: JsonObject): CacheMark | null {
  const mark = holder["cache_control"] ?? holder["prompt_cache_breakpoint"];
  if (!isObject(mark)) return null;
  const { ttl } = mark;
  return { ttl: ttl === "5m" || ttl === "1h" ? ttl : null };
}

/** Google's signature of a call, where its own chat endpoint has it. */
export function readSignature({ extra_content: extra }: JsonObject): string | null {
  const google = isObject(extra) ? extra["google"] : null;
  return isObject(google) ? readText(google["thought_signature"]) : null;
}

export function encodeSignature(signature: string): JsonObject {
  return { google: { thought_signature: signature } };
}

/** The first line of the result of a tool that failed. */
const marker = "[tool error]";

export function markError(text: string): string {
  return text === "" ? marker : `${marker}\n${text}`;
}

export function readError(content: ResultPart["content"]): Pick<ResultPart, "content" | "isError"> {
  const [first, ...rest] = content;
  if (first?.kind !== "text") return { content, isError: false };
  if (first.text === marker) return { content: rest, isError: true };
  if (!first.text.startsWith(`${marker}\n`)) return { content, isError: false };
  const text = first.text.slice(marker.length + 1);
  return { content: [{ ...first, text }, ...rest], isError: true };
}
