// The control plane: `{success: false, message}` with status 200 whatever the caller did wrong, as
// its clients expect; only the gateway's own faults show in the status, and addresses that lead
// nowhere because of how they are written. Who sends so much that it may still be on its way is
// told by the status to stop, and who asks for problem details (RFC 9457) gets those: both with
// the status that the error has everywhere else.
import type { ErrorCode, GatewayError } from "../../core/errors.ts";
import type { EnvelopeFacts, Written } from "./envelope.ts";
import { statusOf } from "./status.ts";

const problemType = "application/problem+json";

/** Bytes that an HTTP/2 client may send before anybody reads: the rest waits for a reader. */
const unreadBytesMax = 64 * 1024;

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
    const status = isStillSent(headers) ? statusOf(error) : (shown[error.code] ?? 200);
    return { status, body: JSON.stringify(own) };
  }
  const status = statusOf(error);
  const problem = { title: code, status, detail: message, instance: requestId, ...own };
  return { status, body: JSON.stringify(problem), contentType: problemType };
}

/** Behind a 200 a client sends its body to the end, for which nobody waits here. */
function isStillSent(headers: Headers): boolean {
  const declared = headers.get("content-length");
  return declared === null ? headers.has("transfer-encoding") : Number(declared) > unreadBytesMax;
}
