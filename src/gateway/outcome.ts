// How a request ended, told exactly once to whoever keeps count.
import type { GatewayError } from "../core/errors.ts";
import type { Usage } from "../formats/usage.ts";
import type { RequestOutcome } from "../observe/outcome.ts";

export interface TextOutcome {
  kind: RequestOutcome;
  status: number;
  errorCode: string | null;
  model: string;
  stream: boolean;
  channel: { id: string; name: string } | null;
  usage: Usage | null;
  /** How many were made. */
  images?: number;
  /** Where a task was made. */
  taskId?: string;
  isEstimated: boolean;
  micros: number;
  attempts: number;
  firstByteMs: number | null;
}

/** A task that was asked for; what it costs is known when it ends. */
export function submittedOutcome(model: string, error: GatewayError | null): TextOutcome {
  return {
    kind: error ? kindOfError(error) : "ok",
    status: error?.status ?? 200,
    errorCode: error?.code ?? null,
    model,
    stream: false,
    channel: null,
    usage: null,
    isEstimated: false,
    micros: 0,
    attempts: 1,
    firstByteMs: null,
  };
}

export function kindOfError(error: GatewayError): RequestOutcome {
  if (error.code === "client_closed_request") return "client_abort";
  if (error.status < 500 || error.code === "model_not_found" || error.code === "model_not_priced") {
    return "rejected";
  }
  return error.code === "server_error" || error.code === "overloaded"
    ? "gateway_error"
    : "upstream_error";
}
