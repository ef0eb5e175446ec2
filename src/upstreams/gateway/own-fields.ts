// Fields of a client's body that are for this gateway alone.
import type { JsonObject } from "../../core/json.ts";

/** Who is told of the end is told by us. */
const ownFields = new Set(["webhook_url", "callback_url", "notify_hook"]);

export function withoutOwn(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !ownFields.has(name)));
}
