// The secret that one's callbacks are signed with.
import type { Operator } from "../../identity/caller.ts";
import type { WebhookSecrets } from "../../tasks/webhooks/secrets.ts";
import { noting, type NotingNeeds } from "../audit/entry.ts";
import type { WebhookSecret } from "./contract.ts";

export interface WebhookSecretNeeds extends NotingNeeds {
  webhookSecrets: WebhookSecrets;
}

/** With what one's own callbacks are signed. */
export async function readWebhookSecret(
  { webhookSecrets }: WebhookSecretNeeds,
  { accountId }: Operator,
): Promise<WebhookSecret> {
  const [secret, ...others] = await webhookSecrets.of(accountId);
  return { secret, overlaps: others.length > 0 };
}

/** A new one. The one before signs along for a day, so that receivers can be changed. */
export async function rotateWebhookSecret(
  needs: WebhookSecretNeeds,
  operator: Operator,
): Promise<WebhookSecret> {
  const { accountId } = operator;
  const note = { action: "user.webhook_secret", target: accountId } as const;
  await needs.webhookSecrets.rotate(noting(needs, operator, note).database, accountId);
  return await readWebhookSecret(needs, operator);
}
