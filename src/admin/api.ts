// Every call of the control plane by its address, for clients. Types only.
import type { AnnouncementCalls } from "./announcement/contract.ts";
import type { AssetCalls, OwnAssetCalls } from "./asset/contract.ts";
import type { AuditCalls } from "./audit/contract.ts";
import type { ApiOf } from "./call.ts";
import type { HealthCalls } from "./health/contract.ts";
import type { InflightCalls } from "./inflight/contract.ts";
import type { KeyCalls } from "./key/contract.ts";
import type { BooksCalls, LedgerCalls } from "./ledger/contract.ts";
import type { LogCalls } from "./log/contract.ts";
import type { NodeCalls } from "./node/contract.ts";
import type { NoticeCalls } from "./notice/contract.ts";
import type { SeriesCalls } from "./series/contract.ts";
import type { StatusCalls } from "./status/contract.ts";
import type { TaskCalls } from "./task/contract.ts";
import type { UsageCalls } from "./usage/contract.ts";
import type { DeliveryCalls, WebhookCalls, WebhookSecretCalls } from "./webhook/contract.ts";

export type ControlApi = ApiOf<AnnouncementCalls> &
  ApiOf<AssetCalls> &
  ApiOf<AuditCalls> &
  ApiOf<HealthCalls> &
  ApiOf<InflightCalls> &
  ApiOf<KeyCalls> &
  ApiOf<BooksCalls> &
  ApiOf<LedgerCalls> &
  ApiOf<LogCalls> &
  ApiOf<OwnAssetCalls> &
  ApiOf<NodeCalls> &
  ApiOf<NoticeCalls> &
  ApiOf<SeriesCalls> &
  ApiOf<StatusCalls> &
  ApiOf<TaskCalls> &
  ApiOf<UsageCalls> &
  ApiOf<DeliveryCalls> &
  ApiOf<WebhookCalls> &
  ApiOf<WebhookSecretCalls>;
