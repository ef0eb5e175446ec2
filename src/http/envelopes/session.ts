// The control plane: `{success: false, message}` with status 200 whatever the caller did wrong, as
// its clients expect; only the gateway's own faults show in the status.
import type { GatewayError } from "../../core/errors.ts";
import type { Written } from "./envelope.ts";

export function envelopeSession(error: GatewayError): Written {
  const message = error.code === "invalid_api_key" ? "The access token is invalid." : error.message;
  const { param, shownCode: code } = error;
  return {
    status: error.code === "server_error" ? 500 : 200,
    body: JSON.stringify({ success: false, message, code, param }),
  };
}
