// Errors about what a request asks for: each names the field as the client wrote it.
import { GatewayError } from "../../core/errors.ts";
import type { Exchange, FieldNames } from "../exchange.ts";

/** The dialect has no way to say this, and leaving it out would change what is asked for. */
export function cannotExpress(exchange: Exchange, field: keyof FieldNames): GatewayError {
  return unsupported(exchange.names[field]);
}

export function unsupported(param: string): GatewayError {
  return new GatewayError("invalid_request", {
    param,
    message: `${param} cannot be carried to the upstream that serves this model.`,
  });
}
