// Ark's errors read `{error: {code, message, param, type}}`; the code is a word, with details
// behind a dot.
import type { Json } from "../../core/json.ts";
import { partOf, textOf } from "../kit/vendor-reply.ts";
import { loadFault } from "../kit/load.ts";
import { suspectFault } from "../kit/suspect.ts";
import type { Fault } from "../upstream.ts";

const requestStatuses = new Set([400, 413, 415, 422]);
/** An account that is barred or in arrears, whatever status comes with it. */
const keyCodes = new Set(["AuthenticationError", "AccountOverdueError"]);
const contentCode = /SensitiveContentDetected(?:\.|$)/;

export function readFault(status: number, headers: Headers, body: Json): Fault {
  const error = partOf(body, "error");
  const code = textOf(error["code"]);
  const message = textOf(error["message"]) ?? `the upstream answered with status ${status}`;
  if (status === 401 || keyCodes.has(code ?? "")) return { blame: "key", message };
  const suspect = suspectFault(status, message);
  if (suspect) return suspect;
  if (status === 429) return loadFault({ status, headers, message, names: [code] });
  if (!requestStatuses.has(status)) return { blame: "channel", message };
  const shown = code !== null && isContentCode(code) ? "content_policy_violation" : code;
  const param = textOf(error["param"]);
  const type = "invalid_request_error";
  return { blame: "request", status, type, code: shown, param, message };
}

export function isContentCode(code: string): boolean {
  return contentCode.test(code);
}
