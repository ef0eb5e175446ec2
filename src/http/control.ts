// The routes of the control plane: who may call what. Each answers `{success, message, data}`.
import { accessTokenVerbs } from "../admin/access-token/verbs.ts";
import { announcementVerbs } from "../admin/announcement/verbs.ts";
import { assetVerbs } from "../admin/asset/verbs.ts";
import type { NotingNeeds } from "../admin/audit/entry.ts";
import type { DropNeeds } from "../admin/oauth/drop-identity.ts";
import { auditVerbs } from "../admin/audit/verbs.ts";
import type { BudgetNeeds } from "../admin/budget/needs.ts";
import { budgetVerbs } from "../admin/budget/verbs.ts";
import type { ChannelNeeds } from "../admin/channel/needs.ts";
import { channelVerbs } from "../admin/channel/verbs.ts";
import type { ConvertNeeds } from "../admin/convert/needs.ts";
import { convertVerbs } from "../admin/convert/verbs.ts";
import { eraseVerbs } from "../admin/erase/verbs.ts";
import type { GroupNeeds } from "../admin/group/write.ts";
import { groupVerbs } from "../admin/group/verbs.ts";
import type { ImportNeeds } from "../admin/import/needs.ts";
import { importVerbs } from "../admin/import/verbs.ts";
import type { InflightNeeds } from "../admin/inflight/list.ts";
import { inflightVerbs } from "../admin/inflight/verbs.ts";
import { invitationVerbs } from "../admin/invitation/verbs.ts";
import { keyVerbs } from "../admin/key/verbs.ts";
import { logVerbs } from "../admin/log/verbs.ts";
import type { ModelNeeds } from "../admin/model/list.ts";
import { modelVerbs } from "../admin/model/verbs.ts";
import { modelNoteVerbs } from "../admin/model-note/verbs.ts";
import type { OrganisationNeeds } from "../admin/organisation/needs.ts";
import { organisationVerbs } from "../admin/organisation/verbs.ts";
import { personVerbs } from "../admin/person/verbs.ts";
import type { PriceNeeds } from "../admin/price/needs.ts";
import { priceVerbs } from "../admin/price/verbs.ts";
import type { RecordNeeds } from "../admin/record-needs.ts";
import type { RedemptionNeeds } from "../admin/redemption/needs.ts";
import { redemptionVerbs } from "../admin/redemption/verbs.ts";
import { roleVerbs } from "../admin/role/verbs.ts";
import type { RouteNeeds } from "../admin/route/needs.ts";
import { routeVerbs } from "../admin/route/verbs.ts";
import { seriesVerbs } from "../admin/series/verbs.ts";
import type { SignInNeeds } from "../admin/session/needs.ts";
import type { StatusNeeds } from "../admin/status/read.ts";
import { statusVerbs } from "../admin/status/verbs.ts";
import { usageVerbs } from "../admin/usage/verbs.ts";
import type { SelfNeeds } from "../admin/user/needs.ts";
import { selfVerbs, userVerbs } from "../admin/user/verbs.ts";
import type { WebhookSecretNeeds } from "../admin/webhook/secret.ts";
import type { VirtualModelNeeds } from "../admin/virtual-model/needs.ts";
import { virtualModelVerbs } from "../admin/virtual-model/verbs.ts";
import { vendorVerbs } from "../admin/vendor/verbs.ts";
import { deliveryVerbs, webhookSecretVerbs } from "../admin/webhook/verbs.ts";
import { routesOf } from "./control-route.ts";
import { csvRoutes } from "./records/csv.ts";
import { liveRoutes, type LiveNeeds } from "./records/live.ts";
import type { ControlRoute } from "./route.ts";
import { trialRoutes } from "./trials.ts";

/** Parts that the control plane works with, grouped by subject. */
export interface ControlNeeds {
  channels: ChannelNeeds;
  dryRuns: { routes: RouteNeeds; conversions: ConvertNeeds };
  groups: GroupNeeds;
  prices: PriceNeeds;
  models: { listed: ModelNeeds; virtual: VirtualModelNeeds };
  /** Accounts, and all that gets one in: keys, tokens, invitations. */
  selves: SelfNeeds;
  /** Ways for people into their accounts. */
  people: SignInNeeds & DropNeeds;
  /** Organisations, and deleting one for good like any account. */
  organisations: OrganisationNeeds;
  money: { redemptions: RedemptionNeeds; budgets: BudgetNeeds };
  imports: ImportNeeds;
  webhookSecrets: WebhookSecretNeeds;
  /** For what stands in tables of its own and is read from nowhere else. */
  tables: NotingNeeds;
  records: RecordNeeds;
  present: PresentNeeds;
}

/** The gateway's present work. */
interface PresentNeeds {
  live: LiveNeeds;
  inflight: InflightNeeds;
  status: StatusNeeds;
}

export function controlRoutes(needs: ControlNeeds): ControlRoute[] {
  return [...sellingRoutes(needs), ...accountRows(needs), ...recordRows(needs)];
}

/** Accounts, and all that gets one in. */
function accountRows(needs: ControlNeeds): ControlRoute[] {
  return [
    ...routesOf(needs.selves.accounts, keyVerbs),
    ...routesOf(needs.money.budgets, budgetVerbs),
    ...routesOf(needs.selves.accounts, userVerbs),
    ...routesOf(needs.selves.accounts, roleVerbs),
    ...routesOf(needs.selves, selfVerbs),
    ...routesOf(needs.organisations.erasing, eraseVerbs),
    ...routesOf(needs.organisations, organisationVerbs),
    ...routesOf(needs.people, personVerbs),
    ...routesOf(needs.selves.accounts, accessTokenVerbs),
    ...routesOf(needs.selves.accounts, invitationVerbs),
    ...routesOf(needs.money.redemptions, redemptionVerbs),
    ...routesOf(needs.imports, importVerbs),
  ];
}

/** Routes of past events, and of the words that everyone is told. */
function recordRows(needs: ControlNeeds): ControlRoute[] {
  return [
    ...routesOf(needs.tables, announcementVerbs),
    ...routesOf(needs.tables, modelNoteVerbs),
    ...recordRoutes(needs.records),
    ...liveRoutes(needs.present.live),
    ...routesOf(needs.present.inflight, inflightVerbs),
    ...routesOf(needs.webhookSecrets, webhookSecretVerbs),
    ...routesOf(needs.present.status, statusVerbs),
  ];
}

/** Routes of past events, read alone. */
function recordRoutes(needs: RecordNeeds): ControlRoute[] {
  return [
    ...routesOf(needs, auditVerbs),
    ...routesOf(needs, logVerbs),
    ...csvRoutes(needs),
    ...routesOf(needs, seriesVerbs),
    ...routesOf(needs, usageVerbs),
    ...routesOf(needs, assetVerbs),
    ...routesOf(needs, deliveryVerbs),
  ];
}

/** Routes of goods, buyers and shops. */
function sellingRoutes(needs: ControlNeeds): ControlRoute[] {
  const { channels, groups, prices, models } = needs;
  return [
    ...routesOf(channels, channelVerbs),
    ...trialRoutes(channels),
    ...routesOf({}, vendorVerbs),
    ...routesOf(needs.dryRuns.routes, routeVerbs),
    ...routesOf(needs.dryRuns.conversions, convertVerbs),
    ...routesOf(groups, groupVerbs),
    ...routesOf(models.listed, modelVerbs),
    ...routesOf(models.virtual, virtualModelVerbs),
    ...routesOf(prices, priceVerbs),
  ];
}
