// Addresses of Google's API, and how the key goes along: in a header, never in the address, which
// proxies and logs keep.
import { encodedPath } from "../kit/google/path.ts";
import { lowered } from "../kit/headers.ts";
import type { Address, Target } from "../upstream.ts";

/** Null for a path that would lead to another place. */
export function addressBelow(
  path: string,
  { baseUrl, key, headers }: Target,
  { verb = "", wireHeaders = {} }: { verb?: string; wireHeaders?: Address["headers"] } = {},
): Address | null {
  const encoded = encodedPath(path);
  if (encoded === null) return null;
  return {
    // Operators paste a base URL with and without the version.
    url: `${baseUrl.replace(/(?<!\/)\/(?:v1(?:beta)?\/?)?$/, "")}/v1beta/${encoded}${verb}`,
    headers: { ...lowered(wireHeaders), ...lowered(headers), "x-goog-api-key": key },
  };
}
