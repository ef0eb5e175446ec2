// The groups of a person in the claims of an issuer.
import { isObject } from "../../core/json.ts";

type Claims = Readonly<Record<string, unknown>>;

const groupsMax = 2000;

/** Marks of an issuer that there were too many to be told here. */
export function isOverfull(claims: Claims, path: string): boolean {
  const { hasgroups: has, _claim_names: elsewhere } = claims;
  const [first = ""] = path.split(".");
  return has === true || (isObject(elsewhere) && first in elsewhere);
}

/**
 * Null where the claims do not tell: the claim is missing, is none, or is told elsewhere because
 * there were too many. Nothing may follow from that; an empty list is a statement.
 */
export function groupsIn(claims: Claims, path: string): string[] | null {
  if (isOverfull(claims, path)) return null;
  const [first = "", ...rest] = path.split(".");
  // A claim may have dots in its own name, as one by an address.
  const whole = claims[path];
  const value =
    whole ?? rest.reduce((at: unknown, name) => (isObject(at) ? at[name] : null), claims[first]);
  const all = typeof value === "string" ? [value] : value;
  if (!Array.isArray(all) || all.length > groupsMax) return null;
  return all.every((one) => typeof one === "string") ? all : null;
}
