// Refusals as a gateway writes them.
import type { Faults } from "../directives.ts";
import type { Answer } from "../vendor.ts";
import { jsonAnswer } from "../wire.ts";

interface RefusalRow {
  type: string;
  code: string;
  message: string;
}

const invalidRequest = "invalid_request_error";
const rows: Readonly<Record<number, RefusalRow>> = {
  401: { type: invalidRequest, code: "invalid_api_key", message: "The API key is not valid." },
  402: {
    type: "insufficient_quota",
    code: "insufficient_user_quota",
    message: "Too little quota.",
  },
  404: { type: invalidRequest, code: "task_not_found", message: "There is no such task." },
  409: { type: invalidRequest, code: "task_not_finished", message: "The task is not finished." },
  429: { type: "rate_limit_error", code: "rate_limit_exceeded", message: "Too many requests." },
};
const serverFault: RefusalRow = {
  type: "server_error",
  code: "server_error",
  message: "Something went wrong.",
};
const otherRefusal: RefusalRow = {
  type: invalidRequest,
  code: "invalid_request",
  message: "The request is not valid.",
};

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly param: string | null;

  constructor(status: number, param: string | null = null, code: string | null = null) {
    const row = rows[status] ?? (status >= 500 ? serverFault : otherRefusal);
    super(param === null ? row.message : `${param} is not valid.`);
    this.status = status;
    this.type = row.type;
    this.code = code ?? row.code;
    this.param = param;
  }
}

export function refusalAnswer(refusal: Refusal, faults?: Faults): Answer {
  const { status, message, type, param, code } = refusal;
  const body = { error: { message, type, param, code } };
  return jsonAnswer(body, faults === undefined ? { status } : { status, faults });
}
