// What a vendor's error means for the attempt, and its words without what they must not tell.
import { GatewayError } from "../core/errors.ts";
import { scrub } from "../core/log.ts";
import type { Fault } from "../upstreams/upstream.ts";
import type { Attempt } from "./attempt.ts";

/** Takes credentials out of a vendor's words. */
export type Conceal = (text: string) => string;

const keyCharactersMin = 8;

/** A key and its parts go by their texts, whatever they look like, unless they may be words. */
export function concealer(key: string): Conceal {
  return (text) => {
    const secrets = [key, ...key.split(/[ :]/)].filter((part) => part.length >= keyCharactersMin);
    return scrub(secrets.reduce((left, one) => left.replaceAll(one, "[secret]"), text));
  };
}

export function toAttempt(told: Fault, conceal: Conceal): Attempt<never> {
  const fault = concealed(told, conceal);
  const { message } = fault;
  switch (fault.blame) {
    case "request": {
      const { status, type, code, param } = fault;
      const shown = { upstreamStatus: status, type, code };
      const details = param === null ? { message, shown } : { message, shown, param };
      return { kind: "refused", error: new GatewayError("upstream_refused", details) };
    }
    case "key":
      // The vendor's words may name the key or the account behind it: they are for the log alone.
      return { ...failed(new GatewayError("bad_response", { cause: message })), blame: "key" };
    case "load": {
      const retryAfterSeconds = Math.max(1, Math.ceil(fault.retryAfterSeconds ?? 1));
      const error = new GatewayError("too_many_requests", { retryAfterSeconds });
      return { ...failed(error), blame: "load", restMs: retryAfterSeconds * 1000 };
    }
    case "channel":
      return failed(new GatewayError("bad_response", { cause: message }));
  }
}

/** A vendor may say anything in any field. */
function concealed(fault: Fault, conceal: Conceal): Fault {
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
