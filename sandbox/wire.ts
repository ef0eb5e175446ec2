// Shared parts of vendors that answer with whole JSON bodies.
import { type Json, JsonError, parseJson } from "../src/core/json.ts";
import { noFaults, type Faults } from "./directives.ts";
import type { Answer, VendorRequest } from "./vendor.ts";

/** Every vendor of the sandbox refuses this key. */
export const revokedKey = "sk-sandbox-revoked";

/** In the sandbox the secret of an access key follows from it. */
export function secretOf(access: string): string {
  return `secret-of-${access}`;
}

/** One request of a key for images. */
export interface ImageVisit {
  request: VendorRequest;
  key: string;
  nowMs: number;
  /** Unique in this sandbox; two drawings of one prompt differ by it. */
  serial: string;
}

export function jsonAnswer(
  body: object,
  { status = 200, faults = noFaults }: { status?: number; faults?: Faults } = {},
): Answer {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (status === 429) headers["retry-after"] = "1";
  return { status, headers, faults, content: { kind: "whole", bytes } };
}

/** Null when there is none. */
export function bearerOf({ headers }: VendorRequest): string | null {
  return /^Bearer (\S+)$/.exec(headers.get("authorization") ?? "")?.[1] ?? null;
}

/** Undefined when it is no JSON. */
export function jsonBodyOf({ body }: VendorRequest): Json | undefined {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
