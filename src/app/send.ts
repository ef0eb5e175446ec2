// Choice of the way out that carries a call: our own sockets, unless a channel or the environment
// names a proxy, or a channel wants HTTP/2.
import { fetchSend } from "../core/fetch/fetch-send.ts";
import type { Config } from "../config/config.ts";
import type { Send } from "../core/outbound.ts";
import { withPasses, type PassNeeds, type PublicPlace } from "../core/pass/with-passes.ts";
import { proxyFor } from "../core/proxy-rules.ts";
import { send } from "../core/wire/send.ts";
import { locate, systemResolve } from "../media/locate.ts";

type SendNeeds = Pick<PassNeeds, "clock" | "deadlines">;

export function createSend({ proxies, cloud }: Config, { clock, deadlines }: SendNeeds): Send {
  return withPasses(waysOut(proxies), {
    clock,
    deadlines,
    variable: (name) => cloud[name],
    readFile: (path) => Bun.file(path).text(),
    locatePublic,
  });
}

/** Looked up once, so that the connection is made to the address that was judged. */
async function locatePublic(text: string): Promise<PublicPlace | null> {
  const port = Number(URL.parse(text)?.port ?? "");
  const rules = { resolve: systemResolve, allowedPorts: [port], privateHosts: [] };
  const place = await locate(text, false, rules);
  const [address] = place?.addresses ?? [];
  if (!place || address === undefined) return null;
  const direct = new URL(place.url);
  direct.hostname = address.includes(":") ? `[${address}]` : address;
  const { host, hostname } = place.url;
  const { href: url } = direct;
  const headers = { host };
  return direct.hostname === hostname ? { url, headers } : { url, headers, serverName: hostname };
}

function waysOut(rules: Config["proxies"]): Send {
  return (request) => {
    const { transport, url } = request;
    // An address outside of channels was resolved and judged before: a proxy would look again.
    if (!transport) return send(request);
    const proxy = transport.proxy ?? proxyFor(rules, url);
    // Through a proxy the platform's client speaks HTTP/1.1 alone.
    const isHttp2 = transport.isHttp2 && proxy === null;
    if (proxy === null && !isHttp2) return send(request);
    return fetchSend(request, { proxy, isHttp2 });
  };
}
