// Every call of the control plane by its address, for clients. Types only.
import type { AccessTokenCalls } from "./access-token/contract.ts";
import type { AnnouncementCalls, OpenAnnouncementCalls } from "./announcement/contract.ts";
import type { AssetCalls, OwnAssetCalls } from "./asset/contract.ts";
import type { AuditCalls } from "./audit/contract.ts";
import type { BackupCalls } from "./backup/contract.ts";
import type { BudgetCalls } from "./budget/contract.ts";
import type { ApiOf } from "./call.ts";
import type { CaptureCalls } from "./capture/contract.ts";
import type { ChannelCalls, TrialCalls } from "./channel/contract.ts";
import type { ConvertCalls } from "./convert/contract.ts";
import type { MailAskCalls, MailEnterCalls, OwnEmailCalls } from "./email/contract.ts";
import type { EraseCalls } from "./erase/contract.ts";
import type { GroupCalls } from "./group/contract.ts";
import type { HealthCalls } from "./health/contract.ts";
import type { ImportCalls } from "./import/contract.ts";
import type { ImportRunCalls } from "./import-run/contract.ts";
import type { InflightCalls } from "./inflight/contract.ts";
import type { InvitationCalls } from "./invitation/contract.ts";
import type { KeyCalls } from "./key/contract.ts";
import type { BooksCalls, LedgerCalls } from "./ledger/contract.ts";
import type { LogCalls } from "./log/contract.ts";
import type { MailCalls } from "./mail/contract.ts";
import type { ModelNoteCalls } from "./model-note/contract.ts";
import type { ModelCalls } from "./model/contract.ts";
import type { NodeCalls } from "./node/contract.ts";
import type { NoticeCalls } from "./notice/contract.ts";
import type { IdentityCalls, OAuthCalls } from "./oauth/contract.ts";
import type { OrganisationCalls } from "./organisation/contract.ts";
import type { PersonCalls } from "./person/contract.ts";
import type { PriceCalls } from "./price/contract.ts";
import type { RedemptionCalls } from "./redemption/contract.ts";
import type { RoleCalls } from "./role/contract.ts";
import type { RouteCalls } from "./route/contract.ts";
import type { AskPasskeyCalls, SecondFactorCalls } from "./second-factor/contract.ts";
import type { SecretCalls } from "./secret/contract.ts";
import type { SeriesCalls } from "./series/contract.ts";
import type { CookieCalls, EnterCalls, LinkCalls, SessionCalls } from "./session/contract.ts";
import type { SettingCalls } from "./setting/contract.ts";
import type { SiteCalls } from "./site/contract.ts";
import type { StatementCalls } from "./statement/contract.ts";
import type { StatusCalls } from "./status/contract.ts";
import type { TaskCalls } from "./task/contract.ts";
import type { UsageCalls } from "./usage/contract.ts";
import type { SelfCalls, UserCalls } from "./user/contract.ts";
import type { VendorCalls } from "./vendor/contract.ts";
import type { VirtualModelCalls } from "./virtual-model/contract.ts";
import type { DeliveryCalls, WebhookCalls, WebhookSecretCalls } from "./webhook/contract.ts";

export type ControlApi = ApiOf<AccessTokenCalls> &
  ApiOf<AnnouncementCalls> &
  ApiOf<AskPasskeyCalls> &
  ApiOf<AssetCalls> &
  ApiOf<AuditCalls> &
  ApiOf<BackupCalls> &
  ApiOf<BooksCalls> &
  ApiOf<BudgetCalls> &
  ApiOf<CaptureCalls> &
  ApiOf<ChannelCalls> &
  ApiOf<ConvertCalls> &
  ApiOf<CookieCalls> &
  ApiOf<DeliveryCalls> &
  ApiOf<EnterCalls> &
  ApiOf<EraseCalls> &
  ApiOf<GroupCalls> &
  ApiOf<HealthCalls> &
  ApiOf<IdentityCalls> &
  ApiOf<ImportCalls> &
  ApiOf<ImportRunCalls> &
  ApiOf<InflightCalls> &
  ApiOf<InvitationCalls> &
  ApiOf<KeyCalls> &
  ApiOf<LedgerCalls> &
  ApiOf<StatementCalls> &
  ApiOf<LinkCalls> &
  ApiOf<LogCalls> &
  ApiOf<MailAskCalls> &
  ApiOf<MailCalls> &
  ApiOf<MailEnterCalls> &
  ApiOf<ModelCalls> &
  ApiOf<ModelNoteCalls> &
  ApiOf<NodeCalls> &
  ApiOf<NoticeCalls> &
  ApiOf<OAuthCalls> &
  ApiOf<OwnEmailCalls> &
  ApiOf<OpenAnnouncementCalls> &
  ApiOf<OrganisationCalls> &
  ApiOf<OwnAssetCalls> &
  ApiOf<PersonCalls> &
  ApiOf<PriceCalls> &
  ApiOf<RedemptionCalls> &
  ApiOf<RoleCalls> &
  ApiOf<RouteCalls> &
  ApiOf<SecondFactorCalls> &
  ApiOf<SecretCalls> &
  ApiOf<SelfCalls> &
  ApiOf<SeriesCalls> &
  ApiOf<SessionCalls> &
  ApiOf<SettingCalls> &
  ApiOf<SiteCalls> &
  ApiOf<StatusCalls> &
  ApiOf<TaskCalls> &
  ApiOf<TrialCalls> &
  ApiOf<UsageCalls> &
  ApiOf<UserCalls> &
  ApiOf<VendorCalls> &
  ApiOf<VirtualModelCalls> &
  ApiOf<WebhookCalls> &
  ApiOf<WebhookSecretCalls>;
