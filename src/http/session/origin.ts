// The way by which a browser reaches the gateway: whether over https, and under which origin its
// own pages are. The gateway itself speaks plain http, so it has to be told, or has to see that no
// network is in between.
import { isOwnName } from "../gate.ts";

export interface OriginRules {
  publicUrl: string | null;
  trustProxy: boolean;
}

/** Over https; over http where that is harmless or the operator's wish; or neither is known. */
export type OriginTransport = "secure" | "plain" | "unknown";

/** The public address decides; without one a trusted proxy; without either only this machine. */
export function transportOf(
  headers: Headers,
  { publicUrl, trustProxy }: OriginRules,
): OriginTransport {
  if (publicUrl !== null) return /^https:/i.test(publicUrl) ? "secure" : "plain";
  const protocol = headers.get("x-forwarded-proto")?.split(",").at(-1)?.trim().toLowerCase();
  if (trustProxy && protocol === "https") return "secure";
  return isProxied(headers) || !isOwnName(headers.get("host") ?? "") ? "unknown" : "plain";
}

/** A proxy may give any name as the host, so with one in between the host says nothing. */
export function isProxied(headers: Headers): boolean {
  return ["forwarded", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "via"].some(
    (name) => headers.has(name),
  );
}

export function isOwnOrigin(origin: string, headers: Headers, rules: OriginRules): boolean {
  if (rules.publicUrl !== null && origin === new URL(rules.publicUrl).origin) return true;
  const host = headers.get("host") ?? "";
  // On the machine itself the gateway is called by http, whatever its public address is.
  const isSecure = transportOf(headers, rules) === "secure" && !isOwnName(host);
  return URL.parse(`${isSecure ? "https" : "http"}://${host}`)?.origin === origin;
}
