// From an answer of a flow to a response of the platform.
import { sseComment } from "../core/sse.ts";
import type { Answer } from "../gateway/answer.ts";
import { frameType, pingFrame } from "../gateway/text/pump/frame-writer.ts";
import type { Route } from "./route.ts";
import type { Answered, OpenStreams } from "./stream-response.ts";

export interface ResponseFacts {
  requestId: string;
  request: Request;
  /** True on the control plane, which no browser page of another origin and no cache may read. */
  isControl: boolean;
  streams: OpenStreams;
}

/** JSON may have white space between its values. */
const lineBreak = new TextEncoder().encode("\n");

export function respond(
  answer: Answer,
  facts: ResponseFacts,
  connection: Answered | null = null,
): Response {
  const { request, streams } = facts;
  const { status, contentType, body } = answer;
  if (typeof body === "string" || body instanceof Uint8Array || body instanceof Blob) {
    connection?.answered();
    const packed = facts.isControl ? pack(answer, request) : null;
    const response = dress(new Response(packed ?? body, { status }), answer, facts);
    if (packed) response.headers.set("content-encoding", "gzip");
    return response;
  }
  if (request.method === "HEAD") {
    connection?.answered();
    body.cancel();
    const response = dress(new Response(null, { status }), answer, facts);
    if (answer.bytes !== undefined) response.headers.set("content-length", String(answer.bytes));
    return response;
  }
  const stream = streams.open(body, fillerOf(contentType), connection);
  const response = dress(new Response(stream, { status }), answer, facts);
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-cache");
  response.headers.set("x-accel-buffering", "no");
  return response;
}

/** Below this it is one packet or a few anyway. */
const packedCharactersMin = 8192;

/** Long lists of the control plane, for who takes them packed; null where it stays as it is. */
function pack({ contentType, body }: Answer, request: Request): Uint8Array<ArrayBuffer> | null {
  if (typeof body !== "string" || body.length < packedCharactersMin) return null;
  if (contentType !== "application/json" || !takesGzip(request)) return null;
  return Bun.gzipSync(body, { level: 4 });
}

function takesGzip({ headers }: Request): boolean {
  return /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(
    headers.get("accept-encoding") ?? "",
  );
}

/** One by one: given to the response as an object they take a third longer. */
function dress(response: Response, answer: Answer, facts: ResponseFacts): Response {
  const { requestId, request } = facts;
  const { headers } = response;
  const { headers: own = {} } = answer;
  for (const name of Object.keys(own)) headers.set(name, own[name] ?? "");
  if (answer.cookie !== undefined) headers.append("set-cookie", answer.cookie);
  headers.set("content-type", answer.contentType);
  headers.set("x-request-id", requestId);
  headers.set("request-id", requestId);
  if (facts.isControl) headers.set("cache-control", "no-store");
  else if (request.headers.has("origin")) headers.set("access-control-allow-origin", "*");
  return response;
}

/** A body that is neither events, frames nor JSON has no place for anything in between. */
function fillerOf(contentType: string): Uint8Array | null {
  if (contentType === "text/event-stream") return sseComment;
  if (contentType === frameType) return pingFrame;
  return contentType.startsWith("application/json") ? lineBreak : null;
}

/** Routes of people who sign in, of their assets, and of this machine: for own pages alone. */
export function isControl({ envelope, policy }: Route): boolean {
  return envelope === "session" || envelope === "c" || policy === "local";
}

/** Pages of other origins may call what takes a key, never what takes cookies. */
export function isOpenToPages(route: Route): boolean {
  return route.policy === "key" && !isControl(route);
}

export function respondPreflight(requestId: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "x-request-id": requestId,
      "request-id": requestId,
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers": "*, authorization",
      "access-control-max-age": "86400",
    },
  });
}
