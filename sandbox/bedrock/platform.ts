// Claude Platform on AWS: Anthropic's own wire with the credentials of AWS, for a workspace that
// each request has to name.
import type { Answer, Vendor, VendorRequest } from "../vendor.ts";
import { jsonAnswer } from "../wire.ts";
import { callerOf } from "./access.ts";

const platformPath = /^\/aws-external-anthropic(\/v1\/.*)$/;

/** Null for a path that is none of its own. */
export function platformAnswer(
  request: VendorRequest,
  anthropic: Vendor,
  nowMs: number,
): Answer | null {
  const [, path] = platformPath.exec(request.path) ?? [];
  if (path === undefined) return null;
  const apiKey = request.headers.get("x-api-key");
  const key = apiKey ?? callerOf(request, "aws-external-anthropic", nowMs);
  if (!request.headers.has("anthropic-workspace-id")) {
    const message = "anthropic-workspace-id: header is required";
    const error = { type: "invalid_request_error", message };
    return { ...jsonAnswer({ type: "error", error }), status: 400 };
  }
  const headers = new Headers(request.headers);
  headers.delete("authorization");
  headers.set("x-api-key", key);
  return anthropic.answer({ ...request, path, headers });
}
