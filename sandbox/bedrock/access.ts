// Callers of Bedrock: an API key as a bearer, or an access key that signs, with a session token
// where it is one of a role. A session's token says when it ends.
import { bearerOf, revokedKey } from "../wire.ts";
import type { VendorRequest } from "../vendor.ts";
import { BedrockRefusal } from "./errors.ts";
import { verifySignature } from "./signature.ts";

export const bedrockPrefix = "/bedrock";
const revokedAccess = "AKIAREVOKED";

/** The key as directives name it. */
export function callerOf(request: VendorRequest, service: string, nowMs: number): string {
  const caller = bearerOf(request) ?? signerOf(request, service, nowMs);
  request.note({ bearer: caller });
  if (caller === revokedKey || caller === revokedAccess) {
    const message = "The security token included in the request is invalid.";
    throw new BedrockRefusal(403, message, "UnrecognizedClientException");
  }
  return caller;
}

function signerOf(request: VendorRequest, service: string, nowMs: number): string {
  const { method, path, query, headers, body } = request;
  if (headers.get("authorization") === null) {
    throw new BedrockRefusal(
      403,
      "Missing Authentication Token",
      "MissingAuthenticationTokenException",
    );
  }
  const sent = { method, path: `${bedrockPrefix}${path}`, query, headers, body };
  const access = verifySignature(sent, service, nowMs);
  // Temporary ones have this beginning.
  if (access.startsWith("ASIA")) checkSession(access, headers, nowMs);
  return access;
}

function checkSession(access: string, headers: Headers, nowMs: number): void {
  const [name, endMs] = (headers.get("x-amz-security-token") ?? "").split(".");
  if (name !== `session-of-${access}`) {
    const message = "The security token included in the request is invalid.";
    throw new BedrockRefusal(403, message, "UnrecognizedClientException");
  }
  if (Number(endMs) <= nowMs) {
    const message = "The security token included in the request is expired";
    throw new BedrockRefusal(403, message, "ExpiredTokenException");
  }
}

export function sessionToken(access: string, endMs: number): string {
  return `session-of-${access}.${endMs}`;
}
