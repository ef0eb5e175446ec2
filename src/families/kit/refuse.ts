// Errors about what a request asks for: each names the field as the client wrote it.
import { GatewayError } from "../../core/errors.ts";

export function invalidValue(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", { param, message: `${param} ${problem}.` });
}

export function missing(param: string): GatewayError {
  return invalidValue(param, "is required");
}

export function oneOf(param: string, values: Iterable<string>): GatewayError {
  return invalidValue(param, `must be one of ${[...values].join(", ")}`);
}

export function tooLarge(param: string, bytesMax: number): GatewayError {
  const message = `${param} is larger than ${bytesMax} bytes.`;
  return new GatewayError("request_body_too_large", { param, message });
}
