// Pages that are there for this person: by role, or by seat in the organisation that is acted for.
import { scope } from "../core/scope.ts";
import { may, seatRole, self } from "../core/session.ts";
import { pages, type PageEntry } from "../pages/index.ts";

export function mayOpen({ for: whom, seats = [] }: PageEntry): boolean {
  if (scope !== null && self.value) return seats.some((seat) => seat === seatRole());
  if (whom === "visitor") return true;
  return whom === "user" ? !!self.value : may(whom);
}

export function shownPages(): PageEntry[] {
  return pages.filter(mayOpen);
}
