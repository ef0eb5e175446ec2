// The proxy that the environment names for an address, by the rules that most programs share. This
// machine is always reached directly.
import { isListedAddress } from "./url-guard.ts";

export interface ProxyRules {
  /** For upstreams of http and of https. */
  readonly http: string | null;
  readonly https: string | null;
  /** Hosts and domains, with or without a port, addresses, networks; `*` stands for all. */
  readonly exempt: readonly string[];
}

const thisMachine = ["localhost", "127.0.0.0/8", "::1"];

/** Asked for every call to an upstream, and hardly ever is there a proxy. */
export function proxyFor(rules: ProxyRules, url: string): string | null {
  return rules.http === null && rules.https === null ? null : chooseProxy(rules, url);
}

function chooseProxy({ http, https, exempt }: ProxyRules, url: string): string | null {
  const target = URL.parse(url);
  const proxy = target?.protocol === "https:" ? https : http;
  if (!target || proxy === null) return null;
  return [...thisMachine, ...exempt].some((entry) => covers(entry, target)) ? null : proxy;
}

function covers(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === "*") return true;
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isListedAddress(host, [entry])) return true;
  const [, name = "", only] = /^\*?\.?([^:]+)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (name === "" || (host !== name && !host.endsWith(`.${name}`))) return false;
  return only === undefined || only === (port || (protocol === "https:" ? "443" : "80"));
}
