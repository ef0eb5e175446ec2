// Names of Google's resources as parts of an address.
import { VendorRefusal, type Address } from "../../upstream.ts";

/** Null for a path that would lead to another place: encoding its dots does not help. */
export function encodedPath(path: string): string | null {
  const segments = path.split("/");
  if (segments.some((segment) => /^\.{0,2}$/.test(segment))) return null;
  // Half of a surrogate pair has no encoding.
  return segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join("/");
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
