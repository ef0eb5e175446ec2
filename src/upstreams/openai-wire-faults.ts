// Errors on the OpenAI wire, `{error: {message, type, param, code}}`, and the other two envelopes
// that gateways use on the routes of other formats: Anthropic's, which has `type: "error"` around
// it, and Google's, whose code is a number.
import { retryAfter, retryDelay } from "./kit/rest.ts";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import type { Fault } from "./upstream.ts";

/** Codes that say the account behind the key is spent or barred, not that the vendor is busy. */
const spentCodes = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "account_deactivated",
]);
const requestStatuses = new Set([400, 409, 413, 415, 422]);
/** Google refuses a key with the status of a wrong request. */
const refusedKeyReason = "API_KEY_INVALID";

export function readOpenaiFault(status: number, headers: Headers, body: Json): Fault {
  const error = errorOf(body);
  const details = detailsOf(error);
  const message = text(error["message"]) ?? `the upstream answered with status ${status}`;
  // Google's envelope has no place for these, so a gateway puts its own among the details.
  const own = typeof error["code"] === "number" ? (details.find(isOwn) ?? {}) : error;
  const code = text(own["code"]);
  if (status === 401 || status === 402 || status === 403) return { blame: "key", message };
  if (code !== null && spentCodes.has(code)) return { blame: "key", message };
  if (details.some(({ reason }) => reason === refusedKeyReason)) return { blame: "key", message };
  if (status === 429) {
    const retryAfterSeconds = retryAfter(headers) ?? retryDelay(details);
    return { blame: "load", message, retryAfterSeconds };
  }
  if (!requestStatuses.has(status)) return { blame: "channel", message };
  const type = text(own["type"]) ?? "invalid_request_error";
  return { blame: "request", status, type, code, param: text(own["param"]), message };
}

/** Google wraps an error in a list on some of its routes. */
function errorOf(body: Json): JsonObject {
  const holder = Array.isArray(body) ? body[0] : body;
  return isObject(holder) && isObject(holder["error"]) ? holder["error"] : {};
}

function detailsOf(error: JsonObject): JsonObject[] {
  const { details } = error;
  return Array.isArray(details) ? details.filter(isObject) : [];
}

function isOwn(detail: JsonObject): boolean {
  return typeof detail["type"] === "string";
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
