// Decides whether an address may be contacted. Judged on the parsed form, never on the text.
import ipaddr from "ipaddr.js";

type UrlVerdict = "public" | "private" | "invalid";

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

/**
 * Addresses at which clouds hand out credentials to whoever asks: closed even where private ones
 * are open.
 */
export const metadataNetworks: readonly string[] = [
  "0.0.0.0/8",
  "169.254.0.0/16",
  "fe80::/10",
  "fd00:ec2::254",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
];

const metadataNames = /^(?:metadata|instance-data)(?:\.|$)/;

/** Whether the URL's literal host is one of them, or the name that a cloud has for it. */
export function isMetadataHost(text: string): boolean {
  const name = withoutDots((URL.parse(text)?.hostname ?? "").replace(/^\[|\]$/g, ""));
  if (ipaddr.isValid(name)) return isListedAddress(name, metadataNetworks);
  return metadataNames.test(name) && judgeHost(name) === "private";
}

function judgeHost(hostname: string): UrlVerdict {
  const name = withoutDots(hostname.replace(/^\[|\]$/g, "").toLowerCase());
  if (name === "") return "invalid";
  if (ipaddr.isValid(name)) return isPublicAddress(name) ? "public" : "private";
  return privateNames.test(name) || !name.includes(".") ? "private" : "public";
}

/** Any number of dots at the end names the same host. Not by pattern: that takes squared time. */
function withoutDots(name: string): string {
  let end = name.length;
  while (name[end - 1] === ".") end--;
  return name.slice(0, end);
}

export function isPublicAddress(address: string): boolean {
  const parsed = parse(address);
  if (!parsed || !isGlobal(parsed) || parsed.range() !== "unicast") return false;
  return !metadataAddresses.has(parsed.toString());
}

/** The only part of IPv6 that is given out; elsewhere lie forms with an IPv4 address inside. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

function isGlobal(address: Address): boolean {
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

/** True when the client's address is one of the listed addresses or inside one of the networks. */
export function isListedAddress(address: string, list: readonly string[]): boolean {
  const parsed = parse(address);
  return parsed !== null && list.some((entry) => matches(parsed, entry));
}

/** The network of one likely client: an IPv4 address, or a network of 64 bits of IPv6. */
export function networkOf(address: string): string {
  const parsed = parse(address);
  if (parsed === null) return address;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

type Address = ReturnType<typeof ipaddr.process>;

/** The library takes ::1.2.3.4 for ::ffff:1.2.3.4, which is another address. */
const misreadForm = /^::[^:]*\./;

function parse(address: string): Address | null {
  return ipaddr.isValid(address) && !misreadForm.test(address) ? ipaddr.process(address) : null;
}

function matches(address: Address, entry: string): boolean {
  if (!entry.includes("/")) {
    return parse(entry)?.toString() === address.toString();
  }
  if (!ipaddr.isValidCIDR(entry)) return false;
  const [network, bits] = ipaddr.parseCIDR(entry);
  return network.kind() === address.kind() && address.match([network, bits]);
}
