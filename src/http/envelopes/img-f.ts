// The imgF routes: the dialect's number and words, beside envelope A. Its vendors answer every
// failure with 200; here the status says what went wrong as on all other routes, since clients
// must see that their key, their money or their pace is at fault. Only a prompt that a vendor does
// not take is the dialect's own answer, and comes as such.
import type { GatewayError } from "../../core/errors.ts";
import { renderImgFRefusal } from "../../families/index.ts";
import type { Written } from "./envelope.ts";

const banned = 24;

export function envelopeImgF(error: GatewayError): Written {
  const { message, type, param, shownCode: code } = error;
  const refusal = renderImgFRefusal(error);
  const status = refusal["code"] === banned ? 200 : error.status;
  return { status, body: JSON.stringify({ ...refusal, error: { message, type, param, code } }) };
}
