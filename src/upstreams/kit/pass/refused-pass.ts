// Refusals of credentials that would be used against the rules, before anything of them is sent.
import type { CredentialFault } from "../../../core/pass/credential-rules.ts";
import type { Pass } from "../../../core/pass/pass.ts";
import { VendorRefusal } from "../../upstream.ts";

/** A pass that is never granted. */
export function refusedPass(fault: CredentialFault): Pass {
  return { name: "refused", obtain: async () => refuseFault(fault) };
}

export function refuseFault(fault: CredentialFault): never;
export function refuseFault(fault: CredentialFault | null): void;
export function refuseFault(fault: CredentialFault | null): void {
  if (fault === null) return;
  throw new VendorRefusal({ blame: "channel", message: `${fault.path} ${fault.message}` });
}
