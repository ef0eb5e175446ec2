// The second way out, over the platform's client: for what our own sockets do not speak, which is
// proxies and HTTP/2. The same port, so no caller can tell which of the two has carried a call. The
// client reads heads and frames on a thread of its own and by its own limits, so a flood of them
// cannot hold up the loop, but only a deadline ends it. Servers that strangers name are never asked
// this way.
import { FetchCall } from "./fetch-call.ts";
import {
  assertHeader,
  encodeForm,
  OutboundFailed,
  plainTransport,
  type OutboundReply,
  type OutboundRequest,
  type Transport,
} from "../outbound.ts";

/** Send a request the way that it names, unless another is given. */
export async function fetchSend(
  request: OutboundRequest,
  transport: Transport = request.transport ?? plainTransport,
): Promise<OutboundReply> {
  const { url, body, signal } = request;
  const init = toInit(request, transport);
  if (body instanceof FormData) {
    const { type, bytes } = await encodeForm(body);
    init.headers.set("content-type", type);
    init.body = new Uint8Array(bytes);
  } else if (body !== undefined) {
    init.body = body;
  }
  // A listener to a signal that has aborted already is not told.
  if (signal.aborted) throw new OutboundFailed("AbortError");
  return await new FetchCall(signal, transport.proxy !== null).begin(url, init);
}

function toInit(
  { url, method, headers, serverName, isFresh = false }: OutboundRequest,
  { proxy, isHttp2 }: Transport,
): BunFetchRequestInit & { headers: Headers } {
  const target = URL.parse(url);
  // A password in the address would be sent, and our own sockets send none.
  if (!target || !/^https?:$/.test(target.protocol) || target.username || target.password) {
    throw new OutboundFailed("InvalidURL", true);
  }
  return {
    method,
    headers: toHeaders(headers),
    redirect: "manual",
    decompress: false,
    // A vendor may think for minutes; whoever asks has a deadline.
    timeout: false,
    // A connection to an address is not shared: another name may stand behind it.
    keepalive: serverName === undefined && !isFresh,
    // Said in any case: the runtime reads the environment by itself, and by rules of its own.
    proxy: proxy === null ? false : { url: proxy, respectNoProxy: false },
    protocol: isHttp2 ? "http2" : "http1.1",
    ...(serverName !== undefined && { tls: { serverName } }),
  };
}

/** Said by the client itself: they decide where one request ends and the next begins. */
const ownNames = new Set(["content-length", "transfer-encoding", "connection"]);

function toHeaders(headers: OutboundRequest["headers"]): Headers {
  // The client would ask for whatever it can unpack.
  const checked = new Headers({ "accept-encoding": "identity" });
  for (const [name, value] of Object.entries(headers)) {
    assertHeader(name, value);
    if (!ownNames.has(name.toLowerCase())) checked.set(name, value);
  }
  return checked;
}
