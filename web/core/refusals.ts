// Meaning of a refusal to the person who meets it, by its code. The gateway's own message is for
// programs; it is shown where a code has no words here, or where it says more than they do.
import type { ApiError } from "./api.ts";
import { words } from "./words.ts";

export const t = words("frame", "refusals", {
  passkey_cancelled: "The passkey was not used. Try again, or use another method.",
  second_factor_required:
    "Your account requires two-factor authentication. Set it up under Account.",
  provider_refused: "The other site did not confirm who you are.",
  invalid_state: "This sign-in expired or was started elsewhere. Please start again.",
  offline: "The gateway is not responding. Check your connection; we retry automatically.",
  bad_answer: "The gateway's response could not be read. A proxy in between may be the cause.",
  invalid_api_key: "Your session has ended. Sign in again.",
  invalid_credentials: "Wrong username or password.",
  permission_denied: "Your account does not have permission to do this.",
  not_found: "Not found, or no longer available.",
  conflict: "Already in use, or changed by someone else in the meantime.",
  rate_limit_exceeded: "Too many attempts. Wait a minute, then try again.",
  overloaded: "The gateway is too busy right now. Try again in a moment.",
  insufficient_quota: "Not enough balance for this.",
  insufficient_user_quota: "The account does not have enough balance for this.",
  task_not_finished: "The task is still running, and its vendor cannot stop it.",
  stopped: "Stopped.",
  request_body_too_large: "The file is too large.",
  server_error: "Something went wrong in the gateway. Look up the request ID in its log.",
  values: {
    name: "1 to 64 letters or digits, spaces within, or . _ - ' ( ) & + # @",
    username: "1 to 64 of A to Z, a to z, 0 to 9 or . _ - @",
  },
});

/** The gateway's words for a code that has many causes, where it tells none of them. */
const unspecific: Readonly<Record<string, string>> = {
  permission_denied: "This account may not do that.",
};

export function refusalText({ code, message, param }: ApiError): string {
  const { values, ...byCode } = t();
  const known: Record<string, string> = byCode;
  const spelling: Record<string, string> = values;
  if (code === "invalid_request" && param !== null && spelling[param]) return spelling[param];
  const plain = code === null ? undefined : unspecific[code];
  if (plain !== undefined && message !== "" && message !== plain) return message;
  const text = code === null ? undefined : known[code];
  return text ?? (message === "" ? (code ?? "") : message);
}
