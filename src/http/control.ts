// The routes of the control plane: who may call what. Each answers `{success, message, data}`.
import { accessTokens } from "../admin/access-token/verbs.ts";
import { announcements } from "../admin/announcement/verbs.ts";
import type { NotingNeeds } from "../admin/audit/entry.ts";
import { auditLog } from "../admin/audit/verbs.ts";
import type { ChannelNeeds } from "../admin/channel/needs.ts";
import { channels } from "../admin/channel/verbs.ts";
import type { GroupNeeds } from "../admin/group/write.ts";
import { groups } from "../admin/group/verbs.ts";
import { invitations } from "../admin/invitation/verbs.ts";
import { keys } from "../admin/key/verbs.ts";
import { usageLog } from "../admin/log/verbs.ts";
import { modelNotes } from "../admin/model-note/verbs.ts";
import type { PriceNeeds } from "../admin/price/write.ts";
import { prices } from "../admin/price/verbs.ts";
import type { RecordNeeds } from "../admin/record-needs.ts";
import type { RedemptionNeeds } from "../admin/redemption/needs.ts";
import { redemptions } from "../admin/redemption/verbs.ts";
import type { StatusNeeds } from "../admin/status/read.ts";
import { status } from "../admin/status/verbs.ts";
import { tasks } from "../admin/task/verbs.ts";
import { usage } from "../admin/usage/verbs.ts";
import type { UserNeeds } from "../admin/user/needs.ts";
import { users } from "../admin/user/verbs.ts";
import type { WebhookSecretNeeds } from "../admin/webhook/secret.ts";
import { webhooks } from "../admin/webhook/verbs.ts";
import { forEnrolment, rowsWith } from "./control-route.ts";
import type { ControlRoute } from "./route.ts";

/** By what is worked on. */
export interface ControlNeeds {
  channels: ChannelNeeds;
  groups: GroupNeeds;
  prices: PriceNeeds;
  /** Accounts, and all that gets one in: keys, tokens, invitations. */
  accounts: UserNeeds;
  redemptions: RedemptionNeeds;
  webhookSecrets: WebhookSecretNeeds;
  /** For what stands in tables of its own and is read from nowhere else. */
  tables: NotingNeeds;
  records: RecordNeeds;
  status: StatusNeeds;
}

export function controlRoutes(needs: ControlNeeds): ControlRoute[] {
  const channel = rowsWith(needs.channels);
  const group = rowsWith(needs.groups);
  const price = rowsWith(needs.prices);
  const account = rowsWith(needs.accounts);
  const redemption = rowsWith(needs.redemptions);
  const secret = rowsWith(needs.webhookSecrets);
  const table = rowsWith(needs.tables);
  const record = rowsWith(needs.records);
  const about = rowsWith(needs.status);
  return [
    channel("GET", "/api/channel", "admin", channels.list),
    channel("POST", "/api/channel", "admin", channels.create),
    channel("GET", "/api/channel/{id}", "admin", channels.read),
    channel("PATCH", "/api/channel/{id}", "admin", channels.change),
    channel("DELETE", "/api/channel/{id}", "admin", channels.remove),
    channel("POST", "/api/channel/{id}/test", "admin", channels.test),
    account("GET", "/api/token", "user", keys.list),
    account("POST", "/api/token", "user", keys.create),
    account("GET", "/api/token/{id}", "user", keys.read),
    account("PATCH", "/api/token/{id}", "user", keys.change),
    account("DELETE", "/api/token/{id}", "user", keys.revoke),
    group("GET", "/api/group", "admin", groups.list),
    group("POST", "/api/group", "admin", groups.write),
    group("DELETE", "/api/group", "admin", groups.removeNamed),
    group("DELETE", "/api/group/{name}", "admin", groups.remove),
    price("GET", "/api/price", "admin", prices.list),
    price("POST", "/api/price", "admin", prices.write),
    price("DELETE", "/api/price", "admin", prices.remove),
    account("GET", "/api/user", "admin", users.list),
    account("POST", "/api/user", "admin", users.create),
    forEnrolment(account("GET", "/api/user/self", "user", users.readSelf)),
    account("GET", "/api/user/{id}", "admin", users.read),
    account("PATCH", "/api/user/{id}", "admin", users.change),
    account("DELETE", "/api/user/{id}", "admin", users.disable),
    account("POST", "/api/user/{id}/credit", "admin", users.credit),
    account("POST", "/api/user/{id}/token", "user", users.createToken),
    account("DELETE", "/api/user/{id}/token", "user", users.revokeTokens),
    account("DELETE", "/api/user/{id}/second-factor", "admin", users.resetFactors),
    account("GET", "/api/access-token", "user", accessTokens.list),
    account("POST", "/api/access-token", "user", accessTokens.create),
    account("DELETE", "/api/access-token/{id}", "user", accessTokens.revoke),
    account("GET", "/api/invitation", "admin", invitations.list),
    account("POST", "/api/invitation", "admin", invitations.create),
    account("DELETE", "/api/invitation/{id}", "admin", invitations.remove),
    redemption("GET", "/api/redemption", "admin", redemptions.list),
    redemption("POST", "/api/redemption", "admin", redemptions.create),
    redemption("DELETE", "/api/redemption/{id}", "admin", redemptions.remove),
    redemption("POST", "/api/redemption/redeem", "user", redemptions.redeem),
    table("GET", "/api/announcement", "user", announcements.list),
    table("POST", "/api/announcement", "admin", announcements.create),
    table("PATCH", "/api/announcement/{id}", "admin", announcements.change),
    table("DELETE", "/api/announcement/{id}", "admin", announcements.remove),
    table("GET", "/api/model-note", "user", modelNotes.list),
    table("POST", "/api/model-note", "admin", modelNotes.write),
    table("DELETE", "/api/model-note", "admin", modelNotes.remove),
    record("GET", "/api/audit", "admin", auditLog.list),
    record("GET", "/api/log", "admin", usageLog.list),
    record("GET", "/api/log/self", "user", usageLog.listOwn),
    record("GET", "/api/usage", "admin", usage.list),
    record("GET", "/api/usage/self", "user", usage.listOwn),
    record("GET", "/api/task", "admin", tasks.list),
    record("GET", "/api/task/self", "user", tasks.listOwn),
    record("GET", "/api/webhook", "admin", webhooks.list),
    record("GET", "/api/webhook/self", "user", webhooks.listOwn),
    secret("GET", "/api/webhook-secret", "user", webhooks.readSecret),
    secret("POST", "/api/webhook-secret", "user", webhooks.rotateSecret),
    about("GET", "/api/status", "user", status.read),
  ];
}
