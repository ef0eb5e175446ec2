// The host name that passkeys belong to.
import { GatewayError } from "../../core/errors.ts";
import type { RelyingParty } from "../../identity/factors/passkeys.ts";
import type { Visitor } from "../session/visitor.ts";

/** A passkey belongs to a host name, so there has to be one. */
export function assertParty({ relyingParty }: Visitor): RelyingParty {
  if (relyingParty) return relyingParty;
  throw new GatewayError("invalid_host", {
    message: "Passkeys need server.public_url, or the gateway opened as localhost.",
  });
}
