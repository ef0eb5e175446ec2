// A misspelt filter must not list everything: a parameter that an address does not know is refused.
import { invalid } from "../core/errors.ts";
import type { Route } from "./route.ts";

/**
 * On all of the control plane, and where a key lists or filters. Requests to models are let be:
 * vendors' own clients add parameters that say nothing here, and so do providers on the way back.
 */
export function assertKnownQuery(route: Route, query: URLSearchParams): void {
  if (!isStrict(route)) return;
  const known = Object.keys(route.entry.query ?? {});
  for (const name of query.keys()) {
    if (known.includes(name)) continue;
    const taken = known.length === 0 ? "none" : known.join(", ");
    throw invalid(name, `is not a parameter that this address knows; it takes ${taken}.`);
  }
}

function isStrict(route: Route): boolean {
  const { entry, envelope, method } = route;
  if (entry.takesAnyQuery) return false;
  switch (route.policy) {
    case "control":
    case "visitor":
      return true;
    case "public":
      return envelope === "session";
    case "key":
      return method === "GET" && entry.query !== undefined && route.carriers.join() === "bearer";
    case "local":
      return false;
  }
}
