// Errors on the OpenAI wire, `{error: {message, type, param, code}}`, and the other two envelopes
// that gateways use on the routes of other formats: Anthropic's, which has `type: "error"` around
// it, and Google's, whose code is a number.
import { loadFault } from "./kit/load.ts";
import { retryAfter, retryDelay } from "./kit/rest.ts";
import { suspectFault } from "./kit/suspect.ts";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import type { Fault } from "./upstream.ts";

/** Codes that say the key is no good, or the account behind it barred. */
const keyCodes = new Set(["invalid_api_key", "account_deactivated"]);
/** The account is spent, not the vendor busy; under 402 it may be too little for this request. */
const spentCodes = new Set(["insufficient_quota", "billing_hard_limit_reached"]);
/** The channel has a key that was never meant for this, and is good for the rest. */
const scopeCode = "missing_scope";
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
  const type = text(own["type"]) ?? "invalid_request_error";
  if (code === scopeCode) return { blame: "channel", message };
  if (isKeyFault(status, code, details)) return { blame: "key", message };
  const suspect = suspectFault(status, message);
  if (suspect) return suspect;
  if (status === 429 || (status === 413 && type === "tokens")) {
    const retryAfterSeconds = retryAfter(headers) ?? retryDelay(details);
    return loadFault({ status, headers, message, names: [type, code], details, retryAfterSeconds });
  }
  if (!requestStatuses.has(status)) return { blame: "channel", message };
  return { blame: "request", status, type, code, param: text(own["param"]), message };
}

function isKeyFault(status: number, code: string | null, details: readonly JsonObject[]): boolean {
  if (status === 401 || keyCodes.has(code ?? "")) return true;
  if (spentCodes.has(code ?? "")) return status !== 402 && status !== 403;
  return details.some(({ reason }) => reason === refusedKeyReason);
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
