// Standard Webhooks: how a receiver tells that a call is ours, and has not been sent twice.
import { createHmac } from "node:crypto";
import type { AccountId } from "../../core/ids.ts";

const prefix = "whsec_";

/** Each account has its own, made from the secret of the installation. */
export function webhookSecret(master: string, accountId: AccountId): string {
  const bytes = createHmac("sha256", master).update(`sluice webhooks\n${accountId}`).digest();
  return prefix + bytes.toString("base64");
}

export interface Signed {
  id: string;
  atSeconds: number;
  body: string;
}

export function signedHeaders(
  { id, atSeconds, body }: Signed,
  secret: string,
): Record<string, string> {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const digest = createHmac("sha256", key).update(`${id}.${atSeconds}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(atSeconds),
    "webhook-signature": `v1,${digest}`,
  };
}
