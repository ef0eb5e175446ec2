// The routes of the control plane: who may call what. Each answers `{success, message, data}`.
import { accessTokenVerbs } from "../admin/access-token/verbs.ts";
import { announcementVerbs } from "../admin/announcement/verbs.ts";
import type { NotingNeeds } from "../admin/audit/entry.ts";
import { auditVerbs } from "../admin/audit/verbs.ts";
import type { ChannelNeeds } from "../admin/channel/needs.ts";
import { channelVerbs } from "../admin/channel/verbs.ts";
import type { GroupNeeds } from "../admin/group/write.ts";
import { groupVerbs } from "../admin/group/verbs.ts";
import type { ImportNeeds } from "../admin/import/needs.ts";
import { importVerbs } from "../admin/import/verbs.ts";
import { invitationVerbs } from "../admin/invitation/verbs.ts";
import { keyVerbs } from "../admin/key/verbs.ts";
import { logVerbs } from "../admin/log/verbs.ts";
import { modelNoteVerbs } from "../admin/model-note/verbs.ts";
import type { PriceNeeds } from "../admin/price/write.ts";
import { priceVerbs } from "../admin/price/verbs.ts";
import type { RecordNeeds } from "../admin/record-needs.ts";
import type { RedemptionNeeds } from "../admin/redemption/needs.ts";
import { redemptionVerbs } from "../admin/redemption/verbs.ts";
import type { StatusNeeds } from "../admin/status/read.ts";
import { statusVerbs } from "../admin/status/verbs.ts";
import { taskVerbs } from "../admin/task/verbs.ts";
import { usageVerbs } from "../admin/usage/verbs.ts";
import type { UserNeeds } from "../admin/user/needs.ts";
import { userVerbs } from "../admin/user/verbs.ts";
import type { WebhookSecretNeeds } from "../admin/webhook/secret.ts";
import { webhookVerbs } from "../admin/webhook/verbs.ts";
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
  imports: ImportNeeds;
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
  return [
    channel("GET", "/api/channel", "admin", channelVerbs.list),
    channel("POST", "/api/channel", "admin", channelVerbs.create),
    channel("GET", "/api/channel/{id}", "admin", channelVerbs.read),
    channel("PATCH", "/api/channel/{id}", "admin", channelVerbs.change),
    channel("DELETE", "/api/channel/{id}", "admin", channelVerbs.remove),
    channel("POST", "/api/channel/{id}/test", "admin", channelVerbs.test),
    account("GET", "/api/token", "user", keyVerbs.list),
    account("POST", "/api/token", "user", keyVerbs.create),
    account("GET", "/api/token/{id}", "user", keyVerbs.read),
    account("PATCH", "/api/token/{id}", "user", keyVerbs.change),
    account("DELETE", "/api/token/{id}", "user", keyVerbs.revoke),
    group("GET", "/api/group", "admin", groupVerbs.list),
    group("POST", "/api/group", "admin", groupVerbs.write),
    group("DELETE", "/api/group", "admin", groupVerbs.removeNamed),
    group("DELETE", "/api/group/{name}", "admin", groupVerbs.remove),
    price("GET", "/api/price", "admin", priceVerbs.list),
    price("POST", "/api/price", "admin", priceVerbs.write),
    price("DELETE", "/api/price", "admin", priceVerbs.remove),
    account("GET", "/api/user", "admin", userVerbs.list),
    account("POST", "/api/user", "admin", userVerbs.create),
    forEnrolment(account("GET", "/api/user/self", "user", userVerbs.readSelf)),
    account("GET", "/api/user/{id}", "admin", userVerbs.read),
    account("PATCH", "/api/user/{id}", "admin", userVerbs.change),
    account("DELETE", "/api/user/{id}", "admin", userVerbs.disable),
    account("POST", "/api/user/{id}/credit", "admin", userVerbs.credit),
    account("POST", "/api/user/{id}/token", "user", userVerbs.createToken),
    account("DELETE", "/api/user/{id}/token", "user", userVerbs.revokeTokens),
    account("DELETE", "/api/user/{id}/second-factor", "admin", userVerbs.resetFactors),
    account("GET", "/api/access-token", "user", accessTokenVerbs.list),
    account("POST", "/api/access-token", "user", accessTokenVerbs.create),
    account("DELETE", "/api/access-token/{id}", "user", accessTokenVerbs.revoke),
    account("GET", "/api/invitation", "admin", invitationVerbs.list),
    account("POST", "/api/invitation", "admin", invitationVerbs.create),
    account("DELETE", "/api/invitation/{id}", "admin", invitationVerbs.remove),
    redemption("GET", "/api/redemption", "admin", redemptionVerbs.list),
    redemption("POST", "/api/redemption", "admin", redemptionVerbs.create),
    redemption("DELETE", "/api/redemption/{id}", "admin", redemptionVerbs.remove),
    redemption("POST", "/api/redemption/redeem", "user", redemptionVerbs.redeem),
    ...importRoutes(needs.imports),
    table("GET", "/api/announcement", "user", announcementVerbs.list),
    table("POST", "/api/announcement", "admin", announcementVerbs.create),
    table("PATCH", "/api/announcement/{id}", "admin", announcementVerbs.change),
    table("DELETE", "/api/announcement/{id}", "admin", announcementVerbs.remove),
    table("GET", "/api/model-note", "user", modelNoteVerbs.list),
    table("POST", "/api/model-note", "admin", modelNoteVerbs.write),
    table("DELETE", "/api/model-note", "admin", modelNoteVerbs.remove),
    record("GET", "/api/audit", "admin", auditVerbs.list),
    record("GET", "/api/log", "admin", logVerbs.list),
    record("GET", "/api/log/self", "user", logVerbs.listOwn),
    record("GET", "/api/usage", "admin", usageVerbs.list),
    record("GET", "/api/usage/self", "user", usageVerbs.listOwn),
    record("GET", "/api/task", "admin", taskVerbs.list),
    record("GET", "/api/task/self", "user", taskVerbs.listOwn),
    record("GET", "/api/webhook", "admin", webhookVerbs.list),
    record("GET", "/api/webhook/self", "user", webhookVerbs.listOwn),
    secret("GET", "/api/webhook-secret", "user", webhookVerbs.readSecret),
    secret("POST", "/api/webhook-secret", "user", webhookVerbs.rotateSecret),
    rowsWith(needs.status)("GET", "/api/status", "user", statusVerbs.read),
  ];
}

/** Whole databases with hashes in them: for root alone. */
function importRoutes(needs: ImportNeeds): ControlRoute[] {
  const row = rowsWith(needs);
  return [
    row("GET", "/api/import", "root", importVerbs.read),
    row("POST", "/api/import", "root", importVerbs.write),
  ];
}
