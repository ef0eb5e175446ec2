// Guards against CSRF: browsers send cookies along whoever wrote the page. What changes something
// with a cookie must come from a page of the same origin, in a shape that no link or form can have.
import { GatewayError } from "../../core/errors.ts";
import { isJsonType } from "../body.ts";
import { isOwnOrigin, type OriginRules } from "./origin.ts";

/** For a change by cookie: the browser has to say where it comes from. */
export function assertOwnPage(headers: Headers, rules: OriginRules): void {
  const isSaid = headers.has("origin") || headers.get("sec-fetch-site") === "same-origin";
  if (!isSaid || isFromElsewhere(headers, rules)) throw new GatewayError("cross_site_request");
  assertDeliberate(headers);
}

/** For signing in, which programs without an origin may do as well. */
export function assertNoOtherPage(headers: Headers, rules: OriginRules): void {
  if (isFromElsewhere(headers, rules)) throw new GatewayError("cross_site_request");
  assertDeliberate(headers);
}

/** For a plain link that begins to sign in; for one who is signed in, it begins a change. */
export function assertOwnLink(headers: Headers, rules: OriginRules, isSignedIn: boolean): void {
  const site = headers.get("sec-fetch-site");
  const isTyped = site === "none" && !headers.has("origin");
  if (isTyped && !isSignedIn) return;
  if (isFromElsewhere(headers, rules)) throw new GatewayError("cross_site_request");
  if (isSignedIn && site !== "same-origin") assertDeliberate(headers);
}

function isFromElsewhere(headers: Headers, rules: OriginRules): boolean {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (origin !== null && !isOwnOrigin(origin, headers, rules)) return true;
  // "none" is a person's own doing, such as typing an address, which never is a change.
  return site !== null && site !== "same-origin" && !(site === "none" && origin !== null);
}

function assertDeliberate(headers: Headers): void {
  const type = headers.get("content-type");
  if (headers.has("x-requested-with") || (type !== null && isJsonType(type))) return;
  throw new GatewayError("cross_site_request", {
    message: "The request needs content-type application/json or an X-Requested-With header.",
  });
}
