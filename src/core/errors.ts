// The one catalogue of what can go wrong and whose fault it is. How a row is written out, and with
// what status, is decided in `http/envelopes`.

export type Blame = "client" | "caller" | "upstream" | "gateway";

interface CatalogueRow {
  type: string;
  blame: Blame;
  message: string;
  /** False tells SDKs that trying again is useless. */
  retry?: false;
}

const malformed = { type: "invalid_request_error", blame: "client" } as const;
const caller = { type: "invalid_request_error", blame: "caller" } as const;
const quota = { type: "insufficient_quota", blame: "caller", retry: false } as const;
const pace = { type: "rate_limit_error", blame: "caller" } as const;
const upstream = { type: "server_error", blame: "upstream" } as const;

export const catalogue = {
  invalid_request: { ...malformed, message: "The request is not valid." },
  invalid_size: {
    type: "gateway_api_error",
    blame: "client",
    message: "The model does not make media of this size.",
  },
  previous_response_not_found: {
    ...malformed,
    message: "There is no stored response with this id.",
  },
  thread_unsupported_request: {
    ...malformed,
    message: "No conversation is kept between requests: send all of it, without a thread.",
  },
  invalid_host: { ...malformed, message: "The Host header is not valid." },
  invalid_path: { ...malformed, message: "The path is not in its canonical form." },
  conflicting_credentials: { ...malformed, message: "Two different API keys were sent." },
  invalid_api_key: { ...caller, message: "The API key is missing or not valid." },
  invalid_credentials: { ...caller, message: "The name or the password is wrong." },
  insufficient_quota: {
    ...quota,
    message: "This API key has too little quota left for the request.",
  },
  insufficient_user_quota: {
    ...quota,
    message: "This account has too little quota left for the request.",
  },
  budget_exceeded: { ...quota, message: "A budget that this request counts for is spent." },
  account_waiting: {
    ...caller,
    message:
      "This account used more than it could pay, again and again. " +
      "It waits for an operator of the gateway, who can enable it.",
  },
  permission_denied: { ...caller, message: "This account may not do that." },
  second_factor_required: {
    ...caller,
    message: "This account has to set up a second factor before it may do anything else.",
  },
  cross_site_request: {
    ...malformed,
    message: "The request does not come from a page of this gateway.",
  },
  invalid_state: {
    ...malformed,
    message: "This was not begun in this browser, is over or was used already. Begin again.",
  },
  provider_refused: { ...caller, message: "The provider did not confirm who you are." },
  not_found: { ...malformed, message: "There is nothing at this address." },
  task_not_found: { ...malformed, message: "There is no task with this id." },
  task_not_finished: { ...malformed, message: "The task is not finished yet." },
  method_not_allowed: { ...malformed, message: "This address does not take that method." },
  upgrade_required: {
    ...malformed,
    message: "This gateway takes no WebSockets here: send a POST instead.",
    retry: false,
  },
  conflict: { ...malformed, message: "This clashes with what is already there." },
  request_timeout: { ...malformed, message: "The request body did not come in time." },
  request_body_too_large: { ...malformed, message: "The request body is too large." },
  unsupported_media_type: {
    ...malformed,
    message: "The content type or encoding of the body is not supported.",
  },
  rate_limit_exceeded: { ...pace, message: "Too many requests with this API key." },
  too_many_requests: { ...pace, message: "This group is saturated at the moment." },
  client_closed_request: { ...malformed, message: "The client closed the connection." },
  server_error: {
    type: "server_error",
    blame: "gateway",
    message: "Something went wrong inside the gateway.",
  },
  upstream_refused: { ...upstream, message: "The upstream refused the request." },
  do_request_failed: { ...upstream, message: "The upstream could not be reached." },
  bad_response: { ...upstream, message: "The upstream answered with an error." },
  bad_response_body: { ...upstream, message: "The upstream's answer could not be read." },
  overloaded: {
    type: "server_error",
    blame: "gateway",
    message: "The gateway takes no new work at the moment.",
  },
  model_not_found: {
    ...malformed,
    message: "No channel of this key's group serves the model.",
    retry: false,
  },
  model_not_priced: {
    type: "invalid_request_error",
    blame: "gateway",
    message: "The model has no price and is therefore not served.",
    retry: false,
  },
} as const satisfies Record<string, CatalogueRow>;

export type ErrorCode = keyof typeof catalogue;

/** A vendor's own words, where they are the client's to read instead of the catalogue's row. */
export interface VendorWords {
  /** The vendor's own. */
  upstreamStatus: number;
  type: string;
  code: string | null;
}

interface ErrorDetails {
  /** Our own words. They name fields, limits and sums, and never quote a prompt. */
  message?: string;
  /**
   * A vendor's words instead, for the client alone: they may quote a prompt, so the usage log does
   * not keep them.
   */
  vendorMessage?: string;
  /** A fuller message for operators in the usage log, where the client is told less. */
  operatorMessage?: string | undefined;
  param?: string;
  retryAfterSeconds?: number;
  shown?: VendorWords;
  cause?: unknown;
}

export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly retryAfterSeconds: number | null;
  readonly shown: VendorWords | null;
  readonly operatorMessage: string | null;
  readonly #isVendorMessage: boolean;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const { message, vendorMessage } = details;
    super(vendorMessage ?? message ?? catalogue[code].message, { cause: details.cause });
    this.code = code;
    this.param = details.param ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.shown = details.shown ?? null;
    this.operatorMessage = details.operatorMessage ?? null;
    this.#isVendorMessage = vendorMessage !== undefined;
  }

  /** Details for another error that says the same. */
  get details(): ErrorDetails {
    const { message, param, retryAfterSeconds, shown, operatorMessage, cause } = this;
    return {
      ...(this.#isVendorMessage ? { vendorMessage: message } : { message }),
      ...(param !== null && { param }),
      ...(retryAfterSeconds !== null && { retryAfterSeconds }),
      ...(shown !== null && { shown }),
      ...(operatorMessage !== null && { operatorMessage }),
      cause,
    };
  }

  /** The message, unless it is a vendor's. */
  get ownMessage(): string | null {
    return this.#isVendorMessage ? null : this.message;
  }

  /** A refusal in the vendor's own words is the request's fault. */
  get blame(): Blame {
    const isRefused = this.shown !== null && this.shown.upstreamStatus < 500;
    return isRefused ? "client" : catalogue[this.code].blame;
  }

  get type(): string {
    return this.shown?.type ?? catalogue[this.code].type;
  }

  /** The code the client reads: the vendor's own where there is one. */
  get shownCode(): string | null {
    if (this.shown) return this.shown.code;
    if (this.code === "model_not_priced") return "model_not_found";
    return this.code === "overloaded" ? "server_error" : this.code;
  }

  get isRetryable(): boolean {
    const row: CatalogueRow = catalogue[this.code];
    return row.retry !== false;
  }
}

/** A failure of something that this gateway needs, such as its database. */
export abstract class DependencyError extends Error {
  /** It does not answer at the moment; the same may be done a little later, or on another node. */
  abstract readonly isAway: boolean;
}

/** Whether something failed only because a dependency does not answer at the moment. */
export function isAway(error: unknown): boolean {
  if (error instanceof DependencyError && error.isAway) return true;
  return error instanceof Error && error.cause !== undefined && isAway(error.cause);
}

const awaySeconds = 1;

/** The one place where something unknown becomes an error of ours. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof DependencyError && error.isAway) {
    return new GatewayError("overloaded", { retryAfterSeconds: awaySeconds, cause: error });
  }
  return new GatewayError("server_error", { cause: error });
}

/** A field of the request that is wrong, by the name that the client wrote. */
export function invalid(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", { param, message: `${param} ${problem}` });
}
