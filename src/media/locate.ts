// Guards against SSRF and DNS rebinding: an untrusted URL is parsed, judged and resolved once, and
// every address checked. The connection is then made to a checked address, whatever the name says.
import { isIP } from "node:net";
import { lookup } from "node:dns/promises";
import { isListedAddress, isPublicAddress, judgeUrl, metadataNetworks } from "../core/url-guard.ts";

export type Resolve = (hostname: string) => Promise<readonly string[]>;

interface HostRules {
  /** Ports besides 80 and 443. */
  allowedPorts: readonly number[];
  /** Hosts, with their port, on networks of one's own that URLs may lead to. */
  privateHosts: readonly string[];
}

export interface LocateRules extends HostRules {
  resolve: Resolve;
}

export interface MediaPlace {
  url: URL;
  /** Not empty; the first is tried first. */
  addresses: readonly string[];
}

const usualPorts = [80, 443];
/** The system's own resolver, which knows the hosts file too. */
export const systemResolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/** Null when the URL must not be contacted. */
export async function locate(
  text: string,
  allowPrivate: boolean,
  rules: LocateRules,
): Promise<MediaPlace | null> {
  const url = allowPrivate ? withoutCredentials(text) : judgeLiteral(text, rules);
  if (!url) return null;
  const addresses = await addressesOf(url, rules.resolve);
  const isAllowed = allowPrivate || isOwnHost(url, rules) ? isOwnAddress : isPublicAddress;
  if (addresses.length === 0 || !addresses.every(isAllowed)) return null;
  return { url, addresses };
}

/** Verdict on a URL without looking anything up: null when it must not be contacted. */
export function judgeLiteral(text: string, rules: HostRules): URL | null {
  const url = withoutCredentials(text);
  if (!url || isOwnHost(url, rules)) return url;
  return judgeUrl(url.href) === "public" && isAllowedPort(url, rules) ? url : null;
}

function isOwnHost({ host }: URL, { privateHosts }: HostRules): boolean {
  return privateHosts.includes(host);
}

/** Credentials before the host are not ours to send; a fragment is never sent. */
function withoutCredentials(text: string): URL | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  url.username = "";
  url.password = "";
  url.hash = "";
  return url;
}

function isAllowedPort({ port, protocol }: URL, { allowedPorts }: HostRules): boolean {
  const number = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  return usualPorts.includes(number) || allowedPorts.includes(number);
}

function isOwnAddress(address: string): boolean {
  return !isListedAddress(address, metadataNetworks);
}

async function addressesOf({ hostname }: URL, resolve: Resolve): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) !== 0) return [literal];
  const addresses = await resolve(hostname);
  // A network without IPv6 is more common than one without IPv4.
  return addresses.toSorted((first, second) => isIP(first) - isIP(second));
}
