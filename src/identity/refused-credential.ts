// Reason why a credential was refused. The operator's log has it; the caller is told the same of
// all of them, since whoever guesses would learn from the difference.
import { GatewayError } from "../core/errors.ts";

type RefusedBecause =
  | "missing"
  | "malformed"
  | "signature"
  | "unknown"
  | "disabled"
  | "revoked"
  | "expired"
  | "wrong address"
  | "account disabled"
  | "maker gone"
  | "project disabled"
  | "group gone";

/** Set apart from all others, because it says nothing of any key. */
const noSignature =
  "A signature of AWS is no credential here. Send a key of this gateway as a bearer: clients of " +
  "AWS take it from AWS_BEARER_TOKEN_BEDROCK.";

export class RefusedCredential {
  readonly because: RefusedBecause;
  /** Id of the credential, where it is somebody's; never a part of what was sent. */
  readonly keyId: string | null;

  constructor(because: RefusedBecause, keyId: string | null = null) {
    this.because = because;
    this.keyId = keyId;
  }

  toError(): GatewayError {
    const isSignature = this.because === "signature";
    return new GatewayError("invalid_api_key", {
      cause: this,
      ...(isSignature && { message: noSignature }),
    });
  }
}

/** Shared, because of these many are remembered. */
export const unknownCredential = new RefusedCredential("unknown");

export function refusedCredential(because: RefusedBecause): GatewayError {
  return new RefusedCredential(because).toError();
}
