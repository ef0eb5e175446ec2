// Errors on the OpenAI wire, `{error: {message, type, param, code}}`, and the other two envelopes
// that gateways use on the routes of other formats: Anthropic's, which has `type: "error"` around
// it, and Google's, whose code is a number.
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { errorIn, holderIn } from "./error-body.ts";
import { toFault } from "./kit/fault.ts";
import { loadFault } from "./kit/load.ts";
import { retryAfter, retryDelay } from "./kit/rest.ts";
import { suspectFault } from "./kit/suspect.ts";
import type { Fault } from "./upstream.ts";
import { meaningOf, type FaultMeaning } from "./vendor-words.ts";

/** Codes that say the key is no good, or the account behind it barred. */
const keyCodes = new Set(["invalid_api_key", "account_deactivated"]);
/** The account is spent, not the vendor busy; under 402 it may be too little for this request. */
const spentCodes = new Set(["insufficient_quota", "billing_hard_limit_reached"]);
/** The channel has a key that was never meant for this, and is good for the rest. */
const scopeCode = "missing_scope";
const requestStatuses = new Set([400, 409, 413, 415, 422]);
/** Google refuses a key with the status of a wrong request. */
const refusedKeyReason = "API_KEY_INVALID";

export function readOpenaiFault(
  status: number,
  headers: Headers,
  body: Json,
  baseUrl?: string,
): Fault {
  const holder = holderIn(body);
  const error = (holder && errorIn(holder)) ?? {};
  const details = detailsOf(error);
  const findings = holder?.["detail"] ?? error["message"];
  const words = text(error["message"]) ?? validatorWords(findings);
  const message = words ?? `the upstream answered with status ${status}`;
  // Google's envelope has no place for these, so a gateway puts its own among the details.
  const own = typeof error["code"] === "number" ? (details.find(isOwn) ?? {}) : error;
  const code = text(own["code"]);
  const type = text(own["type"]) ?? "invalid_request_error";
  const meaning = meaningOf([code, type], baseUrl);
  if (meaning) return meantFault(meaning, { status, headers, message });
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

interface Told {
  status: number;
  headers: Headers;
  message: string;
}

/** The fault that a vendor's own word means, whatever its status. */
function meantFault(meaning: FaultMeaning, { status, headers, message }: Told): Fault {
  switch (meaning) {
    case "credit":
      return { blame: "suspect", isOfCredit: true, message };
    case "size":
      return { blame: "size", status: 413, message, retryAfterSeconds: null };
    case "content":
      return toFault("request", { status: 400, headers, message, isContent: true });
    case "account-load": {
      const fault = toFault("load", { status, headers, message, isContent: false });
      return fault.blame === "load" ? { ...fault, isOfAccount: true } : fault;
    }
    case "load":
    case "channel":
      return toFault(meaning, { status, headers, message, isContent: false });
  }
}

/** The first finding of a validator in Python, as Mistral and small servers pass it on. */
function validatorWords(findings: Json | undefined): string | null {
  const listed = isObject(findings) ? findings["detail"] : findings;
  const first = Array.isArray(listed) ? listed[0] : null;
  if (!isObject(first)) return null;
  const words = text(first["msg"]);
  const place = Array.isArray(first["loc"]) ? first["loc"].join(".") : "";
  return words === null ? null : `${place === "" ? "" : `${place}: `}${words}`;
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
