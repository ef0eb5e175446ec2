// The name by which browsers know the gateway, for passkeys: these belong to a host name and to no
// address.
import type { RelyingParty } from "../../identity/factors/passkeys.ts";
import type { OriginRules } from "./origin.ts";

/** The party of the public address; without one only localhost, where no network is in between. */
export function relyingPartyOf(headers: Headers, { publicUrl }: OriginRules): RelyingParty | null {
  const address = publicUrl ?? `http://${headers.get("host") ?? ""}`;
  const url = URL.parse(address);
  if (!url || (publicUrl === null && url.hostname !== "localhost")) return null;
  return isHostName(url.hostname) ? { id: url.hostname, origin: url.origin } : null;
}

function isHostName(name: string): boolean {
  return /[a-z]/i.test(name) && !name.startsWith("[");
}
