// The one way out: every call to an upstream goes through here. HTTP/1.1 over sockets of our own:
// through `fetch` each piece of a stream would change threads and cost several promises.
import {
  encodeForm,
  OutboundFailed,
  type OutboundReply,
  type OutboundRequest,
  type Send,
} from "../outbound.ts";
import { readDestination } from "./destination.ts";
import { HttpCall } from "./http-call.ts";
import { Pool } from "./pool.ts";
import { renderHead } from "./request-text.ts";

const pool = new Pool();

export const send: Send = (request) => {
  try {
    const { body } = request;
    return body instanceof FormData ? sendForm(request, body) : begin(request, body ?? null);
  } catch (error) {
    return Promise.reject(OutboundFailed.from(error));
  }
};

async function sendForm(request: OutboundRequest, form: FormData): Promise<OutboundReply> {
  const { type, bytes } = await encodeForm(form);
  return await begin({ ...request, headers: { ...request.headers, "content-type": type } }, bytes);
}

function begin(request: OutboundRequest, body: string | Uint8Array | null) {
  const { url, serverName, isFresh = false, signal, connected = null } = request;
  // A listener to a signal that has aborted already is not told.
  if (signal.aborted) throw new OutboundFailed("AbortError");
  const destination = readDestination(url, serverName);
  // A connection to an address is not shared: another name may stand behind it.
  const isKept = serverName === undefined && !isFresh;
  const bodyBytes = body === null ? null : lengthOf(body);
  const head = renderHead(request, destination, { bodyBytes, isKept });
  const { text, bytes } = join(head, body, bodyBytes ?? 0);
  const isRepeatable = request.method === "GET" || request.method === "DELETE";
  const from = isKept ? pool : null;
  return new HttpCall({
    destination,
    text,
    bytes,
    isRepeatable,
    signal,
    connected,
    pool: from,
  }).begin();
}

/** Join to a text where that can be: the runtime encodes it into the socket without a copy. */
function join(head: string, body: string | Uint8Array | null, bodyBytes: number) {
  const bytes = head.length + bodyBytes;
  const text = body instanceof Uint8Array ? null : head + (body ?? "");
  // Measured together: alone the head would be put together from its pieces a second time.
  if (text !== null && Buffer.byteLength(text) === bytes) return { text, bytes };
  // A head has one byte for each character, a body may have more.
  const encoded = body instanceof Uint8Array ? body : Buffer.from(body ?? "");
  return { text: Buffer.concat([Buffer.from(head, "latin1"), encoded]), bytes };
}

function lengthOf(body: string | Uint8Array): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
}
