// Refusals of Kling: its usual envelope with a code that is not zero.
import { jsonAnswer } from "../wire.ts";
import type { Faults } from "../directives.ts";
import type { Answer } from "../vendor.ts";

interface RefusalRow {
  code: number;
  message: string;
}

const rows: Readonly<Record<number, RefusalRow>> = {
  400: { code: 1201, message: "Invalid request parameters" },
  401: { code: 1000, message: "Authentication failed" },
  403: { code: 1103, message: "The requested resource is not authorized" },
  404: { code: 1203, message: "The requested resource does not exist" },
  429: { code: 1302, message: "API requests are too frequent" },
  503: { code: 5001, message: "Server temporarily unavailable" },
  504: { code: 5002, message: "Server internal timeout" },
};
const serverFault: RefusalRow = { code: 5000, message: "Server internal error" };
const otherRefusal: RefusalRow = { code: 1200, message: "Invalid request" };

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: number;

  constructor(status: number, { code, message }: Partial<RefusalRow> = {}) {
    const row = rows[status] ?? (status >= 500 ? serverFault : otherRefusal);
    super(message ?? row.message);
    this.status = status;
    this.code = code ?? row.code;
  }
}

export function refusalAnswer(refusal: Refusal, requestId: string, faults?: Faults): Answer {
  const { status, code, message } = refusal;
  const body = { code, message, request_id: requestId };
  return jsonAnswer(body, faults === undefined ? { status } : { status, faults });
}
