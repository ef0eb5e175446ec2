// The OpenAI wire, spoken by more than one kind of upstream: its address, its credential, and its
// errors, which read `{error: {message, type, param, code}}`.
import { isObject, type Json } from "../core/json.ts";
import type { Fault, TextFacet } from "./upstream.ts";

export const openaiText: TextFacet = {
  formats: ["chat", "completions"],
  // Operators paste a base URL with and without the version.
  address: (format, { baseUrl, key, headers }) => ({
    url: baseUrl.replace(/\/(v1\/?)?$/, "") + format.path,
    headers: { ...headers, authorization: `Bearer ${key}` },
  }),
};

/** Codes that say the account behind the key is spent or barred, not that the vendor is busy. */
const spentCodes = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "account_deactivated",
]);
const requestStatuses = new Set([400, 409, 413, 415, 422]);

export function readOpenaiFault(status: number, headers: Headers, body: Json): Fault {
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : {};
  const message = text(error["message"]) ?? `the upstream answered with status ${status}`;
  const code = text(error["code"]);
  if (status === 401 || status === 403) return { blame: "key", message };
  if (status === 402 || (code !== null && spentCodes.has(code))) return { blame: "key", message };
  if (status === 429) return { blame: "load", message, retryAfterSeconds: retryAfter(headers) };
  if (!requestStatuses.has(status)) return { blame: "channel", message };
  const type = text(error["type"]) ?? "invalid_request_error";
  return { blame: "request", status, type, code, param: text(error["param"]), message };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function retryAfter(headers: Headers): number | null {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 60) : null;
}
