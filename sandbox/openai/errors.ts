// Refusals in OpenAI's envelope.
import { noFaults, type Faults } from "../directives.ts";
import type { Answer } from "../vendor.ts";

interface RefusalRow {
  type: string;
  code: string | null;
  message: string;
}

const invalidRequest = "invalid_request_error";
const serverFault: RefusalRow = {
  type: "server_error",
  code: null,
  message: "The server had an error while processing your request. Sorry about that!",
};

const rows: Readonly<Record<number, RefusalRow>> = {
  401: { type: invalidRequest, code: "invalid_api_key", message: "Incorrect API key provided." },
  403: { type: invalidRequest, code: "permission_denied", message: "You may not do that." },
  404: { type: invalidRequest, code: "model_not_found", message: "The model does not exist." },
  429: { type: "requests", code: "rate_limit_exceeded", message: "Rate limit reached." },
  503: { type: "server_error", code: "overloaded", message: "The engine is overloaded." },
};

interface RefusalDetails {
  message?: string;
  param?: string;
  /** Null where the vendor gives none although its status has one. */
  code?: string | null;
}

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;

  constructor(status: number, { message, param, code }: RefusalDetails = {}) {
    const row = rows[status] ?? (status >= 500 ? serverFault : null);
    super(message ?? row?.message ?? `The request was refused with status ${status}.`);
    this.status = status;
    this.type = row?.type ?? invalidRequest;
    this.param = param ?? null;
    this.code = code === undefined ? (row?.code ?? null) : code;
  }

  /** The body of a refusal, and also the event that breaks a stream off. */
  render(): string {
    const { message, type, param, code } = this;
    return JSON.stringify({ error: { message, type, param, code } });
  }
}

export function refusalAnswer(refusal: Refusal, faults: Faults = noFaults): Answer {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (refusal.status === 429) headers["retry-after"] = "1";
  const bytes = new TextEncoder().encode(refusal.render());
  return { status: refusal.status, headers, faults, content: { kind: "whole", bytes } };
}
