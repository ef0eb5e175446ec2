// The imgF routes: the dialect's number and words, beside envelope A. Its vendors answer every
// failure with 200; here the status says what went wrong as on all other routes, since clients
// must see that their key, their money or their pace is at fault. Only a prompt that a vendor does
// not take is the dialect's own answer, and comes as such.
import type { GatewayError } from "../../core/errors.ts";
import type { Written } from "./envelope.ts";
import { statusOf } from "./status.ts";

/** Everything that the dialect has no number for is its plain failure. */
const failed = 9;
const byStatus: ReadonlyMap<number, number> = new Map([
  [404, 3],
  [400, 4],
  [409, 4],
  [413, 4],
  [415, 4],
  [422, 4],
  [429, 23],
]);
const banned = 24;

export function envelopeImgF(error: GatewayError): Written {
  const { message, type, param, shownCode } = error;
  const isBanned = shownCode === "content_policy_violation";
  const status = statusOf(error);
  const body = {
    code: isBanned ? banned : (byStatus.get(status) ?? failed),
    description: message,
    properties: param === null ? {} : { param },
    error: { message, type, param, code: shownCode },
  };
  return { status: isBanned ? 200 : status, body: JSON.stringify(body) };
}
