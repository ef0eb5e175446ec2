// From an answer of a flow to a response of the platform.
import { sseComment } from "../core/sse.ts";
import type { Answer } from "../gateway/answer.ts";
import type { OpenStreams } from "./stream-response.ts";

export interface ResponseFacts {
  requestId: string;
  request: Request;
  /** Of the control plane, which no browser page of another origin and no cache may read. */
  isControl: boolean;
  streams: OpenStreams;
}

/** JSON may have white space between its values. */
const lineBreak = new TextEncoder().encode("\n");

export function respond(answer: Answer, facts: ResponseFacts): Response {
  const { requestId, request, streams } = facts;
  const { status, contentType, body } = answer;
  // Copied first: added to an object that has something already they take several times as long.
  const shown: Record<string, string> = {
    ...answer.headers,
    "content-type": contentType,
    "x-request-id": requestId,
    "request-id": requestId,
  };
  if (facts.isControl) shown["cache-control"] = "no-store";
  else if (request.headers.has("origin")) shown["access-control-allow-origin"] = "*";
  if (typeof body === "string" || body instanceof Uint8Array) {
    // What is left of an upload that was refused is not worth reading.
    if (status >= 400 && !isBodyRead(request)) shown["connection"] = "close";
    return new Response(body, { status, headers: shown });
  }
  if (body instanceof Blob) return new Response(body, { status, headers: shown });
  if (request.method === "HEAD" && answer.bytes !== undefined) {
    body.cancel();
    shown["content-length"] = String(answer.bytes);
    return new Response(null, { status, headers: shown });
  }
  shown["cache-control"] ??= "no-cache";
  shown["x-accel-buffering"] = "no";
  return new Response(streams.open(body, fillerOf(contentType)), { status, headers: shown });
}

function isBodyRead(request: Request): boolean {
  return request.body === null || request.bodyUsed;
}

/** What is neither events nor JSON has no place for anything in between. */
function fillerOf(contentType: string): Uint8Array | null {
  if (contentType === "text/event-stream") return sseComment;
  return contentType.startsWith("application/json") ? lineBreak : null;
}

/** Browsers may call the public routes with a key, never with cookies. */
export function respondPreflight(path: string, requestId: string): Response {
  const isPublic = ["/v1/", "/v1beta/", "/dashboard/"].some((base) => path.startsWith(base));
  return new Response(null, {
    status: isPublic ? 204 : 405,
    headers: {
      "x-request-id": requestId,
      "request-id": requestId,
      ...(isPublic && {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, POST, DELETE",
        "access-control-allow-headers": "*, authorization",
        "access-control-max-age": "86400",
      }),
    },
  });
}
