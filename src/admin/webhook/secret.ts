import type { Operator } from "../../identity/caller.ts";
import type { WebhookSecret } from "../contract.ts";
import type { ControlParts } from "../parts.ts";

/** With what one's own callbacks are signed. */
export async function readWebhookSecret(
  { webhookSecretOf }: ControlParts,
  { accountId }: Operator,
): Promise<WebhookSecret> {
  return { secret: webhookSecretOf(accountId) };
}
