// The address by which a client has called the gateway, for links in what it reads.
import { isProxied, type OriginRules } from "../session/origin.ts";

/**
 * The client's own word for us. A proxy may have put any name there, so with one in between it
 * counts only where the proxy is trusted and says how it was called.
 */
export function calledAddress(
  headers: Headers,
  { trustProxy }: Pick<OriginRules, "trustProxy">,
): string | null {
  const host = headers.get("host");
  if (host === null) return null;
  if (!isProxied(headers)) return `http://${host}`;
  const protocol = headers.get("x-forwarded-proto")?.split(",").at(-1)?.trim().toLowerCase();
  const isTold = trustProxy && (protocol === "https" || protocol === "http");
  return isTold ? `${protocol}://${host}` : null;
}
