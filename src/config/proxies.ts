// The proxy variables that most programs share. In lower case they win, as with curl.
import type { ProxyRules } from "../core/proxy-rules.ts";
import type { Environment } from "./environment.ts";
import { isProxyUrl } from "./fields.ts";

export function readProxies(environment: Environment): { proxies: ProxyRules; problems: string[] } {
  const problems: string[] = [];
  const read = (name: string): string | null => {
    const variable = environment[name.toLowerCase()] ? name.toLowerCase() : name;
    const text = environment[variable];
    if (!text) return null;
    if (isProxyUrl(text)) return text;
    problems.push(`environment ${variable} must be an http or https address without a path`);
    return null;
  };
  const exempt = (environment["no_proxy"] || environment["NO_PROXY"]) ?? "";
  const proxies = {
    http: read("HTTP_PROXY"),
    https: read("HTTPS_PROXY"),
    exempt: exempt.split(/[\s,]+/).filter((entry) => entry !== ""),
  };
  return { proxies, problems };
}
