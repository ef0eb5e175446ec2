// The seat that a call is made from; the route table lets nobody in without one.
import { GatewayError } from "../../core/errors.ts";
import type { Operator, Seat } from "../../identity/caller.ts";

export function seatOf({ seat }: Operator): Seat {
  if (!seat) throw new GatewayError("not_found");
  return seat;
}
