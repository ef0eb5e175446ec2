// An address that is known, asked with a method that it does not take.
import { GatewayError } from "../core/errors.ts";

export class WrongMethodError extends GatewayError {
  /** The methods it does take. */
  readonly allowed: readonly string[];
  /** A browser asks whether a page may send something, and goes by the status alone. */
  readonly isPreflight: boolean;

  constructor(method: string, allowed: readonly string[]) {
    const message = `This address does not take ${method}, but ${allowed.join(", ")}.`;
    super("method_not_allowed", { message });
    this.allowed = allowed;
    this.isPreflight = method === "OPTIONS";
  }
}
