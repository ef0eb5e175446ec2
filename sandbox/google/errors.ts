// Refusals in Google's envelope.
import type { JsonObject } from "../../src/core/json.ts";
import { noFaults, type Faults } from "../directives.ts";
import type { Answer } from "../vendor.ts";

interface RefusalRow {
  name: string;
  message: string;
  details?: JsonObject[];
}

const rpc = "type.googleapis.com/google.rpc";

const rows: Readonly<Record<number, RefusalRow>> = {
  400: { name: "INVALID_ARGUMENT", message: "Request contains an invalid argument." },
  401: {
    name: "UNAUTHENTICATED",
    message: "Request had invalid authentication credentials. Expected OAuth 2 access token.",
  },
  403: { name: "PERMISSION_DENIED", message: "The caller does not have permission." },
  404: { name: "NOT_FOUND", message: "Requested entity was not found." },
  409: { name: "ABORTED", message: "The operation was aborted." },
  429: {
    name: "RESOURCE_EXHAUSTED",
    message: "You exceeded your current quota. Please retry in 1s.",
    details: [
      { "@type": `${rpc}.QuotaFailure`, violations: [{ quotaId: "RequestsPerMinute" }] },
      { "@type": `${rpc}.RetryInfo`, retryDelay: "1s" },
    ],
  },
  499: { name: "CANCELLED", message: "The operation was cancelled." },
  501: { name: "UNIMPLEMENTED", message: "Operation is not implemented." },
  503: { name: "UNAVAILABLE", message: "The model is overloaded. Please try again later." },
  504: { name: "DEADLINE_EXCEEDED", message: "The request timed out. Please try again." },
};
const otherRefusal: RefusalRow = { name: "UNKNOWN", message: "The request was refused." };
const serverFault: RefusalRow = { name: "INTERNAL", message: "An internal error has occurred." };

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly #body: JsonObject;

  constructor(status: number, message?: string, details?: JsonObject[]) {
    const row = rows[status] ?? (status >= 500 ? serverFault : otherRefusal);
    super(message ?? row.message);
    this.status = status;
    const error = { code: status, message: this.message, status: row.name };
    const said = details ?? row.details;
    this.#body = { error: said ? { ...error, details: said } : error };
  }

  /** The body of a refusal, and also the event that breaks a stream off. */
  render(): JsonObject {
    return this.#body;
  }
}

/** The request breaks a rule of the model or of the endpoint. */
export function invalid(message: string): Refusal {
  return new Refusal(400, message);
}

/** The body is no message of the right kind; the path is in the vendor's own spelling. */
export function invalidField(field: string, description: string): Refusal {
  const violation = field === "" ? { description } : { field, description };
  const detail = { "@type": `${rpc}.BadRequest`, fieldViolations: [violation] };
  return new Refusal(400, description, [detail]);
}

/** Google refuses a key with the status of a bad request. */
export function invalidKey(): Refusal {
  const message = "API key not valid. Please pass a valid API key.";
  const detail = {
    "@type": `${rpc}.ErrorInfo`,
    reason: "API_KEY_INVALID",
    domain: "googleapis.com",
    metadata: { service: "generativelanguage.googleapis.com" },
  };
  return new Refusal(400, message, [detail]);
}

export const jsonHeaders = { "content-type": "application/json; charset=UTF-8" };

/** An error comes in a list where a list was expected. */
export function refusalAnswer(
  refusal: Refusal,
  { faults = noFaults, isList }: { faults?: Faults; isList: boolean },
): Answer {
  const body = isList ? [refusal.render()] : refusal.render();
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return {
    status: refusal.status,
    headers: { ...jsonHeaders },
    faults,
    content: { kind: "whole", bytes },
  };
}
