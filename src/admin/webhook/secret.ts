import type { Operator } from "../../identity/caller.ts";
import { noting } from "../audit/entry.ts";
import type { WebhookSecret } from "../contract.ts";
import type { ControlParts } from "../parts.ts";

/** With what one's own callbacks are signed. */
export async function readWebhookSecret(
  { webhookSecrets }: ControlParts,
  { accountId }: Operator,
): Promise<WebhookSecret> {
  const [secret, ...others] = await webhookSecrets.of(accountId);
  return { secret, overlaps: others.length > 0 };
}

/** A new one. The one before signs along for a day, so that receivers can be changed. */
export async function rotateWebhookSecret(
  parts: ControlParts,
  operator: Operator,
): Promise<WebhookSecret> {
  const { accountId } = operator;
  const note = { action: "user.webhook_secret", target: accountId } as const;
  await parts.webhookSecrets.rotate(noting(parts, operator, note).database, accountId);
  return await readWebhookSecret(parts, operator);
}
