// The HTTP status that an error is answered with, on every route whose envelope does not hide it.
import type { ErrorCode, GatewayError } from "../../core/errors.ts";

export const statuses: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  invalid_size: 400,
  previous_response_not_found: 400,
  thread_unsupported_request: 400,
  invalid_host: 400,
  invalid_path: 400,
  conflicting_credentials: 400,
  invalid_api_key: 401,
  invalid_credentials: 401,
  insufficient_quota: 402,
  insufficient_user_quota: 402,
  budget_exceeded: 402,
  account_waiting: 403,
  permission_denied: 403,
  second_factor_required: 403,
  cross_site_request: 403,
  invalid_state: 403,
  provider_refused: 403,
  not_found: 404,
  task_not_found: 404,
  task_not_finished: 409,
  method_not_allowed: 405,
  upgrade_required: 426,
  conflict: 409,
  request_timeout: 408,
  request_body_too_large: 413,
  unsupported_media_type: 415,
  rate_limit_exceeded: 429,
  too_many_requests: 429,
  client_closed_request: 499,
  server_error: 500,
  upstream_refused: 500,
  do_request_failed: 500,
  bad_response: 500,
  bad_response_body: 500,
  overloaded: 503,
  model_not_found: 503,
  model_not_priced: 503,
};

/** The vendor's own where its words are passed on. */
export function statusOf({ code, shown }: GatewayError): number {
  return shown?.upstreamStatus ?? statuses[code];
}
