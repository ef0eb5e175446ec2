// Seats, the roles that people have in organisations.
import type { SeatRole } from "../store/people/seat-role.ts";

export type { SeatRole };

/** Seats that may make a call in an organisation's scope. A viewer sees all and has no keys. */
export type Seats = readonly SeatRole[];

export const owners: Seats = ["owner"];
export const leaders: Seats = ["owner", "admin"];
/** Seats that see what everyone does. */
export const overseers: Seats = [...leaders, "viewer"];
/** Seats that may have keys. */
export const holders: Seats = [...leaders, "member"];
export const everySeat: Seats = [...holders, "viewer"];

const ranks: Readonly<Record<SeatRole, number>> = { viewer: 0, member: 1, admin: 2, owner: 3 };

/** The one of both with more rights. */
export function higherSeat(one: SeatRole, other: SeatRole): SeatRole {
  return ranks[one] >= ranks[other] ? one : other;
}
