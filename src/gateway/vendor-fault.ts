// The meaning of a vendor's error for the attempt, and its words without what they must not tell.
import { GatewayError } from "../core/errors.ts";
import type { Fault, LoadFault, TokenLimits } from "../upstreams/upstream.ts";
import type { Attempt } from "./attempt.ts";
import type { Wording } from "./conceal.ts";

/** The most tokens that a request can have asked for. */
export interface AskedTokens {
  input: number;
  output: number;
}

/** `asked` where it is counted in tokens. */
export function toAttempt(
  vendorFault: Fault,
  tell: Wording,
  askedTokens: AskedTokens | null = null,
): Attempt<never> {
  const cause = tell.operator(vendorFault.message);
  const attempt = judge(concealed(vendorFault, tell), askedTokens, cause);
  const { httpStatus, vendorRequestId } = vendorFault;
  if (httpStatus === undefined) return attempt;
  const heard = { ...attempt, vendorStatus: httpStatus };
  return vendorRequestId === undefined ? heard : { ...heard, vendorRequestId };
}

/** `cause` has the vendor's words as operators read them. */
function judge(fault: Fault, askedTokens: AskedTokens | null, cause: string): Attempt<never> {
  const { message } = fault;
  switch (fault.blame) {
    case "request": {
      const { status, type, code, param } = fault;
      const isTooLarge = status === 413;
      const shown = { upstreamStatus: status, type, code: isTooLarge ? tooLargeCode : code };
      const words = { vendorMessage: message, shown, cause };
      const details = param === null ? words : { ...words, param };
      return { kind: "refused", error: new GatewayError("upstream_refused", details) };
    }
    case "key":
      // The vendor's words may name the key or the account behind it: they are for the log alone.
      return { ...failed(new GatewayError("bad_response", { cause })), blame: "key" };
    case "suspect": {
      const { isOfCredit } = fault;
      const error = new GatewayError("bad_response", { cause });
      return { kind: "failed", blame: "suspect", isOfCredit, error };
    }
    case "size":
      return tooLarge(fault, fault.status, cause);
    case "load": {
      if (askedTokens && fault.limits && isLarger(askedTokens, fault.limits))
        return tooLarge(fault, 429, cause);
      const retryAfterSeconds = restSeconds(fault.retryAfterSeconds);
      const error = new GatewayError("too_many_requests", { retryAfterSeconds, cause });
      const { isOfAccount = false } = fault;
      return {
        kind: "failed",
        blame: "load",
        error,
        restMs: retryAfterSeconds * 1000,
        isOfAccount,
      };
    }
    case "channel":
      return failed(new GatewayError("bad_response", { cause }));
  }
}

/** The code of every 413, whoever finds the body too large. */
const tooLargeCode = "request_body_too_large";

function restSeconds(restMs: number | null): number {
  return Math.max(1, Math.ceil(restMs ?? 1));
}

/** No rest would help, so nothing rests: the client reads what is wrong with its request. */
function tooLarge(
  { retryAfterSeconds, message }: Pick<LoadFault, "retryAfterSeconds" | "message">,
  upstreamStatus: number,
  cause: string,
): Attempt<never> {
  const code = upstreamStatus === 413 ? tooLargeCode : "request_too_large";
  const shown = { upstreamStatus, type: "rate_limit_error", code };
  const words = message.replace(vendorAccount, "[account]");
  return {
    kind: "failed",
    blame: "size",
    error: new GatewayError("upstream_refused", {
      vendorMessage: words,
      shown,
      cause,
      retryAfterSeconds: restSeconds(retryAfterSeconds),
    }),
  };
}

/** Vendors like to name the account behind the key when they speak of its limits. */
const vendorAccount = /\b(?:org|proj|project|user|acct)[-_][\w-]+/gi;

function isLarger({ input, output }: AskedTokens, limits: TokenLimits): boolean {
  const isOver = (tokens: number, limit: number | null) => limit !== null && tokens > limit;
  return (
    isOver(input, limits.input) ||
    isOver(output, limits.output) ||
    isOver(input + output, limits.total)
  );
}

/** A vendor may say anything in any field. */
function concealed(fault: Fault, { client: conceal }: Wording): Fault {
  const message = conceal(fault.message);
  if (fault.blame !== "request") return { ...fault, message };
  const { type, code, param } = fault;
  return {
    ...fault,
    message,
    type: conceal(type),
    code: code && conceal(code),
    param: param && conceal(param),
  };
}

export function failed(error: GatewayError): Extract<Attempt<never>, { kind: "failed" }> {
  return { kind: "failed", blame: "channel", error };
}
