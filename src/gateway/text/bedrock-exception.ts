// Bedrock's names of failures, by which its clients choose the class of an error and whether to try
// again.
import type { ErrorCode, GatewayError } from "../../core/errors.ts";

const invalid = "ValidationException";
const internal = "InternalServerException";
const throttled = "ThrottlingException";
const unavailable = "ServiceUnavailableException";
const unknown = "ResourceNotFoundException";
const denied = "AccessDeniedException";
const spent = "ServiceQuotaExceededException";

/** Those that are not told by whose fault they are. */
const byCode: Partial<Readonly<Record<ErrorCode, string>>> = {
  invalid_api_key: "UnrecognizedClientException",
  account_waiting: denied,
  permission_denied: denied,
  insufficient_quota: spent,
  insufficient_user_quota: spent,
  budget_exceeded: spent,
  not_found: unknown,
  model_not_found: unknown,
  model_not_priced: unknown,
  rate_limit_exceeded: throttled,
  too_many_requests: throttled,
  overloaded: unavailable,
};

export function bedrockException(error: GatewayError): string {
  if (error.shown) return byStatus(error.shown.upstreamStatus);
  return byCode[error.code] ?? (error.blame === "client" ? invalid : internal);
}

/** A vendor's own status, where its words are passed on. */
function byStatus(status: number): string {
  if (status === 404) return unknown;
  if (status === 429) return throttled;
  if (status === 503) return unavailable;
  return status < 500 ? invalid : internal;
}

const inStreams = new Set([invalid, throttled, unavailable]);

/** Inside a stream there are fewer, in camel case. */
export function bedrockStreamException(error: GatewayError): string {
  const name = bedrockException(error);
  if (inStreams.has(name)) return name.charAt(0).toLowerCase() + name.slice(1);
  return error.blame === "upstream" ? "modelStreamErrorException" : "internalServerException";
}
