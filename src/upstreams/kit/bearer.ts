// Addresses of vendors that take their key as a bearer.
import type { Address, Target } from "../upstream.ts";

/** Operators paste a base URL with and without the version. */
export function bearerAddress(
  { baseUrl, key, headers }: Target,
  { path, version, token = key }: { path: string; version: RegExp; token?: string },
): Address {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    url: `${baseUrl.replace(/\/$/, "").replace(version, "")}${path}`,
    headers: { ...Object.fromEntries(own), authorization: `Bearer ${token}` },
  };
}
