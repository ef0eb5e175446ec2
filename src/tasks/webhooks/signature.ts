// Standard Webhooks: how a receiver tells that a call is ours, and has not been sent twice.
import { createHmac } from "node:crypto";
import type { AccountId } from "../../core/ids.ts";

const prefix = "whsec_";

/** Each account has its own, made from the secret of the installation; the first has number 0. */
export function webhookSecret(master: string, accountId: AccountId, version = 0): string {
  const owner = version === 0 ? accountId : `${accountId}\n${version}`;
  const bytes = createHmac("sha256", master).update(`sluice webhooks\n${owner}`).digest();
  return prefix + bytes.toString("base64");
}

interface Signed {
  id: string;
  atSeconds: number;
  body: string;
}

/** One signature for each secret: a receiver takes the call that has one of its own. */
export function signedHeaders(
  { id, atSeconds, body }: Signed,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${atSeconds}.${body}`).digest("base64")}`;
  });
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(atSeconds),
    "webhook-signature": signatures.join(" "),
  };
}
