// A token that is sent as it was granted.
import type { PassGrant } from "../../../core/pass/pass.ts";

interface BearerToken {
  token: string;
  expiresAtSeconds: number;
  /** Sent beside it. */
  headers?: Readonly<Record<string, string>>;
}

export function bearerGrant({ token, expiresAtSeconds, headers = {} }: BearerToken): PassGrant {
  const proof = { ...headers, authorization: `Bearer ${token}` };
  return { sign: () => proof, expiresAtSeconds, secrets: [token] };
}
