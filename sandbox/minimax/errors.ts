// Refusals in MiniMax's envelope; the vendor's own number stands only in the words.
import type { Faults } from "../directives.ts";
import type { Answer } from "../vendor.ts";
import { jsonAnswer } from "../wire.ts";

interface RefusalRow {
  type: string;
  code: number;
  message: string;
}

const rows: Readonly<Record<number, RefusalRow>> = {
  400: { type: "bad_request_error", code: 2013, message: "invalid params" },
  401: { type: "authorized_error", code: 1004, message: "login fail" },
  402: { type: "insufficient_balance_error", code: 1008, message: "insufficient balance" },
  404: { type: "not_found_error", code: 2013, message: "not found" },
  422: { type: "unprocessable_entity_error", code: 1026, message: "new_sensitive" },
  429: { type: "rate_limit_error", code: 1002, message: "rate limit exceeded" },
};
const serverFault: RefusalRow = { type: "server_error", code: 1000, message: "unknown error" };
const otherRefusal: RefusalRow = { type: "api_error", code: 2013, message: "refused" };

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly type: string;

  constructor(status: number, message?: string) {
    const row = rows[status] ?? (status >= 500 ? serverFault : otherRefusal);
    super(`${message ?? row.message} (${row.code})`);
    this.status = status;
    this.type = row.type;
  }
}

export function refusalAnswer(refusal: Refusal, requestId: string, faults?: Faults): Answer {
  const { status, type, message } = refusal;
  const error = { type, message, http_code: String(status) };
  const body = { type: "error", error, request_id: requestId };
  return jsonAnswer(body, faults === undefined ? { status } : { status, faults });
}
