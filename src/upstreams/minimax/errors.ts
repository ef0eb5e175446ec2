// MiniMax's errors read `{type: "error", error: {type, message, http_code}}`; its numbers stand
// only in the prose, so the type decides.
import type { Json } from "../../core/json.ts";
import { toFault } from "../kit/fault.ts";
import { partOf, textOf } from "../kit/vendor-reply.ts";
import type { Fault } from "../upstream.ts";

type Blame = Fault["blame"];

const contentType = "unprocessable_entity_error";
const creditType = "insufficient_balance_error";
const byType: Readonly<Record<string, Blame>> = {
  bad_request_error: "request",
  [contentType]: "request",
  authorized_error: "key",
  [creditType]: "suspect",
  rate_limit_error: "load",
  server_error: "channel",
};
const byStatus: Readonly<Record<number, Blame>> = {
  400: "request",
  401: "key",
  402: "suspect",
  403: "suspect",
  413: "request",
  415: "request",
  422: "request",
  429: "load",
};
/** Codes of a task that failed for its prompt, or for its result. */
const contentCodes = new Set(["1026", "1027"]);

export function readFault(status: number, headers: Headers, body: Json): Fault {
  const error = partOf(body, "error");
  const type = textOf(error["type"]) ?? "";
  const message = textOf(error["message"]) ?? `the upstream answered with status ${status}`;
  const named = Object.hasOwn(byType, type) ? byType[type] : undefined;
  const blame = named ?? byStatus[status] ?? "channel";
  const isContent = type === contentType;
  const isOfCredit = status === 402 || type === creditType;
  return toFault(blame, { status, headers, message, isContent, isOfCredit });
}

export function isContentCode(code: string): boolean {
  return contentCodes.has(code);
}
