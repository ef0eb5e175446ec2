// Refusals in Anthropic's envelope.
import { noFaults, type Faults } from "../directives.ts";
import type { Answer } from "../vendor.ts";

interface RefusalRow {
  type: string;
  message: string;
}

const invalidRequest = "invalid_request_error";
const serverFault: RefusalRow = { type: "api_error", message: "Internal server error" };

const rows: Readonly<Record<number, RefusalRow>> = {
  401: { type: "authentication_error", message: "invalid x-api-key" },
  402: { type: "billing_error", message: "Your credit balance is too low." },
  403: { type: "permission_error", message: "Your API key may not do that." },
  404: { type: "not_found_error", message: "Not found" },
  409: { type: "conflict_error", message: "The request conflicts with another one." },
  413: { type: "request_too_large", message: "Request exceeds the maximum allowed size." },
  429: { type: "rate_limit_error", message: "This request would exceed your rate limit." },
  504: { type: "timeout_error", message: "The request timed out." },
  529: { type: "overloaded_error", message: "Overloaded" },
};

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly type: string;

  constructor(status: number, message?: string) {
    const row = rows[status] ?? (status >= 500 ? serverFault : null);
    super(message ?? row?.message ?? `The request was refused with status ${status}.`);
    this.status = status;
    this.type = row?.type ?? invalidRequest;
  }

  /** The body of a refusal, and without a request's name the event that breaks a stream off. */
  render(requestId?: string): string {
    const { message, type } = this;
    const named = requestId === undefined ? {} : { request_id: requestId };
    return JSON.stringify({ type: "error", error: { type, message }, ...named });
  }
}

/** Refusal for one field of the request. */
export function invalid(path: string, message: string): Refusal {
  return new Refusal(400, `${path}: ${message}`);
}

export function refusalAnswer(
  refusal: Refusal,
  requestId: string,
  faults: Faults = noFaults,
): Answer {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (refusal.status === 429) headers["retry-after"] = "1";
  const bytes = new TextEncoder().encode(refusal.render(requestId));
  return { status: refusal.status, headers, faults, content: { kind: "whole", bytes } };
}
