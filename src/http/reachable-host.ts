// The name by which a server of this machine is called.

/** A server that listens on every address is called by the loopback one. */
export function reachableHost(hostname: string | undefined): string {
  if (hostname === undefined || hostname === "0.0.0.0") return "127.0.0.1";
  if (hostname === "::") return "[::1]";
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}
