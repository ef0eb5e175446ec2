// Bedrock's exceptions: what each means, by the name that the vendor gives it in a header, in a
// body, or in a frame, there with a small first letter.
import type { Fault } from "../upstream.ts";

interface Meaning {
  blame: Fault["blame"];
  /** Anthropic's word for the like, for whoever reads it on that wire. */
  word: string;
}

const request: Meaning = { blame: "request", word: "invalid_request_error" };
const load: Meaning = { blame: "load", word: "rate_limit_error" };
const channel: Meaning = { blame: "channel", word: "api_error" };
const key: Meaning = { blame: "key", word: "authentication_error" };

/** Names in small letters, without the word behind them. */
const meanings: ReadonlyMap<string, Meaning> = new Map([
  ["validation", request],
  ["conflict", request],
  ["throttling", load],
  ["toomanyrequests", load],
  ["modelnotready", load],
  // It comes with the status of a bad request.
  ["servicequotaexceeded", load],
  ["serviceunavailable", { blame: "channel", word: "overloaded_error" }],
  ["internalserver", channel],
  ["internalfailure", channel],
  ["modeltimeout", channel],
  ["modelerror", channel],
  ["modelstreamerror", channel],
  ["resourcenotfound", { blame: "channel", word: "not_found_error" }],
  ["unknownoperation", { blame: "channel", word: "not_found_error" }],
  ["accessdenied", { blame: "suspect", word: "permission_error" }],
  ["unrecognizedclient", key],
  ["invalidsignature", key],
  ["invalidclienttokenid", key],
  ["signaturedoesnotmatch", key],
  ["missingauthenticationtoken", key],
  ["incompletesignature", key],
  ["expiredtoken", key],
  // The machine's clock is wrong: another key would fare no better.
  ["requestexpired", channel],
]);

/** Null for a name that nobody knows. */
export function meaningOf(exception: string): Meaning | null {
  return meanings.get(exception.toLowerCase().replace(/(?:exception|error)$/, "")) ?? null;
}

export function wordFor(exception: string): string {
  return meaningOf(exception)?.word ?? channel.word;
}
