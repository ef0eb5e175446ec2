// The control plane: `{success: false, message}` with status 200 whatever the caller did wrong, as
// its clients expect; only the gateway's own faults show in the status, and addresses that lead
// nowhere because of how they are written.
import type { ErrorCode, GatewayError } from "../../core/errors.ts";
import type { Written } from "./envelope.ts";

const shown: Partial<Record<ErrorCode, number>> = {
  server_error: 500,
  invalid_path: 400,
  invalid_host: 400,
};

export function envelopeSession(error: GatewayError): Written {
  const message = error.code === "invalid_api_key" ? "The access token is invalid." : error.message;
  const { param, shownCode: code } = error;
  return {
    status: shown[error.code] ?? 200,
    body: JSON.stringify({ success: false, message, code, param }),
  };
}
