// The outcome of a request, told exactly once to whoever keeps count.
import type { Blame, GatewayError } from "../core/errors.ts";
import type { Usage } from "../formats/usage.ts";
import type { OutcomeKind } from "../observe/outcome.ts";
import type { StreamEnd } from "./stream/relay.ts";

export interface RequestOutcome {
  kind: OutcomeKind;
  status: number;
  errorCode: string | null;
  /** The message that the client got; null where a vendor wrote it. */
  errorMessage: string | null;
  /** A fuller message for operators, where the client was told less. */
  errorDetail: string | null;
  usage: Usage | null;
  /** The count of images made. */
  images: number;
  isEstimated: boolean;
  micros: number;
  /** The price the channel's vendor takes for it, where that is known. */
  costMicros?: number | null;
  firstByteMs: number | null;
}

/** Nothing was used, or what was is known later, as that of a task. */
const nothingUsed = { usage: null, images: 0, isEstimated: false, micros: 0, firstByteMs: null };

type ErrorFields = Pick<RequestOutcome, "errorCode" | "errorMessage" | "errorDetail">;

const noError: ErrorFields = { errorCode: null, errorMessage: null, errorDetail: null };

export function answeredOutcome(status: number): RequestOutcome {
  return { ...nothingUsed, ...noError, kind: "ok", status };
}

export function failedOutcome(error: GatewayError, status: number): RequestOutcome {
  return { ...nothingUsed, ...errorFields(error), kind: kindOfError(error), status };
}

const encoder = new TextEncoder();
const messageBytesMax = 400;

export function errorFields(error: GatewayError | null): ErrorFields {
  if (error === null) return noError;
  const { code, ownMessage, operatorMessage } = error;
  // A client that left has read nothing.
  const message = code === "client_closed_request" ? null : ownMessage;
  return {
    errorCode: code,
    errorMessage: message && shorten(message),
    errorDetail: operatorMessage && shorten(operatorMessage),
  };
}

/** Whole characters of the beginning. */
function shorten(message: string): string {
  if (Buffer.byteLength(message) <= messageBytesMax) return message;
  const { read } = encoder.encodeInto(message, new Uint8Array(messageBytesMax));
  return message.slice(0, read);
}

function kindOfError(error: GatewayError): OutcomeKind {
  if (error.code === "client_closed_request") return "client_abort";
  return error.code === "model_not_priced" ? "rejected" : kindOfBlame[error.blame];
}

const kindOfBlame: Readonly<Record<Blame, OutcomeKind>> = {
  client: "rejected",
  caller: "rejected",
  gateway: "gateway_error",
  upstream: "upstream_error",
};

export function kindOfEnd(end: StreamEnd): OutcomeKind {
  if (end.kind === "complete") return "ok";
  return end.kind === "broken" ? "upstream_error" : "client_abort";
}
