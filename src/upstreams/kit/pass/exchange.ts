// Small calls that end in a grant: forms that go out, and objects that come back or a refusal that
// says whose fault it is.
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { PassCall, PassReply } from "../../../core/pass/pass.ts";
import { VendorRefusal, type Fault } from "../../upstream.ts";
import { loadFault } from "../load.ts";

export function formCall(url: string, fields: Readonly<Record<string, string>>): PassCall {
  return {
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  };
}

/** The object of an answer; throws what a refusal means. */
export function takenObject(reply: PassReply): JsonObject {
  const object = replyObject(reply.text);
  if (reply.status === 200 && object) return object;
  throw new VendorRefusal(exchangeFault(reply, object ?? {}));
}

/** The key itself is wrong, as far as it can be told before anybody is asked. */
export function unusableKey(message: string): VendorRefusal {
  return new VendorRefusal({ blame: "key", message });
}

/**
 * Words that say the credential is refused: OAuth's, and those of AWS. What else is refused may be
 * a scope, an address or a clock, and takes no key out.
 */
const keyWords = new Set([
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "access_denied",
  "AccessDenied",
  "ExpiredToken",
  "ExpiredTokenException",
  "InvalidClientTokenId",
  "InvalidIdentityToken",
  "SignatureDoesNotMatch",
  "UnrecognizedClientException",
]);
const busyWords = new Set(["temporarily_unavailable", "Throttling", "ThrottlingException"]);

export function exchangeFault(reply: PassReply, body: JsonObject): Fault {
  const { status, headers, text } = reply;
  const code = codeIn(body) ?? /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? null;
  const words = wordsIn(body) ?? /<Message>([^<]{1,500})<\/Message>/.exec(text)?.[1] ?? "";
  const about = [code, words.split("\n")[0]].filter((part) => part).join(": ");
  const message = `the key could not be exchanged: ${about === "" ? `status ${status}` : about}`;
  const heard = { httpStatus: status };
  if (status === 429 || busyWords.has(code ?? ""))
    return { ...loadFault({ status: 429, headers, message }), ...heard };
  if (status < 500 && keyWords.has(code ?? "")) return { blame: "key", message, ...heard };
  return { blame: "channel", message, ...heard };
}

function codeIn(body: JsonObject): string | null {
  const { error, Error: awsError } = body;
  for (const holder of [error, awsError]) {
    if (typeof holder === "string") return holder;
    if (!isObject(holder)) continue;
    const code = holder["status"] ?? holder["Code"] ?? holder["code"];
    if (typeof code === "string") return code;
  }
  return null;
}

function wordsIn(body: JsonObject): string | null {
  const { error, Error: awsError, error_description: description } = body;
  if (typeof description === "string") return description;
  for (const holder of [error, awsError]) {
    if (!isObject(holder)) continue;
    const words = holder["message"] ?? holder["Message"];
    if (typeof words === "string") return words;
  }
  return null;
}

/** Null where the text is none. */
export function replyObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Null where it is missing, empty or no text. */
export function partText(parts: JsonObject, name: string): string | null {
  const value = parts[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** Some write the seconds as a text. */
export function wholeSeconds(value: unknown): number | null {
  const seconds = typeof value === "string" ? Number(value) : value;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/** Life of a token whose answer does not say one, as OAuth permits. */
const lifeSecondsDefault = 3600;

/** End of a token by the seconds that its answer says it lives. */
export function tokenEndSeconds(lifeSeconds: unknown, nowSeconds: number): number {
  return nowSeconds + (wholeSeconds(lifeSeconds) ?? lifeSecondsDefault);
}

/** Seconds since 1970, of a moment that is written as a date or as those. */
export function momentIn(value: unknown): number | null {
  if (typeof value === "string" && value.includes("T")) {
    const ms = Date.parse(value);
    return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
  }
  return wholeSeconds(value);
}
