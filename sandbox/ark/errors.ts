// Refusals in Ark's envelope.
import type { Faults } from "../directives.ts";
import type { Answer } from "../vendor.ts";
import { jsonAnswer } from "../wire.ts";

interface RefusalRow {
  code: string;
  type: string;
  message: string;
}

const rows: Readonly<Record<number, RefusalRow>> = {
  400: { code: "InvalidParameter", type: "BadRequest", message: "A parameter is not valid." },
  401: {
    code: "AuthenticationError",
    type: "Unauthorized",
    message: "The API key or AK/SK in the request is missing or invalid.",
  },
  403: { code: "AccessDenied", type: "Forbidden", message: "Access is denied." },
  404: { code: "ResourceNotFound", type: "NotFound", message: "The resource is not found." },
  409: { code: "InvalidAction", type: "Conflict", message: "The task is running." },
  429: {
    code: "RateLimitExceeded.EndpointRPMExceeded",
    type: "TooManyRequests",
    message: "The requests per minute of the endpoint have been exceeded.",
  },
};
const serverFault: RefusalRow = {
  code: "InternalServiceError",
  type: "InternalServerError",
  message: "The service encountered an unexpected internal error.",
};
const otherRefusal: RefusalRow = {
  code: "OperationDenied",
  type: "BadRequest",
  message: "The operation is denied.",
};

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;
  readonly type: string;
  readonly param: string;

  constructor(status: number, said: { code?: string; message?: string; param?: string } = {}) {
    const row = rows[status] ?? (status >= 500 ? serverFault : otherRefusal);
    super(said.message ?? row.message);
    this.status = status;
    this.code = said.code ?? row.code;
    this.type = row.type;
    this.param = said.param ?? "";
  }
}

export function refusalAnswer(refusal: Refusal, faults?: Faults): Answer {
  const { status, code, message, param, type } = refusal;
  const body = { error: { code, message, param, type } };
  return jsonAnswer(body, faults === undefined ? { status } : { status, faults });
}
