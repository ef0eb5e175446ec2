// How a request ended, told exactly once to whoever keeps count.
import type { Blame, GatewayError } from "../core/errors.ts";
import type { Usage } from "../formats/usage.ts";
import type { RequestOutcome } from "../observe/outcome.ts";

export interface TextOutcome {
  kind: RequestOutcome;
  /** Why the client got no answer; null when it got one, however that ended. */
  refusal: GatewayError | null;
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
    refusal: error,
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
  return error.code === "model_not_priced" ? "rejected" : kindOfBlame[error.blame];
}

const kindOfBlame: Readonly<Record<Blame, RequestOutcome>> = {
  client: "rejected",
  caller: "rejected",
  gateway: "gateway_error",
  upstream: "upstream_error",
};
