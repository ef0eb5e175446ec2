// The organisation that the console acts for, by `?as=` of its address. It stays for as long as the
// page is loaded: another one is opened anew, so nothing of the one before can stand in it.
import { takesScope } from "./scope-paths.ts";

const name = "as";

/** Null: the person itself. */
export const scope: string | null = new URLSearchParams(globalThis.location?.search).get(name);

/** The parameter that a path of the API is asked with. */
export function scopeOf(path: string): Record<string, string> {
  return scope !== null && takesScope(path) ? { [name]: scope } : {};
}

/** An address of the console, in the scope that is open. */
export function withScope(address: string): string {
  if (scope === null) return address;
  const [path = "/", search] = address.split("?");
  const query = new URLSearchParams(search);
  query.set(name, scope);
  return `${path}?${query.toString()}`;
}

/** Opens the console for an organisation, or for oneself. */
export function enterScope(organisation: string | null): void {
  location.assign(organisation === null ? "/" : `/?${name}=${encodeURIComponent(organisation)}`);
}
