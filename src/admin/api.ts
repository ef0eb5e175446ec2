// Every call of the control plane by its address, for clients. Types only.
import type { AnnouncementCalls } from "./announcement/contract.ts";
import type { AuditCalls } from "./audit/contract.ts";
import type { ApiOf } from "./call.ts";
import type { KeyCalls } from "./key/contract.ts";

export type ControlApi = ApiOf<AnnouncementCalls> & ApiOf<AuditCalls> & ApiOf<KeyCalls>;
