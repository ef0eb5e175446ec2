// An error that a vendor tells after it has said 200: in an event of a stream, as bare JSON behind
// or in place of the events, or as a whole body. Its status is what it says itself.
import { isObject, parseJson, type Json, type JsonObject } from "../../core/json.ts";
import type { VendorWords } from "../../core/errors.ts";
import { errorIn, holderIn } from "../../upstreams/error-body.ts";
import type { Conceal } from "../conceal.ts";

interface ToldError {
  status: number;
  message: string;
  /** The body, for the vendor's own reader of faults. */
  body: Json;
}

/** Names that vendors have for a status; what none of them says is the vendor's own failure. */
const statusesByName: ReadonlyMap<unknown, number> = new Map([
  ["invalid_request_error", 400],
  ["INVALID_ARGUMENT", 400],
  ["FAILED_PRECONDITION", 400],
  ["authentication_error", 401],
  ["UNAUTHENTICATED", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["PERMISSION_DENIED", 403],
  ["not_found_error", 404],
  ["NOT_FOUND", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["RESOURCE_EXHAUSTED", 429],
  ["UNAVAILABLE", 503],
  ["overloaded_error", 529],
]);

/** Null when it is not the JSON of an error. */
export function readToldError(event: Json | string): ToldError | null {
  const body = typeof event === "string" ? parseOrNull(event) : event;
  const holder = holderIn(body);
  const error = holder && errorIn(holder);
  if (!holder || !error) return null;
  const { message } = error;
  return {
    status: statusIn(error) ?? statusIn(holder) ?? 500,
    message: typeof message === "string" && message !== "" ? message : unexplained,
    body: { error },
  };
}

const unexplained = "the upstream reported an error";

function statusIn({ code, status, type }: JsonObject): number | null {
  for (const value of [code, status]) {
    const number = Number(value);
    if (Number.isInteger(number) && number >= 400 && number <= 599) return number;
  }
  for (const name of [type, status, code]) {
    const known = statusesByName.get(name);
    if (known !== undefined) return known;
  }
  return null;
}

/** The part a client amid a stream reads besides its words. */
export function shownOf({ status, body }: ToldError, conceal: Conceal): VendorWords {
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : {};
  const { type, code } = error;
  return {
    upstreamStatus: status,
    type: typeof type === "string" ? conceal(type) : typeOf(status),
    code: code === undefined || code === null ? null : conceal(String(code)),
  };
}

function typeOf(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

function parseOrNull(text: string): Json {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    return null;
  }
}
