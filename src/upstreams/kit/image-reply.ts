// Common parts of vendors' answers about images.
import { VendorRefusal } from "../upstream.ts";

/** Said when an answer of success brings no image and does not say why. */
export function noImage(): Error {
  return new Error("the upstream's answer has no image");
}

/** The vendor looked at the request and made nothing of it: no other channel is asked. */
export function withheld(message: string, code = "content_policy_violation"): VendorRefusal {
  const type = "invalid_request_error";
  return new VendorRefusal({ blame: "request", status: 400, type, code, param: null, message });
}
