// Google's errors read `{error: {code, message, status, details}}`. What matters is the status by
// name and, inside the details, a reason and a time to wait.
import { loadFault } from "../load.ts";
import { retryDelay } from "../rest.ts";
import { suspectFault } from "../suspect.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Fault } from "../../upstream.ts";

/** A bad key, or an account that may not call; some come with the status of a bad request. */
const keyReasons = new Set([
  "API_KEY_INVALID",
  "API_KEY_SERVICE_BLOCKED",
  "BILLING_DISABLED",
  "CONSUMER_INVALID",
  "CONSUMER_SUSPENDED",
  "SERVICE_DISABLED",
]);
const requestHttpStatuses = new Set([400, 413, 415, 422]);

export function readGoogleFault(status: number, headers: Headers, body: Json): Fault {
  const error = errorOf(body);
  const details = Array.isArray(error["details"]) ? error["details"].filter(isObject) : [];
  const name = text(error["status"]) ?? "";
  const message = text(error["message"]) ?? `the upstream answered with status ${status}`;
  if (isKeyFault(details) || status === 401 || name === "UNAUTHENTICATED") {
    return { blame: "key", message };
  }
  // Also said of a file that is another account's.
  const suspect = suspectFault(name === "PERMISSION_DENIED" ? 403 : status, message);
  if (suspect) return suspect;
  if (status === 429 || name === "RESOURCE_EXHAUSTED") {
    const retryAfterSeconds = retryDelay(details);
    return loadFault({ status, headers, message, details, retryAfterSeconds });
  }
  if (!requestHttpStatuses.has(status)) return { blame: "channel", message };
  const type = "invalid_request_error";
  return { blame: "request", status, type, code: null, param: null, message };
}

/** Some of its routes wrap an error in a list. */
function errorOf(body: Json): JsonObject {
  const holder = Array.isArray(body) ? body[0] : body;
  return isObject(holder) && isObject(holder["error"]) ? holder["error"] : {};
}

function isKeyFault(details: readonly JsonObject[]): boolean {
  return details.some(({ reason }) => typeof reason === "string" && keyReasons.has(reason));
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
