// Decides whether an address may be contacted. Judged on the parsed form, never on the text.
import ipaddr from "ipaddr.js";

export type UrlVerdict = "public" | "private" | "invalid";

/** Shown as ordinary unicast by the address library, though it is a cloud's metadata host. */
const metadataAddresses = new Set(["168.63.129.16", "100.100.100.200", "192.0.0.192"]);
const privateNames = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/;

/** Judges a URL by its literal host; a name that must be resolved first counts as public here. */
export function judgeUrl(text: string): UrlVerdict {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return "invalid";
  if (url.username !== "" || url.password !== "") return "invalid";
  return judgeHost(url.hostname);
}

function judgeHost(hostname: string): UrlVerdict {
  const name = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  if (name === "") return "invalid";
  if (ipaddr.isValid(name)) return isPublicAddress(name) ? "public" : "private";
  return privateNames.test(name) || !name.includes(".") ? "private" : "public";
}

export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === "unicast" && !metadataAddresses.has(parsed.toString());
}

/** True when the client's address is one of the listed addresses or inside one of the networks. */
export function isListedAddress(address: string, list: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return list.some((entry) => matches(parsed, entry));
}

type Address = ReturnType<typeof ipaddr.process>;

function matches(address: Address, entry: string): boolean {
  if (!entry.includes("/")) {
    return ipaddr.isValid(entry) && ipaddr.process(entry).toString() === address.toString();
  }
  if (!ipaddr.isValidCIDR(entry)) return false;
  const [network, bits] = ipaddr.parseCIDR(entry);
  return network.kind() === address.kind() && address.match([network, bits]);
}
