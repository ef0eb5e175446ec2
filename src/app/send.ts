// Choice of the way out that carries a call: our own sockets, unless a channel or the environment
// names a proxy, or a channel wants HTTP/2.
import { fetchSend } from "../core/fetch/fetch-send.ts";
import type { Send } from "../core/outbound.ts";
import { proxyFor, type ProxyRules } from "../core/proxy-rules.ts";
import { send } from "../core/wire/send.ts";

export function createSend(rules: ProxyRules): Send {
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
