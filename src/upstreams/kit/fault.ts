// The fault of a vendor whose errors say no more than whose it is: they name no field, and no code
// that a client knows but that of refused content.
import type { Fault } from "../upstream.ts";
import { loadFault } from "./load.ts";

interface VendorError {
  status: number;
  headers: Headers;
  message: string;
  isContent: boolean;
  /** It is about money, whatever its status. */
  isOfCredit?: boolean;
}

export function toFault(
  blame: Fault["blame"],
  { status, headers, message, isContent, isOfCredit = status === 402 }: VendorError,
): Fault {
  if (blame === "load" || blame === "size") return loadFault({ status, headers, message });
  if (blame === "suspect") return { blame, isOfCredit, message };
  if (blame !== "request") return { blame, message };
  return {
    blame,
    // An error may come with the status of a success.
    status: status >= 400 ? status : 400,
    type: "invalid_request_error",
    code: isContent ? "content_policy_violation" : null,
    param: null,
    message,
  };
}
