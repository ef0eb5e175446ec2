// With which statuses a route refuses, told from its row: who may call it, what it takes, and how
// its envelope shows a status.
import type { Route } from "../route.ts";

const everywhere = [400, 500];
const ofBody = [408, 413, 415];

/** A range stands for the vendor's own words and status. */
export function refusalsOf(route: Route): string[] {
  return [...new Set(statusesOf(route))].toSorted((one, other) => one - other).map(String);
}

function statusesOf(route: Route): number[] {
  const { method, path, policy, envelope, entry } = route;
  // The control plane refuses with a 200, but for addresses that lead nowhere and its own faults.
  if (envelope === "session") return everywhere;
  const hasId = path.includes("{");
  const takesBody = method === "POST" || method === "PATCH";
  const common = [...everywhere, ...(takesBody ? ofBody : []), ...(hasId ? [404, 409] : [])];
  switch (policy) {
    case "public":
      return hasId ? [...common, 403, 416] : common;
    case "visitor":
    case "control":
      return common;
    case "local":
      return [...common, 401, 403];
    case "key":
      return route.isPaid
        ? [...common, 401, 402, 404, 409, 422, 429, 499, 503]
        : [...common, 401, 404, ...(entry.isSocket ? [426] : []), 429, 499, 503];
  }
}

/** Meanings of statuses, where their own names do not say them. */
export const refusalWords: Readonly<Record<string, string>> = {
  "400": "The request is wrong, and says where.",
  "401": "The credential is missing or not valid.",
  "402": "Too little money is left.",
  "403": "The caller may not do that.",
  "404": "It is not there, or not the caller's.",
  "408": "The body did not come in time.",
  "409": "It clashes with what is there.",
  "413": "The body is too large.",
  "415": "The type of the body is not taken.",
  "416": "The range is not in the file.",
  "422": "The vendor cannot do that.",
  "426": "A WebSocket is not to be had, or was not asked for.",
  "429": "Too much at once; `retry-after` says when to come again.",
  "499": "The client left.",
  "500": "The gateway or its upstream failed.",
  "503": "No channel serves the model, or no work is taken now.",
};
