// Search a body for objects that a vendor keeps for one of its accounts. Done only when a request
// was refused, and rather found too often: it decides whom to suspect, and nothing else.
import { isObject, type Json } from "../../core/json.ts";

const names = new Set([
  "cachedContent",
  "cached_content",
  "container",
  "container_id",
  "fileUri",
  "file_uri",
  "file_id",
  "file_ids",
  "item_reference",
  "previous_response_id",
  "prompt_id",
  "skill_id",
  "vector_store_ids",
]);

export function namesObjects(body: Json): boolean {
  const left: (Json | undefined)[] = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (Array.isArray(value)) for (const item of value) left.push(item);
    if (!isObject(value)) continue;
    for (const [name, part] of Object.entries(value)) {
      if (names.has(name) && (part ?? null) !== null) return true;
      left.push(part);
    }
  }
  return false;
}
