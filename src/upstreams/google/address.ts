// Addresses of Google's API, and how the key goes along: in a header, never in the address, which
// proxies and logs keep.
import { lowered } from "../kit/headers.ts";
import { VendorRefusal, type Address, type Target } from "../upstream.ts";

/** Null for a path that would lead to another place: encoding its dots does not help. */
export function addressBelow(
  path: string,
  { baseUrl, key, headers }: Target,
  { verb = "", wireHeaders = {} }: { verb?: string; wireHeaders?: Address["headers"] } = {},
): Address | null {
  const segments = path.split("/");
  if (segments.some((segment) => /^\.{0,2}$/.test(segment))) return null;
  // Half of a surrogate pair has no encoding.
  const encoded = segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join("/");
  return {
    // Operators paste a base URL with and without the version.
    url: `${baseUrl.replace(/(?<!\/)\/(?:v1(?:beta)?\/?)?$/, "")}/v1beta/${encoded}${verb}`,
    headers: { ...lowered(wireHeaders), ...lowered(headers), "x-goog-api-key": key },
  };
}

/** Google's own lists name a model with its folder. */
export function bareName(model: string): string {
  return model.replace(/^models\//, "");
}

/** The address of what is there; a name that leads elsewhere is the channel's fault. */
export function placed(address: Address | null): Address {
  if (address !== null) return address;
  throw new VendorRefusal({
    blame: "channel",
    message: "the name leads to no place at the vendor",
  });
}
