// Objects of a channel, as they are typed.
import { readNames } from "../../core/amounts.ts";

/** One a line, but an object that was pasted with its line breaks is one. */
export function readKeys(text: string): string[] {
  const isObject = text.trim().startsWith("{") && typeof readObject(text) === "object";
  if (isObject) return [text.trim()];
  return text
    .split("\n")
    .flatMap((line) => (line.trim().startsWith("{") ? [line.trim()] : readNames(line)));
}

/** Text that is no object stays text, for the gateway to refuse. */
export function readObject(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
