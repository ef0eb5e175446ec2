// Anthropic's errors: `{type: "error", error: {type, message, details?: {error_code}}}`.
import { loadFault } from "../kit/load.ts";
import { suspectFault } from "../kit/suspect.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Fault } from "../upstream.ts";

/** Other gateways on this wire say so of what one request would cost. */
const statusByType = new Map([
  ["billing_error", 402],
  ["permission_error", 403],
]);
/** The account behind the key is barred or spent, though the status is another's. */
const keyCodes = new Set([
  "organization_on_hold",
  "organization_type_not_supported",
  "claude_code_key_creator_not_member",
  "enforced_spend_limit_reached",
]);
/** The account's own encryption is out of order, which may pass. */
const channelCodes = new Set(["cmek_key_disabled", "cmek_key_network_blocked"]);
const requestStatuses = new Set([400, 409, 413, 415, 422]);

/**
 * A lack of rights is said of one request, by what it names: that alone proves nothing against the
 * key. A fault that is neither the key's nor the request's is the channel's. That holds for a model
 * or address that is not found, which is how the channel is set up, and for an overloaded vendor:
 * that is none of this key's own limits, its siblings would meet the same, so another channel is
 * tried.
 */
export function readFault(status: number, headers: Headers, body: Json): Fault {
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : {};
  const type = text(error["type"]) ?? "";
  const code = codeOf(error);
  const message = text(error["message"]) ?? `the upstream answered with status ${status}`;
  if (status === 401 || type === "authentication_error" || keyCodes.has(code))
    return { blame: "key", message };
  const suspect = suspectFault(statusByType.get(type) ?? status, message);
  if (suspect) return suspect;
  if (status === 429 || type === "rate_limit_error") {
    return loadFault({ status, headers, message, names: [type, code] });
  }
  const isRequest = requestStatuses.has(status) && type !== "not_found_error";
  if (!isRequest || channelCodes.has(code)) return { blame: "channel", message };
  const blame = { type: "invalid_request_error", code: null, param: null };
  return { blame: "request", status, ...blame, message };
}

function codeOf({ details }: JsonObject): string {
  return isObject(details) ? (text(details["error_code"]) ?? "") : "";
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
