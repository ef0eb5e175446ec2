// The control plane: `{success: false, message}` with status 200 whatever the caller did wrong, as
// its clients expect; only the gateway's own faults show in the status, and addresses that lead
// nowhere because of how they are written. Who asks for problem details (RFC 9457) gets those, with
// the status that the error has everywhere else.
import type { ErrorCode, GatewayError } from "../../core/errors.ts";
import type { EnvelopeFacts, Written } from "./envelope.ts";
import { statusOf } from "./status.ts";

const problemType = "application/problem+json";

const shown: Partial<Record<ErrorCode, number>> = {
  server_error: 500,
  overloaded: 503,
  invalid_path: 400,
  invalid_host: 400,
};

export function envelopeSession(
  error: GatewayError,
  { headers, requestId }: EnvelopeFacts,
): Written {
  const message = error.code === "invalid_api_key" ? "The access token is invalid." : error.message;
  const { param, shownCode: code } = error;
  const own = { success: false, message, code, param };
  if (!headers.get("accept")?.includes(problemType)) {
    return { status: shown[error.code] ?? 200, body: JSON.stringify(own) };
  }
  const status = statusOf(error);
  const problem = { title: code, status, detail: message, instance: requestId, ...own };
  return { status, body: JSON.stringify(problem), contentType: problemType };
}
