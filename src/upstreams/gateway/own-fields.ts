// Fields of a client's body that are for this gateway alone.
import type { JsonObject } from "../../core/json.ts";

/** Fields of receivers that we tell of the end ourselves. */
const ownFields = new Set(["webhook_url", "callback_url", "notify_hook"]);

export function withoutOwn(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !ownFields.has(name)));
}
