// The audit log: its call with its function.
import { bind } from "../bind.ts";
import { auditCalls } from "./contract.ts";
import { listAuditViews } from "./list.ts";

export const auditVerbs = bind(auditCalls, { list: listAuditViews });
