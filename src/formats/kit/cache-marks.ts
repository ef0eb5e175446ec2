// Marks up to which a vendor is asked to keep a prompt. Dialects without them cache by themselves.
import type { Exchange, Part } from "../exchange.ts";

export function hasCacheMarks({ system, turns, tools }: Exchange): boolean {
  return (
    system.some(({ cache }) => cache) ||
    tools.some(({ cache }) => cache) ||
    turns.some(({ parts }) => parts.some(isMarked))
  );
}

function isMarked(part: Part): boolean {
  return "cache" in part && part.cache !== undefined;
}
